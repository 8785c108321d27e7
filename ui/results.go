package ui

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// The results of changes. They are taken whatever screen is open by now.

func (m *Model) created(msg createdMsg) tea.Cmd {
	d := m.finish()
	if msg.err != nil {
		if isUnknown(msg.err) {
			m.rememberLost(msg.req.Owner)
		}
		return m.failed(msg.err, d)
	}
	t := msg.created.Token
	m.card = &card{token: t, hmac: msg.created.HMAC, capped: msg.created.Capped, asked: msg.req.MaxLifetime}
	m.over, m.dialog, m.trail = nil, nil, nil
	if m.open == nil || !m.open.forAll() && m.open.owner != t.Owner {
		m.showTokens(t.Owner)
	}
	m.tab, m.at = onTokens, onTokens
	return tea.Batch(m.changed(wasCreated, t, t.Expires))
}

func (m *Model) renewed(msg renewedMsg) tea.Cmd {
	d := m.finish()
	if msg.err != nil {
		return m.failed(msg.err, d)
	}
	t := msg.renewed.Token
	text := "token " + safeText(t.ID) + " renewed: expires " + m.stamp(t.Expires) + ", was " + m.stamp(msg.renewed.Before)
	kind := statusDone
	if msg.renewed.Capped {
		kind, text = statusWarn, text+"; the cluster gives less than was asked for"
	}
	if t.Expires.Before(msg.renewed.Before) {
		kind, text = statusWarn, text+"; that is earlier than before"
	}
	return tea.Batch(m.setStatus(kind, text), m.changed(wasRenewed, t, msg.renewed.Before))
}

func (m *Model) expired(msg expiredMsg) tea.Cmd {
	d := m.finish()
	if msg.err != nil {
		return m.failed(msg.err, d)
	}
	t := msg.expired.Token
	text := "token " + safeText(t.ID) + " expired at " + m.stamp(msg.expired.At) + "; it would have lived until " + m.stamp(msg.expired.Before)
	if !msg.expired.Before.After(msg.expired.At) {
		text = "token " + safeText(t.ID) + " is removed; it had expired already, at " + m.stamp(msg.expired.Before)
	}
	return tea.Batch(m.setStatus(statusDone, text), m.changed(wasExpired, t, msg.expired.Before))
}

// failed says why a change did not happen, or that nobody knows whether it
// did. A refused dialog comes back, without its HMAC.
func (m *Model) failed(err error, d dialog) tea.Cmd {
	if isUnknown(err) {
		return tea.Batch(m.setError(err), m.refreshSoon())
	}
	if d != nil && m.dialog == nil && m.card == nil && !errors.Is(err, context.Canceled) {
		d.setProblem(sentence(err))
		m.dialog = d
		return nil
	}
	var wrong *kafka.WrongOwnerError
	if errors.As(err, &wrong) {
		return tea.Batch(m.setError(err), m.refreshSoon())
	}
	if errors.Is(err, context.Canceled) {
		return m.setStatus(statusInfo, "cancelled before anything was sent")
	}
	return m.setError(err)
}

func isUnknown(err error) bool {
	var u *kafka.UnknownOutcomeError
	return errors.As(err, &u)
}

// rememberLost notes which tokens are known, so that one that appears after a
// creation without an answer can be marked.
func (m *Model) rememberLost(owner kafka.Principal) {
	known := make(map[string]bool)
	for _, p := range []*tokensPane{&m.all, &m.page} {
		for i := range p.tokens {
			if p.tokens[i].Owner == owner {
				known[p.tokens[i].ID] = true
			}
		}
	}
	m.lost = &lostCreation{owner: owner, known: known}
}

func (m *Model) signedIn(msg signedInMsg) tea.Cmd {
	d := m.finish()
	if msg.err != nil {
		return m.failed(msg.err, d)
	}
	text := fmt.Sprintf("sign-in works: token %s with %s, as %s", safeText(msg.token.ID), msg.signIn.Mechanism,
		safeText(msg.token.Owner.String()))
	if msg.signIn.Lifetime > 0 {
		text += ", for " + hoursText(roughly(msg.signIn.Lifetime))
	}
	return m.setStatus(statusDone, text)
}

func (m *Model) copied(msg copiedMsg) tea.Cmd {
	switch {
	case msg.err != nil && msg.asked != nil:
		return m.notWritten(msg)
	case msg.err != nil:
		return m.setStatus(statusError, "not copied: "+safeText(msg.err.Error()))
	}
	if msg.token != "" && m.card != nil && m.card.token.ID == msg.token {
		m.card.copied = true
	}
	text, cmd := msg.what+": "+msg.copied.Note, tea.Cmd(nil)
	if t := msg.copied.Trace; t != nil {
		text, cmd = text+m.clearingText(t), m.hold(msg.token, *t)
	}
	return tea.Batch(m.setStatus(statusDone, safeText(text)), cmd)
}
