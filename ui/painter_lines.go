package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a Painter need not send of a line that has changed: with two panes side
// by side a cursor key changes one half of two lines.

// sharedStart is how much two lines have in common at their start, in bytes and
// in cells, and the style that is on there. It ends at the first character that
// is not ASCII: terminals do not agree on how wide the others are, and a column
// counted wrongly would put the rest in the wrong place. The character before
// it is left out as well, because an accent may belong to it.
func sharedStart(a, b string) (bytes, cells int, style string) {
	i, before := 0, 0 // before: the bytes without the last character
	for i < len(a) && i < len(b) && a[i] == b[i] {
		if a[i] != '\x1b' {
			if a[i] < ' ' || a[i] >= 0x7f {
				break
			}
			before, i = i, i+1
			bytes, cells = i, cells+1
			continue
		}
		end := strings.IndexByte(a[i:], 'm') + 1
		if end <= 0 || !strings.HasPrefix(b[i:], a[i:i+end]) {
			break
		}
		i += end
	}
	if cells > 0 && (wideAt(a, i) || wideAt(b, i)) {
		bytes, cells = before, cells-1
	}
	return bytes, cells, styleFrom("", a[:bytes])
}

// wideAt reports whether the character at i is not ASCII.
func wideAt(s string, i int) bool { return i < len(s) && s[i] >= 0x80 }

// sharedEnd is how many bytes at the end of two lines are on the screen already
// and in the right place: what differs before is as wide on any terminal, and
// leaves the same style. style is the one that both begin with.
func sharedEnd(a, b, style string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	// Not from within a sequence on.
	for _, s := range []string{a, b} {
		at := strings.LastIndexByte(s[:len(s)-n], '\x1b')
		if at >= 0 && !strings.Contains(s[at:len(s)-n], "m") {
			n -= strings.IndexByte(s[len(s)-n:], 'm') + 1
		}
	}
	// Nor with one: behind it the styles may be the same again.
	for strings.HasPrefix(b[len(b)-n:], "\x1b") && strings.Contains(b[len(b)-n:], "m") {
		n -= strings.IndexByte(b[len(b)-n:], 'm') + 1
	}
	gone, come, end := a[:len(a)-n], b[:len(b)-n], b[len(b)-n:]
	if first, _ := utf8.DecodeRuneInString(end); unicode.In(first, unicode.M, unicode.Cf) {
		return 0 // it belongs to the character before
	}
	if !sameWidth(gone, come) || styleFrom(style, gone) != styleFrom(style, come) {
		return 0
	}
	return n
}

// sameWidth reports whether two texts are equally wide on any terminal: as many
// ASCII characters, and the same others. Sequences do not count.
func sameWidth(a, b string) bool {
	ascii, others, ok := measure(a)
	asciiB, othersB, okB := measure(b)
	return ok && okB && ascii == asciiB && others == othersB
}

// measure counts ASCII characters and collects the others; not ok is what may
// change the width of its neighbours.
func measure(s string) (ascii int, others string, ok bool) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\x1b':
			end := strings.IndexByte(s[i:], 'm')
			if end < 0 {
				return 0, "", false
			}
			size = end + 1
		case unicode.In(r, unicode.C, unicode.M):
			return 0, "", false
		case r < utf8.RuneSelf:
			ascii++
		default:
			others += s[i : i+size]
		}
		i += size
	}
	return ascii, others, true
}

// styleFrom is the style that is on behind a text which begins with style: the
// sequences since the last that turned everything off.
func styleFrom(style, text string) string {
	for {
		_, rest, found := strings.Cut(text, "\x1b[")
		if !found {
			return style
		}
		attributes, after, _ := strings.Cut(rest, "m")
		if attributes == "0" || attributes == "" {
			style = ""
		} else {
			style += "\x1b[" + attributes + "m"
		}
		text = after
	}
}
