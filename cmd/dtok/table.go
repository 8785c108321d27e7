package main

import (
	"io"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// table collects cells and writes them in columns, two blanks apart. All cells
// lie in one slice, so that ten thousand rows cost no allocation each.
type table struct {
	columns int
	text    []byte
	cells   []cell
	widths  []int
	stamps  stamps
}

// cell is where a cell's text ends, and how many columns of a terminal it takes.
type cell struct{ end, width int }

func newTable(heads ...string) *table {
	t := &table{columns: len(heads), widths: make([]int, len(heads))}
	for _, h := range heads {
		t.add(h)
	}
	return t
}

// grow takes room for so many rows more, from the size that is usual.
func (t *table) grow(rows int) {
	t.cells = slices.Grow(t.cells, rows*t.columns)
	t.text = slices.Grow(t.text, rows*t.columns*20)
}

// add appends the next cell. What a terminal would obey or not show becomes
// visible: names come from the cluster.
func (t *table) add(s string) {
	t.text = append(t.text, plain(s)...)
	t.done()
}

// done ends the cell that was appended to text.
func (t *table) done() {
	start := 0
	if n := len(t.cells); n > 0 {
		start = t.cells[n-1].end
	}
	if start == len(t.text) {
		t.text = append(t.text, '-') // a column is never empty, for awk and the eye
	}
	width := textWidth(t.text[start:])
	column := len(t.cells) % t.columns
	t.widths[column] = max(t.widths[column], width)
	t.cells = append(t.cells, cell{len(t.text), width})
}

// writeTo writes the rows in one piece. The last column is not padded.
func (t *table) writeTo(w io.Writer) error {
	line := t.columns + 1
	for _, width := range t.widths {
		line += width + 2
	}
	out := make([]byte, 0, line*(len(t.cells)/t.columns))
	start := 0
	for i, c := range t.cells {
		out = append(out, t.text[start:c.end]...)
		start = c.end
		if column := i % t.columns; column < t.columns-1 {
			for range t.widths[column] - c.width + 2 {
				out = append(out, ' ')
			}
			continue
		}
		out = append(out, '\n')
	}
	_, err := w.Write(out)
	return err
}

// textWidth is how many columns of a terminal the text takes.
func textWidth(text []byte) int {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return ansi.StringWidth(string(text))
		}
	}
	return len(text)
}

// plain is oneLine, which is slow, for the texts that need it.
func plain(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return oneLine(s)
		}
	}
	return s
}

// time adds a moment in UTC to the second; none is a dash.
func (t *table) time(at time.Time) {
	if !at.IsZero() {
		t.text = t.stamps.append(t.text, at)
	}
	t.done()
}

// stamps formats moments in UTC to the second. Those of a list lie close
// together, so the date, which takes most of the time, is kept.
type stamps struct {
	day  int64
	date []byte
}

func (s *stamps) append(to []byte, at time.Time) []byte {
	const secondsOfDay = 24 * 60 * 60
	unix := at.Unix()
	day, second := unix/secondsOfDay, unix%secondsOfDay
	if second < 0 {
		day, second = day-1, second+secondsOfDay
	}
	if day != s.day || s.date == nil {
		s.day, s.date = day, at.UTC().AppendFormat(s.date[:0], "2006-01-02T")
	}
	two := func(n int64, after byte) { to = append(to, '0'+byte(n/10), '0'+byte(n%10), after) }
	to = append(to, s.date...)
	two(second/3600, ':')
	two(second/60%60, ':')
	two(second%60, 'Z')
	return to
}
