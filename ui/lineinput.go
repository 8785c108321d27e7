package ui

import (
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// lineInput is one line of text and a cursor in it, edited with the keys of a
// shell. bubbles/textinput brings along a clipboard library that searches PATH
// at every start (see clipboard_programs.go), keeps what was typed after it was
// emptied, and takes a pasted word such as "end" for the key.
//
// The text never moves in memory, so that of an HMAC that came in pieces nothing
// is left when it has been recognised and emptied.
type lineInput struct {
	text []rune // as long as may be typed, from the start
	at   int    // where the cursor is: before text[at]
}

// newLineInput has room for limit characters. What is set may be longer: it is
// cut.
func newLineInput(value string, limit int) lineInput {
	l := lineInput{text: make([]rune, 0, limit)}
	l.set(value)
	return l
}

func (l *lineInput) value() string { return string(l.text) }

// parts is the text before the cursor and the text after it.
func (l *lineInput) parts() (before, after string) {
	return string(l.text[:l.at]), string(l.text[l.at:])
}

// set replaces the text; the cursor is behind it.
func (l *lineInput) set(value string) {
	l.cut(0, len(l.text))
	l.insert([]rune(value))
}

// handle takes a key. Text is what was typed or pasted; of the other keys those
// that it does not know do nothing.
func (l *lineInput) handle(msg tea.KeyMsg) {
	switch keyName(msg) {
	case "right", "ctrl+f":
		l.at = l.next()
	case "left", "ctrl+b":
		l.at = l.previous()
	case "ctrl+right", "alt+right", "alt+f":
		l.at = l.wordEnd()
	case "ctrl+left", "alt+left", "alt+b":
		l.at = l.wordStart()
	case "home", "ctrl+a":
		l.at = 0
	case "end", "ctrl+e":
		l.at = len(l.text)
	case "backspace", "ctrl+h":
		l.cut(l.previous(), l.at)
	case "delete", "ctrl+d":
		l.cut(l.at, l.next())
	case "alt+backspace", "ctrl+w":
		l.cut(l.wordStart(), l.at)
	case "alt+delete", "alt+d":
		l.cut(l.at, l.wordEnd())
	case "ctrl+u":
		l.cut(0, l.at)
	case "ctrl+k":
		l.cut(l.at, len(l.text))
	default:
		if (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && (msg.Paste || !msg.Alt) {
			l.insert(msg.Runes)
		}
	}
}

// insert puts runes at the cursor, as many as there is room for. Line ends and
// tabs become blanks, other control characters are dropped.
func (l *lineInput) insert(runes []rune) {
	for _, r := range runes {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			r = ' '
		case r == utf8.RuneError || unicode.IsControl(r):
			continue
		}
		if len(l.text) == cap(l.text) {
			return
		}
		l.text = l.text[:len(l.text)+1]
		copy(l.text[l.at+1:], l.text[l.at:])
		l.text[l.at] = r
		l.at++
	}
}

// cut removes text[from:to]; the cursor is there afterwards.
func (l *lineInput) cut(from, to int) {
	n := copy(l.text[from:], l.text[to:])
	clear(l.text[from+n:])
	l.text, l.at = l.text[:from+n], from
}

// next is behind the character at the cursor, with all that is drawn on it.
func (l *lineInput) next() int {
	return l.at + l.cluster(l.at)
}

func (l *lineInput) previous() int {
	before := 0
	for i := 0; i < l.at; i += l.cluster(i) {
		before = i
	}
	return before
}

// cluster is how many runes make the character that begins at i.
func (l *lineInput) cluster(i int) int {
	c, _ := ansi.FirstGraphemeCluster(string(l.text[i:]), ansi.GraphemeWidth)
	return utf8.RuneCountInString(c)
}

// wordStart is where the word before the cursor begins, and wordEnd where the
// one after it ends; blanks between are skipped.
func (l *lineInput) wordStart() int {
	at := l.at
	for _, blank := range []bool{true, false} {
		for at > 0 && unicode.IsSpace(l.text[at-1]) == blank {
			at--
		}
	}
	return at
}

func (l *lineInput) wordEnd() int {
	at := l.at
	for _, blank := range []bool{true, false} {
		for at < len(l.text) && unicode.IsSpace(l.text[at]) == blank {
			at++
		}
	}
	return at
}
