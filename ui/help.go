package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// helpLines is the help screen, made from the key map.
func helpLines(m *Model, width int) []string {
	keys := 0
	for _, e := range m.keys {
		keys = max(keys, ansi.StringWidth(e.binding.Help().Key))
	}
	var lines []string
	for _, s := range m.helpSections() {
		lines = append(lines, m.th.title.Render(s.title))
		for _, e := range s.entries {
			k := e.binding.Help().Key
			pad := strings.Repeat(" ", keys-ansi.StringWidth(k))
			for i, text := range wrap(e.long, max(width-keys-4, 10)) {
				if i > 0 {
					k, pad = "", strings.Repeat(" ", keys)
				}
				lines = append(lines, "  "+m.th.key.Render(k)+pad+"  "+text)
			}
		}
		lines = append(lines, "")
	}
	for _, text := range helpTexts {
		lines = append(lines, wrap(text, width)...)
		lines = append(lines, "")
	}
	return lines
}

// helpSections has the keys of the present screen alone first, then the others
// that work there, then the rest.
func (m *Model) helpSections() []section {
	where := m.where()
	if m.card != nil {
		where = onCard
	}
	rank := func(s section) int {
		switch {
		case s.where == where:
			return 0
		case s.where == 0, s.where&where != 0:
			return 1
		}
		return 2
	}
	all := m.keys.sections()
	slices.SortStableFunc(all, func(a, b section) int { return rank(a) - rank(b) })
	return all
}

// helpTexts are the facts that the screens have no room for.
var helpTexts = [...]string{
	"In a dialog: tab and shift+tab go from field to field, enter goes on or presses the button, esc gives up.",
	"Marks: > is the cursor, EXPIRED a token past its expiry that the broker has not removed yet. new, renewed and " +
		"removed: the cluster has confirmed the change and the broker that is asked does not show it yet. " +
		"unknown?: it appeared after a creation without an answer.",
	"Who may renew and expire a token: its owner and its renewers. Who asked for it may only see it, and super " +
		"users are no exception.",
	"Who sees a token: its owner, requester and renewers, whoever has DescribeTokens on the User resource " +
		"User:<owner>, or Describe on the token. Kafka says nothing of what it leaves out.",
	"Renewing does not lengthen sessions that are open; expiring does not end them: a session ends at the first " +
		"request after the expiry that was known when it signed in.",
}
