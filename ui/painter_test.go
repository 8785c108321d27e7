package ui

import (
	"bytes"
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
	p.Show(view)
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
	p.Show("日本語 wide\nb\nC\nd\ne") // the same again sends nothing
	if !p.Stop(time.Minute) {
		t.Error("the painter did not stop")
	}
	if got := s.text(); !strings.HasSuffix(got, leaveScreen) || strings.Count(got, "\x1b[2J") != 1 {
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
	p.Show("a\nc") // while suspended
	p.Start()
	<-s.wrote
	for s.shows() != "a\nc" {
		<-s.wrote
	}
	p.Repaint()
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
		p.Show(strings.Repeat("x", i))
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
