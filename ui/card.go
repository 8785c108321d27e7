package ui

import (
	"slices"

	"dtok/kafka"
)

// card shows a new token with its HMAC, once. It is closed by Done or by
// leaving; leaving before a copy asks first.
type card struct {
	token  kafka.Token
	hmac   *kafka.Secret
	capped bool
	asked  kafka.Period
	copied bool
	// leaving is set while the card asks whether to leave without a copy.
	leaving bool
}

// close overwrites the HMAC.
func (c *card) close() { c.hmac.Destroy() }

// lines draws the card. The HMAC stands alone on its lines, from the left edge
// and without a border, so that it can be selected with the mouse.
func (c *card) lines(m *Model, width int) []string {
	t := c.token
	made := []string{m.th.title.Render(fit("Delegation token created for "+safeText(t.Owner.Label()), width))}
	made = append(made, factLines(m.th, width,
		[2]string{"Token ID", safeText(t.ID)},
		[2]string{"Renewers", m.renewers(t)},
		[2]string{"Expires", m.stamp(t.Expires) + " (" + m.expiryText(t) + ")"},
		[2]string{"Max lifetime ends", m.stamp(t.MaxLifetimeEnds)})...)
	if c.capped {
		made = append(made, warnLines(m.th, width, "The maximum lifetime was capped by the cluster to "+
			hoursText(t.MaxLifetimeEnds.Sub(t.Issued))+"; "+hoursText(c.asked.Duration())+" were asked for.")...)
	}
	secret := []string{m.th.warn.Render("Copy this now") + fit(": the HMAC, the password of a worker", width-len("Copy this now"))}
	secret = append(secret, c.hmacLines(m.width)...)
	note := mutedLines(m.th, width, "This is the one and only time that dtok shows it; it is gone when you "+
		"choose Done or leave. "+m.keepingText()+" Renewing keeps ID and HMAC; another token has another pair.")
	var ask []string
	if c.leaving {
		ask = warnLines(m.th, width, "The HMAC has not been copied. Leave all the same? "+
			"esc or d leaves, any other key stays.")
	}
	if len(made)+1+len(secret)+len(note)+len(ask) > m.bodyHeight() {
		// What does not fit can be seen elsewhere, or later; the HMAC cannot.
		return slices.Concat(ask, secret, made, note)
	}
	return slices.Concat(made, []string{""}, secret, note, ask)
}

// hmacLines is the base64 text, cut where the terminal ends.
func (c *card) hmacLines(width int) []string {
	var lines []string
	kafka.HMACText(c.hmac, func(text []byte) {
		for width = max(width, 1); len(text) > width; text = text[width:] {
			lines = append(lines, string(text[:width]))
		}
		lines = append(lines, string(text))
	})
	return lines
}
