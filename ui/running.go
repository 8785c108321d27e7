package ui

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// running is a change, or a test sign-in, whose result has not come yet.
type running struct {
	what     string
	changes  bool // false for a test sign-in
	started  time.Time
	progress *kafka.Progress
	phase    kafka.Phase // as of the last tick: views read only the model
	cancel   context.CancelFunc
	// dialog is opened again with the reason when the broker refuses.
	dialog dialog
	// warned is set once esc or ctrl+c has said what giving up means.
	warned bool
}

// lines says what is going on and for how long.
func (r *running) lines(m *Model, width int) []string {
	seconds := int(m.now.Sub(r.started) / time.Second)
	state := "asking the cluster"
	switch {
	case !r.changes:
		state = "signing in"
	case r.phase == kafka.PhaseChecking:
		state = "checking; nothing has been sent yet"
	case r.phase == kafka.PhaseWaiting:
		state = "waiting for the brokers to learn of it"
	case seconds >= 10:
		state = "sent; a broker without a controller answers after 60 s"
	}
	lines := []string{m.th.title.Render(safeText(r.what)), "", fmt.Sprintf("%s … %d s", state, seconds)}
	if m.th.sign.spoken {
		lines[2] = state
	}
	if r.warned {
		lines = append(lines, warnLines(m.th, width, "The change is on its way. esc again stops waiting: whether it "+
			"happened is then unknown, and recorded so.")...)
	}
	return lines
}

// risky reports whether giving up now leaves the outcome open.
func (r *running) risky() bool { return r.changes && r.progress.Phase() == kafka.PhaseSent }

// giveUp takes esc and ctrl+c while a change runs. What was sent needs a
// second press; the result still arrives and is shown.
func (m *Model) giveUp() {
	r := m.running
	if r.risky() && !r.warned {
		r.warned = true
		return
	}
	r.cancel()
}

// start runs a change and shows its progress instead of the dialog.
func (m *Model) start(r running, cmd func(context.Context) tea.Cmd) tea.Cmd {
	ctx, cancel := context.WithCancel(m.opts.Context)
	r.started, r.cancel = m.now, cancel
	m.running, m.dialog = &r, nil
	m.clearStatus()
	return cmd(ctx)
}

// finish ends the running change and gives its dialog back.
func (m *Model) finish() dialog {
	if m.running == nil {
		return nil
	}
	d := m.running.dialog
	m.running.cancel()
	m.running = nil
	return d
}
