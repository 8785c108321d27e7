package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// submit does what a dialog asks for.
func (m *Model) submit(d dialog) tea.Cmd {
	switch d := d.(type) {
	case *openDialog:
		who, ok := d.principal()
		if !ok {
			return nil
		}
		m.dialog = nil
		return m.openTokens(who)
	case *environmentDialog:
		m.dialog = nil
		return m.switchTo(d.cursor)
	case *passwordDialog:
		password, ok := d.take()
		if !ok {
			return nil
		}
		m.envs.passwords[m.envs.now] = password
		m.dialog = nil
		return d.then()
	case *workerDialog:
		return m.submitWorker(d)
	case *signInDialog:
		hmac, ok := d.takeHMAC(d.hmac)
		if !ok {
			return nil
		}
		return m.startSignIn(d.token, hmac, d)
	}
	return m.submitChange(d)
}

// submitChange sends the change that a dialog asks for, where changes are on.
func (m *Model) submitChange(d dialog) tea.Cmd {
	off := m.changesOff
	if m.at == onRules || m.at == onQuotas {
		off = m.readOnly
	}
	if reason := off(); reason != "" {
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
	return m.submitPage(d)
}

// submitPage sends what a dialog of the ACL rules or quotas tab asks for.
func (m *Model) submitPage(d dialog) tea.Cmd {
	b := m.broker
	changeOf := func(what string, deletes bool, change kafka.RuleChange) tea.Cmd {
		return m.start(running{what: "Changing ACL rules", changes: true, dialog: d, progress: change.Progress},
			func(ctx context.Context) tea.Cmd { return changeRules(ctx, b, what, deletes, change) })
	}
	switch d := d.(type) {
	case *ruleDialog:
		if change, ok := d.request(); ok {
			return changeOf("added", false, change)
		}
	case *rightsDialog:
		change, ok := d.request()
		switch {
		case ok && d.revoke:
			return changeOf("revoked", true, change)
		case ok:
			return changeOf("granted", false, change)
		}
	case *confirmDialog:
		return m.submitConfirmed(d, changeOf)
	case *quotaDialog:
		if change, ok := d.request(); ok {
			return m.start(running{what: "Setting a quota", changes: true, dialog: d, progress: change.Progress},
				func(ctx context.Context) tea.Cmd { return changeQuota(ctx, b, false, change) })
		}
	}
	return nil
}

func (m *Model) submitConfirmed(d *confirmDialog, changeOf func(string, bool, kafka.RuleChange) tea.Cmd) tea.Cmd {
	b := m.broker
	reason, ok := d.given()
	progress := &kafka.Progress{}
	switch {
	case !ok:
		return nil
	case d.rule != nil:
		return changeOf("deleted", true, kafka.RuleChange{Rules: []kafka.ACLRule{*d.rule}, Reason: reason, Progress: progress})
	case d.replace != nil:
		req := kafka.ReplaceRequest{Wrong: d.replace.rule, Right: d.replace.right, Reason: reason, Progress: progress}
		return m.start(running{what: "Replacing an ACL rule", changes: true, dialog: d, progress: progress},
			func(ctx context.Context) tea.Cmd { return replaceRule(ctx, b, req) })
	}
	change := kafka.QuotaChange{Entity: d.quota.entity, Key: d.quota.value.Key, Reason: reason, Progress: progress}
	return m.start(running{what: "Removing a quota", changes: true, dialog: d, progress: progress},
		func(ctx context.Context) tea.Cmd { return changeQuota(ctx, b, true, change) })
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
	return copyText(m.opts, "HMAC", text, m.card.token.ID)
}
