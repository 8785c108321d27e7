package ui

import (
	"context"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// Readings and changes of ACL rules and quotas.

func loadRules(ctx context.Context, release func(), b Broker, req int, user kafka.Principal) tea.Cmd {
	return guarded(func() tea.Msg {
		defer release()
		list, err := b.Rules(ctx, user)
		return rulesLoadedMsg{req: req, list: list, err: err}
	}, func(err error) tea.Msg { return rulesLoadedMsg{req: req, err: err} })
}

func loadQuotas(ctx context.Context, release func(), b Broker, req int, user kafka.Principal) tea.Cmd {
	return guarded(func() tea.Msg {
		defer release()
		list, err := b.Quotas(ctx, user)
		return quotasLoadedMsg{req: req, list: list, err: err}
	}, func(err error) tea.Msg { return quotasLoadedMsg{req: req, err: err} })
}

func changeRules(ctx context.Context, b Broker, what string, deletes bool, change kafka.RuleChange) tea.Cmd {
	op, send := kafka.OpAddRules, b.AddRules
	if deletes {
		op, send = kafka.OpDeleteRules, b.DeleteRules
	}
	return guarded(func() tea.Msg {
		changed, err := send(ctx, change)
		return rulesChangedMsg{what: what, deletes: deletes, change: change, changed: changed, err: err}
	}, func(err error) tea.Msg {
		return rulesChangedMsg{what: what, deletes: deletes, change: change, err: unknown(op, err)}
	})
}

func replaceRule(ctx context.Context, b Broker, req kafka.ReplaceRequest) tea.Cmd {
	return guarded(func() tea.Msg {
		done, err := kafka.ReplaceRule(ctx, b, req)
		return ruleReplacedMsg{req: req, done: done, err: err}
	}, func(err error) tea.Msg { return ruleReplacedMsg{req: req, err: unknown(kafka.OpAddRules, err)} })
}

func changeQuota(ctx context.Context, b Broker, removes bool, change kafka.QuotaChange) tea.Cmd {
	op, send := kafka.OpSetQuota, b.SetQuota
	if removes {
		op, send = kafka.OpRemoveQuota, b.RemoveQuota
	}
	return guarded(func() tea.Msg {
		changed, err := send(ctx, change)
		return quotaChangedMsg{removes: removes, change: change, changed: changed, err: err}
	}, func(err error) tea.Msg {
		return quotaChangedMsg{removes: removes, change: change, err: unknown(op, err)}
	})
}

func (m *Model) rulesLoaded(msg rulesLoadedMsg) tea.Cmd {
	if !m.rules.ended(msg.req, msg.err, msg.list.Read) {
		return nil
	}
	if msg.err != nil {
		return m.tabFailed(&m.rules.reading, msg.err)
	}
	m.rules.set(msg.list, m.listHeight())
	m.onPage.settleRules(&m.rules, m.listHeight())
	return m.afterReading()
}

func (m *Model) quotasLoaded(msg quotasLoadedMsg) tea.Cmd {
	if !m.quotas.ended(msg.req, msg.err, msg.list.Read) {
		return nil
	}
	if msg.err != nil {
		return m.tabFailed(&m.quotas.reading, msg.err)
	}
	m.quotas.set(msg.list, m.listHeight())
	m.onPage.settleQuotas(&m.quotas, m.listHeight())
	return m.afterReading()
}

// tabFailed says why a tab could not be read, unless the tab says it itself
// because it has nothing else to show.
func (m *Model) tabFailed(r *reading, err error) tea.Cmd {
	if r.read.IsZero() && !errors.Is(err, context.Canceled) {
		return nil
	}
	return m.readingFailed(err)
}

// rulesChanged shows what became of each rule. Where one of several failed,
// the others are shown as done all the same.
func (m *Model) rulesChanged(msg rulesChangedMsg) tea.Cmd {
	d := m.finish()
	var done []kafka.ACLRule
	var texts []string
	for _, r := range msg.changed.Results {
		if r.Err != nil {
			continue
		}
		done = append(done, r.Rule)
		text := safeText(r.Rule.String())
		if !msg.deletes && r.ExistedErr == nil && r.Existed {
			text += " (was there already)"
		}
		texts = append(texts, text)
	}
	m.showRules(done, msg.deletes)
	if msg.err != nil {
		return tea.Batch(m.failed(msg.err, d), m.refreshSoon())
	}
	return tea.Batch(m.setStatus(statusDone, msg.what+": "+strings.Join(texts, "; ")), m.refreshSoon())
}

// showRules shows changed rules at once.
func (m *Model) showRules(rules []kafka.ACLRule, deleted bool) {
	for _, r := range rules {
		m.onPage.rules[r] = deleted
	}
	if len(rules) > 0 && !m.rules.read.IsZero() {
		m.rules.changeRules(rules, deleted, m.listHeight())
	}
}

func (m *Model) ruleReplaced(msg ruleReplacedMsg) tea.Cmd {
	d := m.finish()
	if msg.done.Added.Err == nil && msg.done.Added.Rule == msg.req.Right {
		m.showRules([]kafka.ACLRule{msg.req.Right}, false)
	}
	if msg.done.Deleted.Err == nil && msg.done.Deleted.Rule == msg.req.Wrong {
		m.showRules([]kafka.ACLRule{msg.req.Wrong}, true)
	}
	if msg.err != nil {
		return tea.Batch(m.failed(msg.err, d), m.refreshSoon())
	}
	return tea.Batch(m.setStatus(statusDone, "replaced by "+safeText(msg.req.Right.String())), m.refreshSoon())
}

func (m *Model) quotaChanged(msg quotaChangedMsg) tea.Cmd {
	d := m.finish()
	if msg.err != nil {
		return tea.Batch(m.failed(msg.err, d))
	}
	c := msg.changed
	m.onPage.quotas[quotaID{c.Entity, c.Key}] = c.After
	if !m.quotas.read.IsZero() {
		m.quotas.changeQuota(c.Entity, c.Key, c.After, m.listHeight())
	}
	before := "not set before"
	if c.Before != nil {
		before = "was " + valueText(kafka.QuotaValue{Key: c.Key, Value: *c.Before})
	}
	if c.BeforeErr != nil {
		before = "the value before could not be read"
	}
	text := "removed " + c.Key + " of " + c.Entity.String()
	if c.After != nil {
		text = "set " + c.Key + " of " + c.Entity.String() + " to " + valueText(kafka.QuotaValue{Key: c.Key, Value: *c.After})
	}
	return tea.Batch(m.setStatus(statusDone, safeText(text+"; "+before)), m.refreshSoon())
}
