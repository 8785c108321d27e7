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
