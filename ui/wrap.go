package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// wrap breaks plain text into lines of at most width cells, at blanks only:
// the wrapping functions of x/ansi also break at hyphens, which cuts dates and
// token IDs apart. A word that is longer than a line is cut.
func wrap(text string, width int) []string {
	width = max(width, 1)
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		w := ansi.StringWidth(word)
		if used > 0 && used+1+w <= width {
			line += " " + word
			used += 1 + w
			continue
		}
		if used > 0 {
			lines = append(lines, line)
		}
		for w > width {
			head := ansi.Truncate(word, width, "")
			if head == "" { // a wide character in a window of one cell
				return append(lines, "")
			}
			lines = append(lines, head)
			word = word[len(head):]
			w = ansi.StringWidth(word)
		}
		line, used = word, w
	}
	return append(lines, line)
}

// lastColumn is where the last column of a line begins at the latest.
const lastColumn = 40

// wrapLast breaks the last column of a line whose columns are two blanks apart,
// and keeps the others where they are; all of it where little room is left.
func wrapLast(text string, width int) []string {
	at := strings.LastIndex(text[:min(lastColumn, len(text))], "  ") + len("  ")
	if at < len("  ") || width < at+lastColumn/2 {
		return wrap(text, width)
	}
	lines := wrap(text[at:], width-at)
	for i := range lines {
		head := strings.Repeat(" ", at)
		if i == 0 {
			head = text[:at]
		}
		lines[i] = head + lines[i]
	}
	return lines
}
