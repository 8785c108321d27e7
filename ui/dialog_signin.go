package ui

import "dtok/kafka"

// signInDialog asks for an HMAC to test a sign-in with.
type signInDialog struct {
	form
	token kafka.Token
	hmac  *field
}

const signInLabel = "Test sign-in"

func newSignInDialog(token kafka.Token) *signInDialog {
	d := &signInDialog{token: token, hmac: newSecretField("HMAC")}
	d.hmac.hint = "Paste it. dtok signs in with it as a worker would, sends one request, and forgets it."
	d.form = form{fields: []*field{d.hmac}, buttons: []string{signInLabel, cancelLabel}}
	return d
}

func (d *signInDialog) name() string { return "Test sign-in" }

func (d *signInDialog) lines(m *Model, width int) []string {
	lines := []string{m.th.title.Render(d.name()), ""}
	lines = append(lines, tokenFacts(m, width, d.token)...)
	lines = append(lines, "")
	return append(lines, d.view(m.th, width)...)
}

// openDialog asks for the name of a user.
type openDialog struct {
	form
	user *field
}

const openLabel = "Open"

func newOpenDialog() *openDialog {
	d := &openDialog{user: newTextField("User", "", 256)}
	d.user.hint = "A name or User:name, also one that is not in the list."
	d.form = form{fields: []*field{d.user}, buttons: []string{openLabel, cancelLabel}, enterSubmits: true}
	return d
}

func (d *openDialog) name() string { return "Open a user by name" }

func (d *openDialog) lines(m *Model, width int) []string {
	return append([]string{m.th.title.Render(d.name()), ""}, d.view(m.th, width)...)
}

// principal reads the form.
func (d *openDialog) principal() (kafka.Principal, bool) {
	p, err := kafka.ParseUser(d.user.value())
	if err != nil {
		d.user.problem, d.focus = err.Error(), 0
		return kafka.Principal{}, false
	}
	return p, true
}
