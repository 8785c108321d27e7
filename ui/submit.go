package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// submit sends what a dialog asks for.
func (m *Model) submit(d dialog) tea.Cmd {
	if o, ok := d.(*openDialog); ok {
		who, ok := o.principal()
		if !ok {
			return nil
		}
		m.dialog = nil
		return m.openTokens(who)
	}
	if s, ok := d.(*signInDialog); ok {
		hmac, ok := s.take()
		if !ok {
			return nil
		}
		return m.startSignIn(s.token, hmac, d)
	}
	if reason := m.changesOff(); reason != "" {
		d.wipe()
		d.setProblem(reason)
		return nil
	}
	b, opts := m.broker, m.opts
	switch d := d.(type) {
	case *createDialog:
		if req, ok := d.request(); ok {
			return m.start(running{what: "Creating a token for " + req.Owner.Label(), changes: true, dialog: d,
				progress: req.Progress}, func(ctx context.Context) tea.Cmd { return createToken(ctx, opts, b, req) })
		}
	case *renewDialog:
		if req, ok := d.request(); ok {
			return m.start(running{what: "Renewing token " + req.Token.ID, changes: true, dialog: d,
				progress: req.Progress}, func(ctx context.Context) tea.Cmd { return renewToken(ctx, b, req) })
		}
	case *expireDialog:
		if req, ok := d.request(); ok {
			return m.start(running{what: "Expiring token " + req.Token.ID, changes: true, dialog: d,
				progress: req.Progress}, func(ctx context.Context) tea.Cmd { return expireToken(ctx, b, req) })
		}
	}
	return nil
}

func (m *Model) startSignIn(token kafka.Token, hmac *kafka.Secret, d dialog) tea.Cmd {
	b := m.broker
	m.lastReq++
	req := m.lastReq
	return m.start(running{what: "Signing in with token " + token.ID, dialog: d},
		func(ctx context.Context) tea.Cmd { return testSignIn(ctx, b, req, token, hmac) })
}

func (m *Model) copyHMAC() tea.Cmd {
	var text []byte
	kafka.HMACText(m.card.hmac, func(b []byte) { text = append(text, b...) })
	return copyText(m.opts.Context, m.opts, "HMAC", text, true)
}

func (m *Model) copyConfig() tea.Cmd {
	var text []byte
	kafka.WorkerConfig(m.session(), m.card.token.ID, m.card.hmac, func(b []byte) { text = append(text, b...) })
	return copyText(m.opts.Context, m.opts, "client configuration", text, true)
}
