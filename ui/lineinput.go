package ui

import (
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// lineInput is one line of text and a cursor in it, edited with the keys of a
// shell. bubbles/textinput brings along a clipboard library that searches PATH
// at every start (see clipboard_programs.go), keeps what was typed after it was
// emptied, and takes a pasted word such as "end" for the key.
type lineInput struct {
	// text never moves while it is typed, so that what is cut stays nowhere.
	text  []rune
	at    int // where the cursor is: before text[at]
	limit int // how many characters may be typed
	// refused is when an HMAC was last kept out, zero for never.
	refused time.Time
}

func newLineInput(value string, limit int) lineInput {
	l := lineInput{limit: limit, text: make([]rune, 0, limit)}
	l.set(value)
	return l
}

func (l *lineInput) value() string { return string(l.text) }

// parts is the text before the cursor and the text after it.
func (l *lineInput) parts() (before, after string) {
	return string(l.text[:l.at]), string(l.text[l.at:])
}

// set replaces the text; the cursor is behind it. A name that a cluster knows
// stays as it is, also where it could not be typed so.
func (l *lineInput) set(value string) {
	l.cut(0, len(l.text))
	l.text = append(l.text, []rune(value)...)
	l.at = len(l.text)
}

// handle takes a key that came at now. Text is what was typed or pasted; of the
// other keys those that it does not know do nothing. It reports whether an HMAC
// was kept out.
func (l *lineInput) handle(msg tea.KeyMsg, now time.Time) (refused bool) {
	if l.refuses(msg, now) {
		return true
	}
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
	return false
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
		if len(l.text) >= l.limit {
			return
		}
		l.text = slices.Insert(l.text, l.at, r)
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

// cluster is how many runes make the character that begins at i. One that is
// drawn as an escape, such as a zero-width joiner, is a character by itself.
func (l *lineInput) cluster(i int) int {
	c, _ := ansi.FirstGraphemeCluster(string(l.text[i:]), ansi.GraphemeWidth)
	drawn := unsafeIndex(c)
	switch {
	case drawn > 0:
		c = c[:drawn]
	case drawn == 0:
		return 1
	}
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
