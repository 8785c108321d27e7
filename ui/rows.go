package ui

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// The tables are drawn here and not by bubbles/table, which cuts coloured
// cells in the wrong place, nor by lipgloss/table, which measures every cell
// several times: a screen of rows is drawn after every key.

// mark is what a cell's colour says besides its text.
type mark uint8

const (
	markPlain mark = iota
	markMuted
	markWarn
	markDanger
	markOK
	markCount
)

// cell is one field of a table. Its text is safe to draw (safeText) and holds
// no escape sequence.
type cell struct {
	text string
	mark mark
	// span lets the first cell of a row take the whole line: a heading.
	span bool
}

// sgr is a style taken apart, so that drawing text in it is three writes.
// Without colours both parts are empty.
type sgr struct{ open, close string }

// newSGR takes a style apart. Only colours and attributes survive: a style
// with padding or a width does not belong into a row.
func newSGR(s lipgloss.Style) sgr {
	const text = "x"
	open, end, _ := strings.Cut(s.Render(text), text)
	return sgr{open, end}
}

// rowStyles are the styles of a table's parts.
type rowStyles struct {
	marker   string // before the selected row, one cell wide
	header   sgr
	marks    [markCount]sgr
	selected [markCount]sgr // a mark within the selected row
}

// newRowStyles takes the selected row's marker and the theme's styles for the header line, the selected row
// and the marks of cells.
func newRowStyles(marker string, header, selected, muted, warn, danger, ok lipgloss.Style) rowStyles {
	t := rowStyles{marker: marker, header: newSGR(header)}
	marks := [markCount]lipgloss.Style{
		markMuted: muted, markWarn: warn, markDanger: danger, markOK: ok,
	}
	t.selected[markPlain] = newSGR(selected)
	for m := markMuted; m < markCount; m++ {
		t.marks[m] = newSGR(marks[m])
		t.selected[m] = newSGR(marks[m].Inherit(selected))
	}
	return t
}

const (
	// rowMarker stands before the selected row, which a terminal without
	// colours could not show otherwise.
	rowMarker      = ">"
	rowMarkerWidth = 2
	columnGap      = 2
)

// drawRows writes the header line and count rows from first on, separated by
// newlines and without one at the end. No line is padded on its right: blanks
// cost bytes on a slow link. cursor is the selected row, in cellAt's numbers.
func drawRows(b *strings.Builder, t rowStyles, cols []column, widths []int,
	first, count, cursor int, cellAt func(row, col int) cell,
) {
	line := rowWriter{b: b}
	total := rowMarkerWidth
	for _, w := range widths {
		total += w + columnGap
	}
	b.Grow((max(count, 0) + 1) * (total + len(rowMarker)))

	line.start(t.header, "")
	for i, c := range cols {
		line.lead = c.order.arrow()
		line.cell(c, widths[i], c.title, sgr{})
	}
	line.end()
	for row := first; row < first+count; row++ {
		b.WriteByte('\n')
		marks := &t.marks
		if row == cursor {
			marks = &t.selected
		}
		marker := ""
		if row == cursor && total > rowMarkerWidth+columnGap*len(widths) {
			marker = t.marker
		}
		line.start(marks[markPlain], marker)
		for i, c := range cols {
			if widths[i] == 0 {
				continue
			}
			field := cellAt(row, i)
			style := sgr{}
			if field.mark != markPlain && field.mark < markCount {
				style = marks[field.mark]
			}
			if field.span && i == 0 {
				line.cell(column{}, total-rowMarkerWidth-columnGap, field.text, style)
				break
			}
			line.cell(c, widths[i], field.text, style)
		}
		line.end()
	}
}

// rowWriter writes one line. It holds blanks back until text follows them.
type rowWriter struct {
	b      *strings.Builder
	base   sgr // of the whole line
	blanks int
	empty  bool
	lead   string // takes the place of the blank before the next text
}

func (l *rowWriter) start(base sgr, marker string) {
	l.base, l.blanks, l.empty, l.lead = base, rowMarkerWidth, true, ""
	if marker != "" {
		l.b.WriteString(base.open)
		l.b.WriteString(marker)
		l.blanks, l.empty = rowMarkerWidth-len(rowMarker), false
	}
}

func (l *rowWriter) cell(c column, width int, text string, style sgr) {
	if width == 0 {
		return
	}
	rest, used := cutCell(text, width)
	if c.right {
		l.blanks += width - used
	}
	if used > 0 {
		l.write(text, rest, style)
	}
	if !c.right {
		l.blanks += width - used
	}
	l.blanks += columnGap
}

// write writes text in the cell's own style, or in the line's.
func (l *rowWriter) write(text string, cut int, style sgr) {
	if l.empty {
		l.b.WriteString(l.base.open)
		l.empty = false
	}
	for ; l.blanks > 1 || l.blanks == 1 && l.lead == ""; l.blanks-- {
		l.b.WriteByte(' ')
	}
	l.b.WriteString(l.lead)
	l.blanks, l.lead = 0, ""
	own := style.open != ""
	if own {
		l.b.WriteString(l.base.close)
		l.b.WriteString(style.open)
	}
	if cut < len(text) {
		l.b.WriteString(text[:cut])
		l.b.WriteString(ellipsis)
	} else {
		l.b.WriteString(text)
	}
	if own {
		l.b.WriteString(style.close)
		l.b.WriteString(l.base.open)
	}
}

func (l *rowWriter) end() {
	if !l.empty {
		l.b.WriteString(l.base.close)
	}
}

// cutCell is where text must be cut to fit into width cells together with an
// ellipsis, or its length when it fits as it is, and the cells then used. It
// is fit for text without escape sequences, and without an allocation.
func cutCell(text string, width int) (cut, used int) {
	if isPlain(text) {
		if len(text) <= width {
			return len(text), len(text)
		}
		return width - 1, width
	}
	fits, before := 0, 0 // bytes and cells before the ellipsis
	for i := 0; i < len(text); {
		cluster, w := ansi.FirstGraphemeCluster(text[i:], ansi.GraphemeWidth)
		if used+w > width {
			return fits, before + 1
		}
		i += len(cluster)
		if used += w; used < width {
			fits, before = i, used
		}
	}
	return len(text), used
}

// scrollTo is the first row to show so that the cursor is in view. At the edge
// it moves by half a page: scrolling by single rows would send the whole screen
// anew at every key.
func scrollTo(offset, cursor, height, count int) int {
	switch {
	case height < 1 || count < 1:
		return 0
	case cursor < offset:
		offset = cursor - height/2
	case cursor >= offset+height:
		offset = cursor - (height-1)/2
	}
	return min(max(offset, 0), max(count-height, 0))
}
