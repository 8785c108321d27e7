package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/vt"
)

func forReader(o *Options) { o.Accessible = true }

// at is the line of the screen on which the terminal's cursor stands, and what
// is on it from there on.
func (d *driver) at() (line, rest string) {
	d.t.Helper()
	lines := strings.Split(d.m.View(), "\n")
	row, column, found := takeCaret(lines)
	if !found {
		d.t.Fatalf("the cursor stands nowhere:\n%s", d.screen())
	}
	line = lines[row-1]
	if column > textWidth(line) {
		return line, ""
	}
	return line, line[column-1:] // ASCII in these tests
}

// TestAccessible shows the main screens and where the cursor stands on them.
func TestAccessible(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		line string // what the cursor's line holds
		rest string // what stands right of the cursor
	}{
		{"users", []string{"j"}, "> alice", "> alice"},
		{"all-tokens", []string{"t", "j"}, "> tok-alice-000000000002", "> tok-alice-000000000002"},
		{"tokens", []string{"j", "enter", "j", "j"}, "> tok-alice-000000000003", "> tok-alice-000000000003"},
		{"rules", []string{"j", "enter", "2", "j"}, "> Topic orders", "> Topic orders"},
		{"quotas", []string{"j", "enter", "3"}, "> 1 ", "> 1 "},
		{"trail", []string{"A"}, "> none", "> none"},
		{"create", []string{"j", "enter", "c", "b", "o"}, " > Renewers                  bo", ""},
		{"create-button", []string{"j", "enter", "c", "tab", "tab"}, " > Create button", "> Create button"},
		{"grant", []string{"j", "enter", "2", "g", "tab"}, " > Rights     CreateTokens, 1 of 3", "> Rights"},
		{"filter", []string{"/", "a", "l"}, "/al", ""},
		{"details", []string{"j", "enter", "enter"}, "Token tok-alice-000000000001", "Token tok-alice"},
		{"card", []string{"j", "enter", "c", "tab", "tab", "enter"}, "Delegation token created for alice", "Delegation"},
		{"copied", []string{"j", "enter", "y"}, "> tok-alice-000000000001", "> tok"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, none := trailRows(), error(nil)
			d := newDriver(t, 80, 24, forReader, withTrail(&rows, &none))
			d.keys(c.keys...)
			line, rest := d.at()
			if !strings.Contains(line, c.line) || !strings.HasPrefix(rest, c.rest) || c.rest == "" && rest != "" {
				t.Errorf("the cursor stands at %q in %q", rest, line)
			}
			d.golden("accessible-" + c.name + "-80x24")
		})
	}
}

// TestAccessible_noSigns: on no screen, in no window, is there anything that is
// only drawn, and always the cursor has a place.
func TestAccessible_noSigns(t *testing.T) {
	for name, keys := range map[string][]string{
		"users": nil, "page": {"j", "enter"}, "rules": {"j", "enter", "2"}, "quotas": {"j", "enter", "3"}, "all": {"t"},
		"sorted": {"s", "S"}, "renew": {"j", "enter", "w"}, "expire": {"j", "enter", "x"}, "open": {"o"},
		"trail": {"A"}, "details": {"t", "enter", "enter"},
	} {
		for _, size := range [][2]int{{80, 24}, {200, 50}, {40, 10}} {
			rows, none := trailRows(), error(nil)
			d := newDriver(t, size[0], size[1], forReader, withTrail(&rows, &none))
			d.keys(keys...)
			for _, r := range d.screen() {
				if unicode.Is(unicode.So, r) || unicode.Is(unicode.Sm, r) && r > unicode.MaxASCII || r == '–' || r >= 0x2500 && r < 0x2600 {
					t.Errorf("%s at %v has %q:\n%s", name, size, r, d.screen())
					break
				}
			}
			d.at()
		}
	}
}

// TestAccessible_still: nothing moves by itself, and a key changes no time.
func TestAccessible_still(t *testing.T) {
	d := newDriver(t, 80, 24, forReader)
	d.keys("j", "enter")
	before := d.screen()
	if len(d.timers) > 0 {
		t.Errorf("%d timers run", len(d.timers))
	}
	d.sees("in 39m")
	d.advance(10 * time.Minute)
	d.keys("j", "k")
	if d.screen() != before {
		t.Errorf("changed from\n%s\nto\n%s", before, d.screen())
	}
	d.keys("r")
	d.sees("in 29m")
}

// TestAccessible_messages: the same message again differs, and stays.
func TestAccessible_messages(t *testing.T) {
	d := newDriver(t, 80, 24, forReader)
	d.keys("j", "enter")
	for n := 1; n <= 2; n++ {
		d.keys("y")
		d.sees(fmt.Sprintf("message %d, done: token ID: copied to the clipboard of this machine", n))
		d.advance(time.Hour)
		d.sees(fmt.Sprintf("message %d, done", n))
	}
	d.keys("j")
	d.lacks("message")
}

// TestReaderPainter: lines come whole, and the cursor stands at the mark.
func TestReaderPainter(t *testing.T) {
	s := newScreen()
	p := NewReaderPainter(s)
	p.pause = 0
	p.Start()
	<-s.wrote
	if strings.Contains(s.text(), noCursor) {
		t.Error("the cursor is hidden")
	}
	for _, c := range []struct {
		view, shows, sent string
		x, y              int
	}{
		{"one\n" + caretHere + "> two\n  three", "one\n> two\n  three", "", 0, 1},
		{"one\n  two\n" + caretHere + "> three", "one\n  two\n> three", "\x1b[2;1H\x1b[K  two\x1b[3;1H\x1b[K> three\x1b[3;1H", 0, 2},
		{"one\n  two\n" + caretHere + "> three " + caretHere, "one\n  two\n> three", "\x1b[3;1H\x1b[K> three \x1b[3;9H", 8, 2},
		{"on" + caretHere + "e\n  two\n" + caretHere + "> three ", "one\n  two\n> three", "\x1b[1;3H", 2, 0},
		{strings.Repeat("x", 20) + "\n" + caretHere + "y", strings.Repeat("x", 20) + "\ny", "", 0, 1},
		{strings.Repeat("z", 20) + "\n" + caretHere + "y", strings.Repeat("z", 20) + "\ny", "", 0, 1},
	} {
		before := len(s.text())
		painted(t, p, s, c.view)
		if sent := s.text()[before:]; c.sent != "" && sent != c.sent || strings.Contains(sent, "caret") {
			t.Errorf("sent %q, want %q", sent, c.sent)
		}
		if got := s.shows(); got != c.shows {
			t.Errorf("shows %q, want %q", got, c.shows)
		}
		term := vt.NewEmulator(20, 5)
		_, _ = term.WriteString(s.text())
		if at := term.CursorPosition(); at.X != c.x || at.Y != c.y {
			t.Errorf("the cursor is at %v, want %d,%d", at, c.x, c.y)
		}
	}
	p.Stop(time.Minute)
}
