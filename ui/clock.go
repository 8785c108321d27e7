package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// takePhase copies the phase of the running change for the view.
func (m *Model) takePhase() {
	if m.running != nil {
		m.running.phase = m.running.progress.Phase()
	}
}

// keepTime asks for a clockMsg when the next shown text changes: no earlier,
// so that an idle screen sends nothing.
func (m *Model) keepTime() tea.Cmd {
	m.takePhase()
	due := m.nextChange()
	if due.IsZero() || !m.clock.due.IsZero() && !due.Before(m.clock.due) {
		return nil
	}
	m.clock.due = due
	m.clock.tag++
	return m.opts.After(due.Sub(m.now), clockMsg{tag: m.clock.tag})
}

// nextChange is when a shown text changes next.
func (m *Model) nextChange() time.Time {
	if m.running != nil {
		return m.now.Add(time.Second).Truncate(time.Second)
	}
	if m.opts.Accessible {
		return time.Time{} // r makes them anew
	}
	var times []time.Time
	if m.card != nil {
		times = append(times, m.card.token.Expires)
	}
	h := m.listHeight()
	if m.at == onUsers || m.wide() {
		for _, row := range m.users.visible(h) {
			if row != allTokensRow && !m.users.users[row].NextExpiry.IsZero() {
				times = append(times, m.users.users[row].NextExpiry)
			}
		}
	}
	if m.open != nil && m.shownTab() == onTokens && (m.inPage() || m.wide()) {
		for _, row := range m.open.visible(h) {
			if row < 0 {
				continue
			}
			times = append(times, m.open.tokens[row].Expires, m.open.tokens[row].MaxLifetimeEnds)
		}
	}
	return nextChange(m.now, times...)
}
