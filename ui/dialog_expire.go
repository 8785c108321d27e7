package ui

import (
	"dtok/kafka"
)

// expireDialog asks for an HMAC and a reason before a token is removed.
type expireDialog struct {
	form
	token        kafka.Token
	hmac, reason *field
}

const (
	expireLabel = "Expire"
	// reasonLimit bounds the reason kept in the audit trail, in characters.
	reasonLimit = 500
	// reasonHint is said of a reason that must be given, optionalReason of one
	// that may be.
	reasonHint     = "Kept in the audit trail."
	optionalReason = "May be empty; kept in the audit trail."
)

func newExpireDialog(token kafka.Token) *expireDialog {
	d := &expireDialog{token: token, hmac: newSecretField("HMAC"), reason: newTextField("Reason", "", reasonLimit)}
	d.hmac.hint = "Paste it; Kafka finds a token by nothing else. It is cleared as the request leaves."
	d.reason.hint = reasonHint
	d.form = form{fields: []*field{d.hmac, d.reason}, buttons: []string{expireLabel, cancelLabel}}
	d.focusButton(cancelLabel)
	return d
}

func (d *expireDialog) name() string { return "Expire token" }

// request reads the form. The HMAC stays in it only where the reason is wrong.
func (d *expireDialog) request() (kafka.ExpireRequest, bool) {
	reason := d.reason.value()
	if reason == "" {
		d.reason.problem, d.focus = "say why the token is expired", 1
		return kafka.ExpireRequest{}, false
	}
	hmac, ok := d.takeHMAC(d.hmac)
	if !ok {
		return kafka.ExpireRequest{}, false
	}
	return kafka.ExpireRequest{Token: d.token, HMAC: hmac, Reason: reason, Progress: &kafka.Progress{}}, true
}

func (d *expireDialog) lines(m *Model, width int) []string {
	lines := []string{m.th.danger.Render("Expire token " + safeText(d.token.ID) + "?"), ""}
	text := "The cluster removes the token and nobody can sign in with it again; this cannot be undone. " +
		"A client that is signed in with it goes on until its first request after the expiry that was known " +
		"when it signed in (now it is " + m.stamp(d.token.Expires) + "); on brokers before Kafka 3.3 nothing ends it."
	lines = append(lines, wrap(text, width)...)
	lines = append(lines, "")
	lines = append(lines, factLines(m.th, width,
		[2]string{"Owner", safeText(d.token.Owner.Label())},
		[2]string{"Renewers", m.renewers(d.token)},
		[2]string{"Expires", m.stamp(d.token.Expires) + " (" + m.expiryText(d.token) + ")"})...)
	lines = append(lines, "")
	lines = append(lines, d.view(m.th, width)...)
	return append(lines, managerWarning(m, width, d.token)...)
}
