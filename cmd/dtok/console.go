package main

import (
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"

	"dtok/ui"
)

// leaving is how long the last frame may take at the end.
const leaving = 200 * time.Millisecond

// console is the terminal while the screens have it: raw, on its alternate
// screen, painted by a ui.Painter. A nil console is none.
type console struct {
	before  *term.State
	painter *ui.Painter // nil on Windows, where Bubble Tea draws
	stop    func()      // of the watch over the size
	resized func()      // tells the size again
}

// newConsole notes how the terminal was found. accessible is for a screen reader.
func newConsole(output *ui.TerminalOutput, accessible bool) (*console, error) {
	before, err := term.GetState(os.Stdin.Fd())
	if err != nil {
		return nil, err
	}
	c := &console{before: before}
	switch {
	case ownPainter && accessible:
		c.painter = ui.NewReaderPainter(output)
	case ownPainter:
		c.painter = ui.NewPainter(output)
	}
	return c, nil
}

// options tell Bubble Tea who draws.
func (c *console) options() []tea.ProgramOption {
	if c.painter == nil {
		return []tea.ProgramOption{tea.WithAltScreen()}
	}
	return []tea.ProgramOption{tea.WithoutRenderer()}
}

// open takes the terminal and tells send its size, now and when it changes.
// Bubble Tea does neither for a program that draws by itself.
func (c *console) open(send func(tea.Msg)) {
	if c.painter == nil {
		return
	}
	tell := func() {
		if width, height, err := term.GetSize(os.Stdout.Fd()); err == nil {
			send(tea.WindowSizeMsg{Width: width, Height: height})
		}
	}
	c.resized = func() { go tell() }
	c.stop = watchSize(tell)
	c.take()
}

// take makes the terminal raw and enters the alternate screen.
func (c *console) take() {
	if c == nil || c.painter == nil {
		return
	}
	_, _ = term.MakeRaw(os.Stdin.Fd())
	c.painter.Start()
	c.resized() // it may have changed meanwhile, and a first frame needs it
}

// giveBack leaves the alternate screen and restores the modes.
func (c *console) giveBack() {
	if c == nil || c.painter == nil {
		return
	}
	if !c.painter.Stop(leaving) {
		abandon(c.before)
		return
	}
	_ = term.Restore(os.Stdin.Fd(), c.before)
}

// close ends the watch and gives the terminal back.
func (c *console) close() {
	if c.stop != nil {
		c.stop()
	}
	c.giveBack()
}
