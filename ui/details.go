package ui

import (
	"dtok/kafka"
)

// detailLines shows all that is known of a token.
func detailLines(m *Model, width int, t kafka.Token) []string {
	requester := "not told by this broker (needs Kafka 3.3 or later)"
	if !t.Requester.IsZero() {
		requester = t.Requester.String()
	}
	lines := []string{m.th.title.Render("Token " + safeText(t.ID)), ""}
	lines = append(lines, factLines(m.th, width,
		[2]string{"Owner", safeText(t.Owner.String())},
		[2]string{"Requester", safeText(requester)},
		[2]string{"Renewers", m.renewers(t)},
		[2]string{"Issued", m.stamp(t.Issued)},
		[2]string{"Expires", m.stamp(t.Expires) + " (" + m.expiryText(t) + ")"},
		[2]string{"Max lifetime ends", m.stamp(t.MaxLifetimeEnds) + " (" + untilText(t.MaxLifetimeEnds.Sub(m.told)) + ")"})...)
	lines = append(lines, "")
	if note := m.pending.noteText(t.ID); note != "" {
		lines = append(lines, warnLines(m.th, width, note)...)
	}
	if m.suspects[t.ID] {
		lines = append(lines, warnLines(m.th, width, suspectText)...)
	}
	if t.Expired(m.told) {
		lines = append(lines, warnLines(m.th, width, "It has expired: nobody can work with it, and it cannot be renewed. "+
			"The broker removes it within its check interval (delegation.token.expiry.check.interval.ms).")...)
	}
	lines = append(lines, mutedLines(m.th, width, "The owner and the renewers may renew and expire it; the requester may only see it. "+
		"A worker that signs in with it acts as the owner.")...)
	return append(lines, managerWarning(m, width, t)...)
}

// suspectText marks a token that appeared after a creation without an answer.
const suspectText = "It appeared after a creation whose answer was lost, so its HMAC may be known to nobody. " +
	"If no one else made it, it is of no use. kafka-delegation-tokens.sh --describe prints its HMAC, with which x expires it."

// textPage is a text over the lists that can be scrolled: help and details.
type textPage struct {
	title string
	body  func(m *Model, width int) []string
	top   int
}

// handle scrolls; it reports whether the page stays open.
func (p *textPage) handle(act action, height, total int) bool {
	step := 0
	switch act {
	case actDown:
		step = 1
	case actUp:
		step = -1
	case actPageDown:
		step = height - 1
	case actPageUp:
		step = 1 - height
	case actTop:
		step = -total
	case actBottom:
		step = total
	default:
		return false
	}
	p.top = min(max(p.top+step, 0), max(total-height, 0))
	return true
}
