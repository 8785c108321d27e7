package ui

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
)

// screenOf is a terminal that a Painter paints on, and what came to it.
type screenOf struct {
	mu    sync.Mutex
	bytes bytes.Buffer
	wrote chan struct{}
}

func newScreen() *screenOf { return &screenOf{wrote: make(chan struct{}, 1000)} }

func (s *screenOf) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes.Write(p)
	s.wrote <- struct{}{}
	return len(p), nil
}

func (s *screenOf) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes.String()
}

// shows interprets the bytes as a terminal does.
func (s *screenOf) shows() string {
	term := vt.NewEmulator(20, 5)
	_, _ = term.WriteString(s.text())
	lines := strings.Split(term.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// painted shows a view and waits until it is written.
func painted(t *testing.T, p *Painter, s *screenOf, view string) {
	t.Helper()
	p.Show(view, false)
	<-s.wrote
}

func TestPainter(t *testing.T) {
	s := newScreen()
	p := NewPainter(s)
	p.pause = 0
	p.Start()
	<-s.wrote // the alternate screen
	for _, view := range []string{
		"one\ntwo\nthree", "one\n2\nthree", "one", "", strings.Repeat("x", 20) + "\nlast", strings.Repeat("y", 20) + "\nl",
		"日本語 wide\nb\nc\nd\ne",
	} {
		painted(t, p, s, view)
		if got := s.shows(); got != strings.TrimRight(view, "\n") {
			t.Errorf("showed %q, the terminal has %q", view, got)
		}
	}
	before := len(s.text())
	painted(t, p, s, "日本語 wide\nb\nC\nd\ne")
	if got := s.text()[before:]; got != "\x1b[3;1HC" {
		t.Errorf("one changed character was sent as %q", got)
	}
	p.Show("日本語 wide\nb\nC\nd\ne", false) // the same again sends nothing
	if !p.Stop(time.Minute) {
		t.Error("the painter did not stop")
	}
	if got := s.text(); !strings.HasSuffix(got, leaveScreen) || strings.Count(got, "\x1b[2J") != 2 { // at the first frame and at the end
		t.Errorf("ended with %q", got)
	}
}

// After a stop and a start, and after a resize, everything is drawn anew.
func TestPainter_again(t *testing.T) {
	s := newScreen()
	p := NewPainter(s)
	p.pause = 0
	p.Start()
	<-s.wrote
	painted(t, p, s, "a\nb")
	p.Stop(time.Minute)
	p.Show("a\nc", false) // while suspended
	p.Start()
	<-s.wrote
	for s.shows() != "a\nc" {
		<-s.wrote
	}
	p.Show("a\nc", true)
	for strings.Count(s.text(), "\x1b[2J") < 3 { // once for each start, and once more
		<-s.wrote
	}
	p.Stop(time.Minute)
}

// A terminal that takes no bytes keeps nobody waiting.
func TestPainter_stalled(t *testing.T) {
	block := make(chan struct{})
	p := NewPainter(stalled{block})
	p.Start()
	for i := range 1000 {
		p.Show(strings.Repeat("x", i), false)
	}
	if p.Stop(time.Millisecond) {
		t.Error("a stalled painter said that it stopped")
	}
	close(block)
}

type stalled struct{ until chan struct{} }

func (s stalled) Write(p []byte) (int, error) {
	<-s.until
	return len(p), nil
}

func TestSharedStart(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		bytes int
		cells int
		style string
	}{
		{"", "", 0, 0, ""},
		{"same", "same but longer", 4, 4, ""},
		{"one two", "one six", 4, 4, ""},
		{"\x1b[1mbold\x1b[0m a", "\x1b[1mbold\x1b[0m b", 13, 5, ""},
		{"\x1b[1mbold", "\x1b[1mbond", 6, 2, "\x1b[1m"},
		{"\x1b[1m\x1b[7mxy", "\x1b[1m\x1b[7mxz", 9, 1, "\x1b[1m\x1b[7m"},
		{"ab\x1b[1mc", "ab\x1b[2mc", 2, 2, ""},
		{"ab\x1b[7mc", "abc", 2, 2, ""},
		{"left │ a", "left │ b", 4, 4, ""}, // what follows may stand anywhere
		{"日本 a", "日本 b", 0, 0, ""},
		{"cafe", "cafe\u0301", 3, 3, ""}, // the accent belongs to the e
	} {
		bytes, cells, style := sharedStart(c.a, c.b)
		if bytes != c.bytes || cells != c.cells || style != c.style {
			t.Errorf("%q and %q share %d bytes, %d cells, style %q; want %d, %d, %q",
				c.a, c.b, bytes, cells, style, c.bytes, c.cells, c.style)
		}
	}
}

// TestPainter_differences paints random views one after the other: each time
// the terminal must show what it would if the view were drawn on an empty one.
func TestPainter_differences(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	parts := []string{"a", "b", "cd", " ", "│", "…", "日", "e\u0301", "\x1b[1mX\x1b[0m", "\x1b[7m y \x1b[0m", "\x1b[1m\x1b[31mz\x1b[0mq"}
	terminal := vt.NewEmulator(20, 4)
	p := NewPainter(terminal)
	lines := []string{"", "", ""}
	last := ""
	line := func(most int) (text string) {
		for range dice.IntN(most) {
			text += parts[dice.IntN(len(parts))]
		}
		return text
	}
	for range 2000 {
		at := dice.IntN(len(lines))
		switch end := line(4); dice.IntN(3) {
		case 0: // another line
			lines[at] = line(6)
		case 1: // two lines that begin and end alike
			lines[at] = line(3) + end
		case 2:
			lines[(at+1)%len(lines)] = line(2) + lines[at]
			lines[at] = line(2) + end
		}
		for i := range lines {
			if textWidth(lines[i]) > 18 {
				lines[i] = ""
			}
		}
		view := strings.Join(lines, "\n")
		p.Show(view, false)
		p.frame()
		empty := vt.NewEmulator(20, 4)
		_, _ = empty.WriteString(strings.ReplaceAll(view, "\n", "\r\n"))
		if got, want := terminal.Render(), empty.Render(); got != want {
			t.Fatalf("from %q to %q the terminal shows %q, want %q", last, view, got, want)
		}
		last = view
	}
}

func TestSharedEnd(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want string
	}{
		{"", "", ""},
		{"> one │ two", "  one │ two", " one │ two"},
		{"\x1b[7m> one\x1b[0m │ two", "  one │ two", " │ two"},
		{"\x1b[7m> o…\x1b[0m │ two", "  o… │ two", " │ two"},
		{"one │ two", "three │ two", ""},          // stands elsewhere
		{"日 │ two", "ab │ two", ""},               // perhaps elsewhere
		{"\x1b[1mx two", "y two", ""},             // another style
		{"xe\u0301 a", "ye\u0301 a", "e\u0301 a"}, // the accent stays with its letter
		{"e\u0301 a", "o\u0301 a", ""},
	} {
		if got := c.b[len(c.b)-sharedEnd(c.a, c.b, ""):]; got != c.want {
			t.Errorf("%q and %q share %q at their end, want %q", c.a, c.b, got, c.want)
		}
	}
}
