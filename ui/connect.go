package ui

import (
	"context"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// dial connects, or connects again.
func (m *Model) dial() tea.Cmd {
	if m.conn.cancel != nil {
		return nil
	}
	env, password := m.envs.current(), m.envs.passwords[m.envs.now]
	if m.asksPassword(m.dial) {
		return nil
	}
	m.lastReq++
	ctx, cancel := context.WithCancel(m.opts.Context)
	m.conn = connection{req: m.lastReq, cancel: cancel}
	return connect(ctx, env, password, m.conn.req)
}

// asksPassword opens the dialog where the environment wants a password that is
// not known yet, and has then called with it.
func (m *Model) asksPassword(then func() tea.Cmd) bool {
	env := m.envs.current()
	if env.Password == "" || m.envs.passwords[m.envs.now] != nil {
		return false
	}
	d := newPasswordDialog(env.Password)
	d.then = then
	m.dialog = d
	return true
}

func (m *Model) connected(msg connectedMsg) tea.Cmd {
	if msg.req != m.conn.req {
		if msg.broker != nil {
			msg.broker.Close()
		}
		return nil
	}
	m.conn.cancel()
	m.conn.cancel = nil
	m.conn.err = msg.err
	if errors.Is(msg.err, context.Canceled) {
		m.conn.err = nil // that was the person, who knows
		return nil
	}
	if msg.err != nil {
		m.forgetPassword(msg.err)
		return nil
	}
	m.broker = msg.broker
	if m.opts.User == "" {
		return m.reload()
	}
	who, err := kafka.ParseUser(m.opts.User)
	if err != nil {
		return tea.Batch(m.setStatus(statusError, "-u: "+err.Error()), m.reload())
	}
	return m.openTokens(who)
}

// diagnose walks the connection that failed.
func (m *Model) diagnose() tea.Cmd {
	env, password := m.envs.current(), m.envs.passwords[m.envs.now]
	if m.asksPassword(m.diagnose) {
		return nil
	}
	m.lastReq++
	ctx, cancel := context.WithCancel(m.opts.Context)
	m.conn = connection{req: m.lastReq, cancel: cancel, err: m.conn.err, checking: true}
	return diagnose(ctx, env, password, m.conn.req)
}

func (m *Model) diagnosed(msg diagnosedMsg) tea.Cmd {
	if msg.req != m.conn.req {
		return nil
	}
	m.conn.cancel()
	m.conn.cancel, m.conn.checking = nil, false
	if msg.err != nil {
		return m.setError(msg.err)
	}
	m.over = &textPage{title: "Diagnosis", body: func(_ *Model, width int) []string {
		var lines []string
		for _, l := range msg.lines {
			for part := range strings.SplitSeq(l, "\n") {
				lines = append(lines, wrapLast(safeText(part), width)...)
			}
		}
		return lines
	}}
	return nil
}

// forgetPassword drops a password that was asked for and refused, so that the
// next attempt asks again.
func (m *Model) forgetPassword(err error) {
	var refused *kafka.SignInError
	if errors.As(err, &refused) {
		m.envs.passwords[m.envs.now].Destroy()
		delete(m.envs.passwords, m.envs.now)
	}
}
