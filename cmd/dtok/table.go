package main

import (
	"io"
	"slices"
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
	t.text = append(t.text, oneLine(s)...)
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

// oneLine is printable, and a line end is none.
func oneLine(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return escapeLines(printable(s))
		}
	}
	return s
}

func escapeLines(s string) string {
	out := make([]byte, 0, len(s)+1)
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' {
			out = append(out, `\n`...)
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}
