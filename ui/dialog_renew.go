package ui

import (
	"time"

	"dtok/kafka"
)

// renewDialog asks for an HMAC and for how long.
type renewDialog struct {
	form
	token       kafka.Token
	hmac, hours *field
}

const renewLabel = "Renew"

func newRenewDialog(token kafka.Token) *renewDialog {
	d := &renewDialog{token: token, hmac: newSecretField("HMAC"), hours: newTextField("Renew for (hours)", "", 24)}
	d.hmac.hint = "Paste it; Kafka finds a token by nothing else. It is cleared as the request leaves."
	d.hours.hint = "Empty: the cluster's delegation.token.expiry.time.ms, which also caps any value."
	d.form = form{fields: []*field{d.hmac, d.hours}, buttons: []string{renewLabel, cancelLabel}}
	return d
}

func (d *renewDialog) name() string { return "Renew token" }

// request reads the form. The HMAC stays in it only where the period is wrong.
func (d *renewDialog) request() (kafka.RenewRequest, bool) {
	period, err := kafka.ParseHours(d.hours.value())
	if err != nil {
		d.hours.problem, d.focus = err.Error(), 1
		return kafka.RenewRequest{}, false
	}
	hmac, ok := d.takeHMAC(d.hmac)
	if !ok {
		return kafka.RenewRequest{}, false
	}
	return kafka.RenewRequest{Token: d.token, HMAC: hmac, Period: period, Progress: &kafka.Progress{}}, true
}

func (d *renewDialog) lines(m *Model, width int) []string {
	lines := []string{m.th.title.Render(d.name()), ""}
	lines = append(lines, tokenFacts(m, width, d.token)...)
	lines = append(lines, "")
	lines = append(lines, d.view(m.th, width)...)
	lines = append(lines, "")
	lines = append(lines, d.outlook(m, width)...)
	return append(lines, managerWarning(m, width, d.token)...)
}

// outlook says what the renewal leads to: it counts from now, so it can also
// shorten, and the end of the maximum lifetime is the end.
func (d *renewDialog) outlook(m *Model, width int) []string {
	left := d.token.MaxLifetimeEnds.Sub(m.now)
	if d.token.Expired(m.now) {
		return warnLines(m.th, width, "A token that has expired cannot be renewed; create a new one.")
	}
	period, err := kafka.ParseHours(d.hours.value())
	if err != nil {
		return nil
	}
	var lines []string
	if !period.IsDefault() {
		ends := m.now.Add(min(period.Duration(), left))
		if ends.Before(d.token.Expires.Add(-time.Second)) {
			lines = warnLines(m.th, width, "The token would then expire earlier than now planned: "+
				m.stamp(ends)+" instead of "+m.stamp(d.token.Expires)+".")
		}
	} else {
		lines = mutedLines(m.th, width, "The new expiry counts from now and can be earlier than the one planned now.")
	}
	if left < 24*time.Hour {
		lines = append(lines, warnLines(m.th, width, "Its maximum lifetime ends "+untilText(left)+", at "+
			m.stamp(d.token.MaxLifetimeEnds)+": a new token must be in use by then.")...)
	}
	return lines
}

// tokenFacts are the lines about the token that a dialog is about.
func tokenFacts(m *Model, width int, t kafka.Token) []string {
	expires := m.stamp(t.Expires) + " (" + m.expiryText(t) + ")"
	return factLines(m.th, width,
		[2]string{"Token ID", safeText(t.ID)},
		[2]string{"Owner", safeText(t.Owner.Label())},
		[2]string{"Renewers", m.renewers(t)},
		[2]string{"Expires", expires},
		[2]string{"Max lifetime ends", m.stamp(t.MaxLifetimeEnds)})
}

// managerWarning says beforehand that the cluster will refuse a connection
// that is neither owner nor renewer.
func managerWarning(m *Model, width int, t kafka.Token) []string {
	self := m.session().Principal
	if self.IsZero() || t.ManagedBy(self) {
		return nil
	}
	return warnLines(m.th, width, "This connection ("+safeText(self.String())+") is neither the owner of the token "+
		"nor one of its renewers; the cluster will refuse. Super users are no exception.")
}
