package ui

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// The tabs of a user's page: tokens, ACL rules, quotas.

// showTab goes to a tab and reads it if it has not been read for this user.
func (m *Model) showTab(tab place) tea.Cmd {
	if m.open == nil || m.open.forAll() {
		return m.setStatus(statusInfo, "the list of all tokens has no tabs; enter opens an owner")
	}
	m.tab, m.at = tab, tab
	if m.broker == nil || !m.focused().last().read.IsZero() || m.focused().last().loading() {
		return nil
	}
	return m.readTab()
}

// readTab reads the tab that is shown.
func (m *Model) readTab() tea.Cmd {
	switch m.shownTab() {
	case onRules:
		return m.readRules()
	case onQuotas:
		ctx := m.startReading(&m.quotas.reading)
		return loadQuotas(ctx, m.quotas.cancel, m.broker, m.quotas.req, m.page.owner)
	}
	return m.readTokens(m.open)
}

func (m *Model) readRules() tea.Cmd {
	ctx := m.startReading(&m.rules.reading)
	return loadRules(ctx, m.rules.cancel, m.broker, m.rules.req, m.page.owner)
}

// nextTab is the tab after, or before, the one shown; users is the pane beside.
func (m *Model) nextTab(back bool) tea.Cmd {
	tabs := []place{onTokens, onRules, onQuotas}
	at := 0
	for i, t := range tabs {
		if t == m.shownTab() {
			at = i
		}
	}
	if back {
		at += len(tabs) - 2
	}
	return m.showTab(tabs[(at+1)%len(tabs)])
}

// tabLine names the tabs with what they hold; the one shown is in brackets.
func (m *Model) tabLine() string {
	if m.open == nil || m.open.forAll() {
		return ""
	}
	count := func(r *reading, n int, known bool) string {
		if r.read.IsZero() && !known {
			return ""
		}
		return " (" + strconv.Itoa(n) + ")"
	}
	rules, unread := 0, false
	for group, n := range m.rules.counts {
		rules += n
		unread = unread || m.rules.known.Failed[kafka.RuleGroup(group)] != nil
	}
	rulesCount := count(&m.rules.reading, rules, false)
	if rules == 0 && unread && rulesCount != "" {
		rulesCount = " (" + m.th.sign.unread + ")"
	}
	tabs := []struct {
		tab  place
		text string
	}{
		{onTokens, "1 Tokens" + count(&m.page.reading, len(m.page.tokens), len(m.page.tokens) > 0)},
		{onRules, "2 ACL rules" + rulesCount},
		{onQuotas, "3 Quotas" + count(&m.quotas.reading, len(m.quotas.rows), false)},
	}
	parts := make([]string, len(tabs))
	for i, t := range tabs {
		parts[i] = m.th.sign.other[0] + m.th.muted.Render(t.text) + m.th.sign.other[1]
		if t.tab == m.shownTab() {
			parts[i] = m.th.sign.chosen[0] + m.th.title.Render(t.text) + m.th.sign.chosen[1]
		}
	}
	return " " + strings.Join(parts, " ")
}

// pageView draws the tab line and the tab.
func (m *Model) pageView(height, width int, focused bool) []string {
	var lines []string
	if tabs := m.tabLine(); tabs != "" {
		lines = append(lines, fit(tabs, width))
	}
	height -= len(lines)
	switch m.shownTab() {
	case onRules:
		return append(lines, m.rulesView(height, width, focused)...)
	case onQuotas:
		return append(lines, m.quotasView(height, width, focused)...)
	}
	return append(lines, m.tokensView(height, width, focused)...)
}

// tabOverhead is the number of lines on the tab that are no rows.
func (m *Model) tabOverhead() int {
	n := 0
	if m.tabLine() != "" {
		n = 1
	}
	width := m.tokensWidth()
	switch m.shownTab() {
	case onRules:
		return n + len(m.rulesNotes(width))
	case onQuotas:
		return n + len(m.effectiveLines(width))
	}
	return n + len(m.tokensNotes(m.open, width))
}
