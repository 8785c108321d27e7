package ui

import (
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Painter puts views on a terminal. It stands in for Bubble Tea's own
// renderer, which wakes up for every possible frame, also when nothing has
// changed (1 % of a processor at 120 frames a second, measured), waits for its
// clock before it draws, and holds a lock that Bubble Tea's event loop needs
// while a terminal takes no more bytes.
//
// A Painter sleeps until it is given a view, draws at once when the last frame
// is long enough ago, and writes only the lines that have changed. A terminal
// that takes no bytes stops the Painter and nobody else.
type Painter struct {
	out   io.Writer
	pause time.Duration
	wake  chan struct{}
	quit  chan struct{}
	done  chan struct{}

	mu    sync.Mutex
	next  string
	fresh bool // next is newer than the screen
	whole bool // the whole screen is to be drawn anew

	lines []string // on the screen; only the painting goroutine uses it
	// reader: lines are drawn whole, and the cursor is shown where the view wants
	// it.
	reader bool
}

// Frames is how many frames a second a Painter draws at most.
const Frames = 120

// The sequences around the screens: the alternate screen, bracketed paste, and
// no cursor, but for readers; and all of it back. The alternate screen is wiped first: terminals keep
// it, a card's HMAC and all, and show it again to whoever asks (mode 47).
const (
	enterScreen = "\x1b[?1049h\x1b[?2004h"
	noCursor    = "\x1b[?25l"
	leaveScreen = "\x1b[0m\x1b[2J\x1b[?2004l\x1b[?25h\x1b[?1049l"
)

// NewPainter paints on out, such as a TerminalOutput, once it is started.
func NewPainter(out io.Writer) *Painter {
	return &Painter{out: out, pause: time.Second / Frames, wake: make(chan struct{}, 1)}
}

// NewReaderPainter paints for a screen reader: a line that has changed is drawn
// whole, so that it is read whole, and the cursor stands where the view marks it.
func NewReaderPainter(out io.Writer) *Painter {
	p := NewPainter(out)
	p.reader = true
	return p
}

// Start enters the alternate screen and begins to paint.
func (p *Painter) Start() {
	p.quit, p.done = make(chan struct{}), make(chan struct{})
	p.mu.Lock()
	p.whole, p.fresh = true, p.next != ""
	p.mu.Unlock()
	go p.paint(p.quit, p.done)
	p.nudge()
}

// Stop draws what is still to be drawn and leaves the alternate screen. It
// does not wait longer than limit for a terminal that takes no bytes, and then
// reports false: what is left of the screen is for the caller to clean up.
func (p *Painter) Stop(limit time.Duration) bool {
	if p.quit == nil {
		return true
	}
	close(p.quit)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.done:
		p.quit = nil
		return true
	case <-timer.C:
		return false
	}
}

// Show gives the Painter the newest view. It never waits. With anew the whole
// screen is drawn: after a resize, when terminals have moved what was there.
func (p *Painter) Show(view string, anew bool) {
	p.mu.Lock()
	changed := anew || view != p.next
	p.next, p.fresh, p.whole = view, p.fresh || changed, p.whole || anew
	p.mu.Unlock()
	if changed {
		p.nudge()
	}
}

func (p *Painter) nudge() {
	select {
	case p.wake <- struct{}{}:
	default: // one is waiting already
	}
}

func (p *Painter) paint(quit <-chan struct{}, done chan<- struct{}) {
	defer close(done)
	if p.reader {
		p.write(enterScreen)
	} else {
		p.write(enterScreen + noCursor)
	}
	for {
		select {
		case <-quit:
			p.frame()
			p.write(leaveScreen)
			return
		case <-p.wake:
		}
		p.frame()
		select {
		case <-quit:
		case <-time.After(p.pause):
		}
	}
}

// frame draws the newest view, if the screen does not show it yet.
func (p *Painter) frame() {
	p.mu.Lock()
	view, fresh, whole := p.next, p.fresh, p.whole
	if fresh {
		p.fresh, p.whole = false, false
	}
	p.mu.Unlock()
	if !fresh {
		return
	}
	lines := strings.Split(view, "\n")
	row, column, marked := takeCaret(lines)
	var b strings.Builder
	if whole {
		b.WriteString("\x1b[2J")
		p.lines = nil
	}
	for i := range max(len(lines), len(p.lines)) {
		now, before := "", ""
		if i < len(lines) {
			now = lines[i]
		}
		if i < len(p.lines) {
			before = p.lines[i]
		}
		if now == before && !whole {
			continue
		}
		if now == "" && whole {
			continue
		}
		if whole {
			before = ""
		}
		if p.reader {
			writeLine(&b, i, now, before != "")
			continue
		}
		from, column, style := sharedStart(before, now)
		to := len(now) - sharedEnd(before[from:], now[from:], style)
		b.WriteString("\x1b[" + strconv.Itoa(i+1) + ";" + strconv.Itoa(column+1) + "H")
		b.WriteString(style)
		b.WriteString(now[from:to])
		if to < len(now) {
			if styleFrom(style, now[from:to]) != "" {
				b.WriteString("\x1b[0m")
			}
			continue
		}
		// Only behind a line that became shorter: after one that fills the
		// window the cursor still stands on its last cell.
		if !whole && textWidth(now) < textWidth(before) {
			b.WriteString("\x1b[K")
		}
	}
	p.lines = lines
	if marked {
		b.WriteString("\x1b[" + strconv.Itoa(row) + ";" + strconv.Itoa(column) + "H")
	}
	p.write(b.String())
}

// writeLine draws a line whole. It is erased before it is drawn: after one that
// fills the window the cursor still stands on its last cell.
func writeLine(b *strings.Builder, at int, line string, erase bool) {
	b.WriteString("\x1b[" + strconv.Itoa(at+1) + ";1H")
	if erase {
		b.WriteString("\x1b[K")
	}
	b.WriteString(line)
}

// write ignores a terminal that is gone: its input ends as well, and that ends
// the program.
func (p *Painter) write(s string) {
	if s != "" {
		_, _ = io.WriteString(p.out, s)
	}
}
