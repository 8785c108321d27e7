package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// Environment is a cluster and how to reach it.
type Environment struct {
	// Name is shown in the header and recorded in the audit trail.
	Name string
	// Colour is its ANSI colour, "0" to "15"; "" for none.
	Colour string
	// Protocol, Mechanism and User are what its settings say, for the list of
	// environments; the session tells what came of them.
	Protocol, Mechanism, User string
	// ReadOnly is why it allows no changes; "" when it does.
	ReadOnly string
	// ClipboardClear is how long after a copy an HMAC is taken off the clipboard
	// if it is still there; 0 for never.
	ClipboardClear time.Duration
	// Password asks for a password before the first connection and is what for,
	// such as "password of ops"; "" when none is needed.
	Password string
	// Connect dials and signs in, once per call, with the password that was
	// asked for; nil where none was.
	Connect func(ctx context.Context, password *kafka.Secret) (Broker, error)
	// Check walks the connection step by step, with one sign-in, and returns a
	// line for each step; nil where that cannot be done.
	Check func(ctx context.Context, password *kafka.Secret) ([]string, error)
	// Trail reads its audit trail; nil without one.
	Trail func(context.Context) (TrailList, error)
	// TrailMark is a short text that is another one once the trail has changed,
	// cheap to get; with nil the open trail is not followed.
	TrailMark func() string
}

// environments are those one can switch to, and the present one.
type environments struct {
	all []Environment
	now int
	// passwords are those that were asked for, by place in all; kept while the
	// program runs.
	passwords map[int]*kafka.Secret
}

func (e *environments) current() Environment { return e.all[e.now] }

// switchTo leaves the cluster and opens another. Nothing of the old one is
// carried over: its connection is closed, and its late answers are dropped,
// because their request ids are no longer awaited.
func (m *Model) switchTo(at int) tea.Cmd {
	if m.conn.cancel != nil {
		m.conn.cancel()
	}
	for _, r := range []*reading{&m.users.reading, &m.all.reading, &m.page.reading, &m.rules.reading, &m.quotas.reading} {
		if r.cancel != nil {
			r.cancel()
		}
	}
	m.wipe()
	if m.broker != nil {
		m.broker.Close()
	}
	fresh := New(*m.opts)
	fresh.envs, fresh.envs.now = m.envs, at
	fresh.th = newTheme(m.opts.Renderer, fresh.envs.current().Colour, m.opts.signs())
	fresh.width, fresh.height = m.width, m.height
	fresh.lastReq = m.lastReq
	fresh.held = m.held // the clipboard is the person's and not the cluster's
	fresh.refresh.tag, fresh.clock.tag, fresh.status.tag = m.refresh.tag+1, m.clock.tag+1, m.status.tag+1
	fresh.status.number = m.status.number
	*m = *fresh
	return m.dial()
}

// askEnvironment opens the list of environments.
func (m *Model) askEnvironment() tea.Cmd {
	if len(m.envs.all) < 2 {
		return m.setStatus(statusInfo, "there is only this environment; the configuration file names more")
	}
	m.dialog = &environmentDialog{cursor: m.envs.now, count: len(m.envs.all)}
	return nil
}
