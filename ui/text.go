package ui

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxMarks is how many combining marks may follow one character. Living
// scripts need three at most; more of them paint over the lines around.
const maxMarks = 4

// safeText makes a string that came from a broker or a file safe to draw and
// impossible to mistake: whatever a terminal would obey, not show, or show
// elsewhere becomes a visible escape such as \x1b or \u202e. That covers
// control characters, the C1 range, bidirectional and zero-width controls,
// variation selectors, fillers, blanks other than the space, line and
// paragraph separators, private and unassigned code points, invalid UTF-8,
// and combining marks without a character to stand on or in a pile. The
// zero-width joiner is no exception: two names that differ by one look the
// same, and terminals disagree on how wide joined emoji are.
//
// The result is one line without escape sequences, and safeText leaves it
// as it is. Plain text is returned without an allocation.
func safeText(s string) string {
	i := unsafeIndex(s)
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	marks := maxMarks
	for len(s) > 0 {
		if i = unsafeIndexAfter(s, marks); i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		r, size := utf8.DecodeRuneInString(s[i:])
		writeEscape(&b, r, s[i:i+size])
		s = s[i+size:]
		// A mark that follows must not attach itself to the escape.
		marks = maxMarks
	}
	return b.String()
}

// unsafeIndex is where the first character of s that must be escaped starts,
// or -1.
func unsafeIndex(s string) int { return unsafeIndexAfter(s, maxMarks) }

// unsafeIndexAfter is unsafeIndex for a rest of text that follows so many
// combining marks.
func unsafeIndexAfter(s string, marks int) int {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				return i
			}
			marks = 0
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1, !visible(r):
			return i
		case unicode.IsMark(r):
			if marks++; marks > maxMarks {
				return i
			}
		default:
			marks = 0
		}
		i += size
	}
	return -1
}

// visible reports whether a terminal shows r as something of its own.
// unicode.IsPrint already excludes controls, formats (bidi, joiners, tags),
// separators but the space, surrogates, private and unassigned code points.
func visible(r rune) bool {
	return unicode.IsPrint(r) && r != '\u2800' && // a Braille pattern without dots
		!unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// writeEscape writes r as Go would in a quoted string; raw are its bytes.
func writeEscape(b *strings.Builder, r rune, raw string) {
	const digits = "0123456789abcdef"
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		b.WriteString(`\x`)
		b.WriteByte(digits[raw[0]>>4])
		b.WriteByte(digits[raw[0]&0xf])
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < utf8.RuneSelf:
		b.WriteString(`\x`)
		b.WriteByte(digits[r>>4])
		b.WriteByte(digits[r&0xf])
	default:
		q := strconv.QuoteRuneToASCII(r)
		b.WriteString(q[1 : len(q)-1])
	}
}

// fit returns s cut to at most width cells, its last cell being an ellipsis
// when anything is cut. It never splits a character that is wider than one
// cell, nor an escape sequence.
func fit(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if plain := isPlain(s); plain && len(s) <= width {
		return s
	} else if plain {
		return s[:width-1] + ellipsis
	}
	return ansi.Truncate(s, width, ellipsis)
}

const ellipsis = "…"

// textWidth is the number of cells s takes.
func textWidth(s string) int {
	if isPlain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// isPlain reports whether every byte of s is a printable ASCII character, so
// that its length is its width.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
