package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestLineInput(t *testing.T) {
	const e = "e\u0301" // two characters that are drawn as one
	for _, c := range []struct{ start, keys, want string }{
		{"", "ab|left|X", "aX|b"},
		{"", "left|right|backspace|delete|home|end|ctrl+w|ctrl+k|ctrl+u|alt+d", "|"},
		{"one two", "home|X", "X|one two"},
		{"one two", "ctrl+a|right|ctrl+f|-", "on-|e two"},
		{"one two", "ctrl+b|left|ctrl+e|!", "one two!|"},
		{"one  two ", "ctrl+left", "one  |two "},
		{"one  two ", "ctrl+left|alt+left|alt+b", "|one  two "},
		{"one  two ", "home|ctrl+right", "one|  two "},
		{"one  two ", "home|alt+f|alt+right|ctrl+right", "one  two |"},
		{"one  two ", "ctrl+w", "one  |"},
		{"one  two ", "left|alt+backspace", "one  | "},
		{"one  two ", "home|alt+d", "|  two "},
		{"one  two ", "home|alt+delete|alt+delete|alt+delete", "|"},
		{"one two", "ctrl+left|ctrl+u", "|two"},
		{"one two", "ctrl+left|ctrl+k", "one |"},
		{"one", "left|delete|ctrl+d", "on|"},
		{"one", "backspace|ctrl+h", "o|"},
		{"n" + e + "n", "left|left|X", "nX|" + e + "n"},
		{"n" + e + "n", "left|backspace", "n|n"},
		{"n" + e + "n", "home|right|delete", "n|n"},
		{"a👩‍🚀", "backspace", "a|"},
		{"日本", "left|x", "日x|本"},
		{"", "a\tb\r\nc\x1b[1m\u0085\ufffd", "a b  c[1m|"},
		{"", "end|paste:end|paste:\n", "end |"},
		{"a", "alt+x|f5|ctrl+v|insert|ctrl+t", "a|"},
		{"a", " |b", "a b|"},
		{strings.Repeat("x", 19), "home|12345", "1|" + strings.Repeat("x", 19)},
		{strings.Repeat("y", 30), "z", strings.Repeat("y", 20) + "|"},
	} {
		l := newLineInput(c.start, 20)
		for k := range strings.SplitSeq(c.keys, "|") {
			l.handle(lineKey(k))
		}
		before, after := l.parts()
		if got := before + "|" + after; got != c.want || l.value() != before+after {
			t.Errorf("%q, %s: %q, want %q", c.start, c.keys, got, c.want)
		}
	}
}

// lineKey is the key of a name, or else a text that was typed or, after
// "paste:", pasted.
func lineKey(name string) tea.KeyMsg {
	if text, ok := strings.CutPrefix(name, "paste:"); ok {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}
	}
	rest, alt := strings.CutPrefix(name, "alt+")
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}
	}
	for typ := tea.KeyType(-100); typ < 256; typ++ {
		if k := (tea.KeyMsg{Type: typ, Alt: alt}); typ != tea.KeyRunes && k.String() == name && name != "" {
			return k
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(rest), Alt: alt}
}

// What is cut is not left behind in memory: it can be a piece of an HMAC.
func TestLineInputForgets(t *testing.T) {
	l := newLineInput("", 100)
	room := l.text[:cap(l.text)]
	l.handle(lineKey("paste:" + canaryHMAC[:40]))
	l.handle(lineKey("left"))
	l.handle(lineKey("backspace"))
	l.set("")
	l.handle(lineKey("paste:" + canaryHMAC[:60]))
	l.handle(lineKey("ctrl+u"))
	for i, r := range room {
		if r != 0 {
			t.Fatalf("character %d is still there", i)
		}
	}
	if &l.text[:1][0] != &room[0] {
		t.Error("the text has moved")
	}
}

// FuzzLineInput: whatever keys come, the cursor is in the text, and the text is
// valid, on one line and not longer than allowed.
func FuzzLineInput(f *testing.F) {
	f.Add("one two", "left|x|ctrl+w|paste:a\nb|alt+d")
	f.Add("e\u0301👩‍🚀", "left|delete|ctrl+left|backspace|home|right|right")
	f.Add("\xff\x00", "ctrl+k|ctrl+u|ctrl+right")
	f.Fuzz(func(t *testing.T, start, keys string) {
		l := newLineInput(start, 12)
		for k := range strings.SplitSeq(keys, "|") {
			had, key := l.value(), lineKey(k)
			l.handle(key)
			before, after := l.parts()
			if before+after != l.value() || len(l.text) > 12 || l.at < 0 || l.at > len(l.text) {
				t.Fatalf("%q, cursor at %d", l.text, l.at)
			}
			if strings.ContainsAny(l.value(), "\n\r\t\x1b\x00\ufffd") {
				t.Fatalf("%q", l.value())
			}
			if key.Type != tea.KeyRunes && key.Type != tea.KeySpace && len(l.value()) > len(had) {
				t.Fatalf("%s made %q of %q", k, l.value(), had)
			}
		}
	})
}
