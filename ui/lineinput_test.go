package ui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

func TestLineInput(t *testing.T) {
	const e = "e\u0301" // two characters that are drawn as one
	for _, c := range []struct{ value, keys, want string }{
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
		{"a👩‍🚀", "backspace", "a👩\u200d|"},
		{"日本", "left|x", "日x|本"},
		{"", "a\tb\r\nc\x1b[1m\u0085\ufffd", "a b  c[1m|"},
		{"", "end|paste:end|paste:\n", "end |"},
		{"a", "alt+x|f5|ctrl+v|insert|ctrl+t", "a|"},
		{"a", " |b", "a b|"},
		{strings.Repeat("x", 19), "home|12345", "1|" + strings.Repeat("x", 19)},
		{strings.Repeat("y", 30), "z|left|z", strings.Repeat("y", 29) + "|y"},
		{strings.Repeat("y", 21), "left|backspace|backspace|z|z", strings.Repeat("y", 18) + "z|y"},
		{"a\tb\x01", "left|left|c", "a\tc|b\x01"},
		{"ali\u200d", "backspace", "ali|"},
		{"👩‍👩‍👧", "left|x", "👩\u200d👩\u200dx|👧"},
	} {
		l := newLineInput(c.value, 20)
		for k := range strings.SplitSeq(c.keys, "|") {
			l.handle(lineKey(k), start)
		}
		before, after := l.parts()
		if got := before + "|" + after; got != c.want || l.value() != before+after {
			t.Errorf("%q, %s: %q, want %q", c.value, c.keys, got, c.want)
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
	l.handle(lineKey("paste:"+canaryHMAC[:40]), start)
	l.handle(lineKey("left"), start)
	l.handle(lineKey("backspace"), start)
	l.set("")
	l.handle(lineKey("paste:"+canaryHMAC[:50]), start)
	l.handle(lineKey("ctrl+u"), start)
	for i, r := range room {
		if r != 0 {
			t.Fatalf("character %d is still there", i)
		}
	}
	if &l.text[:1][0] != &room[0] {
		t.Error("the text has moved")
	}
}

// An HMAC is recognised wherever the cursor is and in however many pieces it
// comes, and nothing of its rest is taken. What a person types later is.
func TestLineInputRefusesAnHMAC(t *testing.T) {
	for _, size := range []int{11, 30, 50, 88} {
		for _, keys := range []string{"", "home", "home|right", "left"} {
			l := newLineInput("because of it", 500)
			for k := range strings.SplitSeq(keys, "|") {
				l.handle(lineKey(k), start)
			}
			now, refused := start, false
			for rest := canaryHMAC; rest != ""; {
				n := min(size, len(rest))
				refused = l.handle(lineKey("paste:"+rest[:n]), now) || refused
				rest, now = rest[n:], now.Add(100*time.Millisecond)
			}
			if !refused || l.value() != "" {
				t.Errorf("pieces of %d after %q: refused %v, %d characters are left", size, keys, refused, len(l.value()))
			}
			if l.handle(lineKey("x"), now.Add(time.Second)) || l.value() != "x" {
				t.Errorf("a key afterwards: %q", l.value())
			}
		}
	}
}

// FuzzLineInput: whatever keys come, the cursor is in the text, and what is
// typed is valid, on one line and no more than allowed.
func FuzzLineInput(f *testing.F) {
	f.Add("one two", "left|x|ctrl+w|paste:a\nb|alt+d")
	f.Add("e\u0301👩‍🚀", "left|delete|ctrl+left|backspace|home|right|right")
	f.Add("\xff\x00", "ctrl+k|ctrl+u|ctrl+right|x")
	f.Fuzz(func(t *testing.T, value, keys string) {
		const odd = "\n\r\t\x1b\x00\ufffd"
		l := newLineInput(value, 12)
		for k := range strings.SplitSeq(keys, "|") {
			had, key := l.text, lineKey(k)
			was := len(had)
			l.handle(key, start)
			before, after := l.parts()
			if before+after != l.value() || l.at < 0 || l.at > len(l.text) || len(l.text) > max(12, was) {
				t.Fatalf("%q, cursor at %d", l.text, l.at)
			}
			if strings.ContainsAny(l.value(), odd) && !strings.ContainsAny(string([]rune(value)), odd) {
				t.Fatalf("%q", l.value())
			}
			if key.Type != tea.KeyRunes && key.Type != tea.KeySpace && len(l.text) > was {
				t.Fatalf("%s made %q", k, l.value())
			}
		}
	})
}
