package ui

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// environmentDialog is the list of environments.
type environmentDialog struct {
	cursor int
	count  int
	guard  pasteGuard
	// problem is why the last key did nothing.
	problem string
}

func (d *environmentDialog) name() string      { return "Environments" }
func (d *environmentDialog) setProblem(string) {}
func (d *environmentDialog) wipe()             {}

func (d *environmentDialog) chooses() bool { return false }

func (d *environmentDialog) pasting(now time.Time) bool             { return d.guard.refuses(now) }
func (d *environmentDialog) openedBy(msg tea.KeyMsg, now time.Time) { d.guard.see(msg, now) }

// handle takes a key. A line end that was pasted opens nothing: it would close
// the present connection.
func (d *environmentDialog) handle(msg tea.KeyMsg, now time.Time) formResult {
	d.guard.see(msg, now)
	d.problem = ""
	switch keyName(msg) {
	case "":
		clear(msg.Runes)
		d.problem = "pasted text was ignored: there is no field open for it"
	case "esc", "ctrl+g", "q":
		return formCancelled
	case "enter":
		if d.guard.refuses(now) {
			d.problem = "that came right after pasted text, so it opened nothing; press it again"
			return formStays
		}
		return formPressed
	case "j", "down", "tab":
		d.cursor++
	case "k", "up", "shift+tab":
		d.cursor--
	case "g", "home":
		d.cursor = 0
	case "G", "end":
		d.cursor = d.count
	}
	d.cursor = min(max(d.cursor, 0), d.count-1)
	return formStays
}

func (d *environmentDialog) lines(m *Model, width int) []string {
	names := 0
	for _, e := range m.envs.all {
		names = max(names, textWidth(safeText(e.Name)))
	}
	lines := []string{m.th.title.Render(d.name()), ""}
	for i, e := range m.envs.all {
		marker := "  "
		if i == d.cursor {
			marker = m.th.sign.focus
		}
		name := safeText(e.Name)
		text := marker + newTheme(m.opts.Renderer, e.Colour, m.th.sign).env.Render(name) + spaces(names-textWidth(name)) + "  " +
			strings.Join(e.facts(), "  ")
		if i == m.envs.now {
			text += m.th.muted.Render("  (open)")
		}
		lines = append(lines, fit(text, width))
	}
	lines = append(lines, "", m.th.muted.Render(fit("enter opens; the present connection is closed", width)))
	if d.problem == "" {
		return lines
	}
	return append(lines, warnLines(m.th, width, d.problem)...)
}

// facts are what the list says of an environment.
func (e Environment) facts() []string {
	how := e.Protocol
	if e.Mechanism != "" {
		how += "/" + e.Mechanism
	}
	facts := []string{how}
	if e.User != "" {
		facts = append(facts, "as "+safeText(e.User))
	}
	if e.ReadOnly != "" {
		facts = append(facts, "READ-ONLY: "+safeText(e.ReadOnly))
	}
	return facts
}

// passwordDialog asks for a password before a connection.
type passwordDialog struct {
	form
	what  string
	field *field
	// then is what the password is for.
	then func() tea.Cmd
}

const signInNowLabel = "Sign in"

func newPasswordDialog(what string) *passwordDialog {
	d := &passwordDialog{what: what, field: &field{label: "Password", kind: passwordField, password: newPasswordInput()}}
	d.field.hint = "Kept in memory while dtok runs, nowhere else."
	d.form = form{fields: []*field{d.field}, buttons: []string{signInNowLabel, cancelLabel}, enterSubmits: true}
	return d
}

func (d *passwordDialog) name() string { return "Sign in" }

// take gives the password to the caller.
func (d *passwordDialog) take() (*kafka.Secret, bool) {
	secret := d.field.password.take()
	if secret.Len() == 0 {
		d.field.problem, d.focus = "type or paste the password", 0
		return nil, false
	}
	return secret, true
}

func (d *passwordDialog) lines(m *Model, width int) []string {
	lines := []string{m.th.title.Render("Sign in to " + safeText(m.envs.current().Name)), ""}
	lines = append(lines, wrap("The "+safeText(d.what)+" is asked for once.", width)...)
	return append(append(lines, ""), d.view(m.th, width)...)
}
