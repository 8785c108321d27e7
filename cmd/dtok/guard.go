package main

import (
	tea "github.com/charmbracelet/bubbletea"

	"dtok/ui"
)

// guard keeps a panic in the screens from reaching Bubble Tea, which would
// print the panic's value and, for a command, print it inside the alternate
// screen, where it is lost. Instead the program ends, the terminal is restored,
// and the crash tells why.
//
// It also hands the views to the painter: Bubble Tea itself draws nothing.
type guard struct {
	screen  tea.Model
	painter *ui.Painter // nil where Bubble Tea draws (Windows, tests)
	console *console
	anew    bool // the next view is for another size
	crash   *crash
	// kill ends the program without waiting for it.
	kill func()
}

// crashed brings a panic of a command to Update.
type crashed struct{ crash *crash }

func (g *guard) Init() tea.Cmd {
	defer g.catch()
	return g.safely(g.screen.Init())
}

func (g *guard) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	model = g // also after a panic
	defer g.catch()
	if c, ok := msg.(crashed); ok {
		g.fail(c.crash)
	}
	if g.crash != nil {
		return g, nil
	}
	switch msg.(type) {
	case tea.ResumeMsg:
		g.console.take()
	case tea.WindowSizeMsg:
		g.anew = true
	}
	g.screen, cmd = g.screen.Update(msg)
	return g, g.safely(cmd)
}

func (g *guard) View() string {
	defer g.catch()
	if g.crash != nil {
		return ""
	}
	view := g.screen.View()
	if g.painter == nil {
		return ui.WithoutCaret(view)
	}
	g.painter.Show(view, g.anew)
	g.anew = false
	return ""
}

func (g *guard) fail(c *crash) {
	if g.crash == nil {
		g.crash = c
	}
	g.kill()
}

// catch is deferred by the methods that call the screen.
func (g *guard) catch() {
	if r := recover(); r != nil {
		g.fail(newCrash(r))
	}
}

// safely runs a command so that its panic becomes a message. The commands of a
// batch are run by Bubble Tea each on its own, so each is wrapped. Before the
// message that suspends dtok is delivered, the terminal is given back.
func (g *guard) safely(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = crashed{newCrash(r)}
			}
		}()
		msg = cmd()
		switch msg := msg.(type) {
		case tea.BatchMsg:
			for i := range msg {
				msg[i] = g.safely(msg[i])
			}
		case tea.SuspendMsg:
			g.console.giveBack()
		}
		return msg
	}
}
