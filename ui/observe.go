package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// What the screens tell the log for support: which of them is shown, how large,
// and what failed. Never a key, a text that was typed or pasted, or what is on
// a screen, which names users.

// screen is what is shown, in words that are the program's own.
func (m *Model) screen() string {
	switch {
	case m.running != nil && m.running.changes:
		return "a change runs"
	case m.running != nil:
		return "a test sign-in runs"
	case m.dialog != nil:
		return "dialog: " + m.dialog.name()
	case m.over != nil:
		return "text: " + m.over.title
	case m.card != nil:
		return "card"
	case m.trail != nil:
		return "audit trail"
	case m.at == onUsers:
		return "users"
	case m.open != nil && m.open.forAll():
		return "all tokens"
	}
	switch m.shownTab() {
	case onRules:
		return "ACL rules"
	case onQuotas:
		return "quotas"
	}
	return "tokens"
}

// observe tells what a message has brought about; before is what was shown.
func (m *Model) observe(msg tea.Msg, before string) {
	log := m.opts.Log
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		log.Info("window", "columns", msg.Width, "rows", msg.Height)
	case tea.ResumeMsg:
		log.Info("resumed")
	case copiedMsg:
		if msg.asked == nil {
			m.observeClipboard("copy", msg.copied.Trace, msg.err)
		}
	case clearedMsg:
		m.observeClipboard("clear clipboard", nil, msg.err)
	}
	if now := m.screen(); now != before {
		log.Info("screen", "shown", now)
	}
	for _, err := range failures(msg) {
		log.Warn("error shown", kafka.LogError(err))
	}
}

// observeClipboard tells what became of a copy, or of taking it off again. A
// clipboard's errors have no types that would tell one from another; their text
// is dtok's own, and that of running a program.
func (m *Model) observeClipboard(msg string, t *Trace, err error) {
	switch {
	case err != nil:
		m.opts.Log.Warn(msg, "text", err.Error())
	case t == nil:
		m.opts.Log.Info(msg)
	default:
		m.opts.Log.Info(msg, "machine", t.machine, "tmux", t.tmux, "terminal", t.terminal)
	}
}

// failures are the errors with which an operation ended.
func failures(msg tea.Msg) []error {
	var all []error
	switch msg := msg.(type) {
	case connectedMsg:
		all = append(all, msg.err)
	case diagnosedMsg:
		all = append(all, msg.err)
	case usersLoadedMsg:
		all = append(all, msg.err)
		for _, err := range msg.list.Failed {
			all = append(all, err)
		}
	case tokensLoadedMsg:
		all = append(all, msg.err)
	case rulesLoadedMsg:
		all = append(all, msg.err)
		for _, err := range msg.list.Failed {
			all = append(all, err)
		}
	case quotasLoadedMsg:
		all = append(all, msg.err)
	case trailLoadedMsg:
		all = append(all, msg.err)
	case rulesChangedMsg:
		all = append(all, msg.err)
	case ruleReplacedMsg:
		all = append(all, msg.err)
	case quotaChangedMsg:
		all = append(all, msg.err)
	case createdMsg:
		all = append(all, msg.err)
	case renewedMsg:
		all = append(all, msg.err)
	case expiredMsg:
		all = append(all, msg.err)
	case signedInMsg:
		all = append(all, msg.err)
	case copiedMsg:
		all = append(all, msg.err)
	}
	return slices.DeleteFunc(all, func(err error) bool { return err == nil })
}
