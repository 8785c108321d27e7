package ui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// createDialog asks for a new token.
type createDialog struct {
	form
	owner, renewers, lifetime *field
	session                   kafka.Session
	// opened is the owner whose page the dialog was opened on. It stands as
	// it is while its label is not edited: no text that one can type names an
	// owner of another type, or one whose name ends in a blank.
	opened kafka.Principal
}

const createLabel = "Create"

func newCreateDialog(owner kafka.Principal, session kafka.Session) *createDialog {
	d := &createDialog{session: session, opened: owner}
	d.owner = newTextField("Owner", owner.Label(), 256)
	d.renewers = newListField("Renewers", func(typed string) (string, error) {
		p, err := kafka.ParseUser(typed)
		return p.Label(), err
	})
	d.lifetime = newTextField("Maximum lifetime (hours)", "", 24)
	d.lifetime.hint = "Empty: the cluster's delegation.token.max.lifetime.ms, which also caps any value."
	d.form = form{fields: []*field{d.owner, d.renewers, d.lifetime}, buttons: []string{createLabel, cancelLabel}}
	if !owner.IsZero() {
		d.focus = 1
	}
	d.follow()
	return d
}

// handle keeps the hints in step with the owner typed.
func (d *createDialog) handle(msg tea.KeyMsg, now time.Time) formResult {
	result := d.form.handle(msg, now)
	d.follow()
	return result
}

func (d *createDialog) follow() {
	owner, _ := d.ownerPrincipal()
	d.renewers.hint = "Enter adds one; a name or User:name. " + d.renewerNote(owner)
}

func (d *createDialog) name() string { return "Create delegation token" }

// ownerPrincipal is the owner as typed.
func (d *createDialog) ownerPrincipal() (kafka.Principal, error) {
	if !d.opened.IsZero() && d.owner.input.value() == d.opened.Label() {
		return d.opened, nil
	}
	return kafka.ParseUser(d.owner.value())
}

// request reads the form. On an error the field at fault says it.
func (d *createDialog) request() (kafka.CreateRequest, bool) {
	owner, err := d.ownerPrincipal()
	if err != nil {
		d.owner.problem, d.focus = err.Error(), 0
		return kafka.CreateRequest{}, false
	}
	lifetime, err := kafka.ParseHours(d.lifetime.value())
	if err != nil {
		d.lifetime.problem, d.focus = err.Error(), 2
		return kafka.CreateRequest{}, false
	}
	req := kafka.CreateRequest{Owner: owner, MaxLifetime: lifetime, Progress: &kafka.Progress{}}
	for _, name := range d.renewers.items {
		req.Renewers = append(req.Renewers, kafka.UserPrincipal(name))
	}
	if self, add := d.selfAsRenewer(owner); add && !containsPrincipal(req.Renewers, self) {
		req.Renewers = append(req.Renewers, self)
	}
	return req, true
}

// selfAsRenewer says whether the connection's own user joins the renewers:
// where dtok knows it (PLAIN, SCRAM), and not for a token that it owns itself.
func (d *createDialog) selfAsRenewer(owner kafka.Principal) (kafka.Principal, bool) {
	self := d.session.Principal
	return self, !self.IsZero() && self != owner
}

func (d *createDialog) lines(m *Model, width int) []string {
	owner, err := d.ownerPrincipal()
	lines := []string{m.th.title.Render(d.name()), ""}
	lines = append(lines, d.view(m.th, width)...)
	lines = append(lines, "")
	if err != nil {
		return lines
	}
	text := fmt.Sprintf("A worker that signs in with the token acts as %s", safeText(owner.Label()))
	if user, ok := m.users.find(owner); ok && m.users.failed[kafka.FromACLs] == nil {
		text += fmt.Sprintf(" (%s of its own)", plural(user.ACLRules, "ACL rule"))
	}
	lines = append(lines, mutedLines(m.th, width, text+".")...)
	lines = append(lines, d.rightLines(m, width, owner)...)
	if d.session.Protocol == kafka.SASLPlaintext {
		lines = append(lines, warnLines(m.th, width,
			"This connection is not encrypted (SASL_PLAINTEXT): the HMAC crosses the network in clear.")...)
	}
	return lines
}

// rightLines say what the ACL rules tell about creating for the owner: which
// rule is missing, and whether one stands on the bare name, where it never
// matches. Super users need no rule, and cannot be told from here.
func (d *createDialog) rightLines(m *Model, width int, owner kafka.Principal) []string {
	self := d.session.Principal
	if self.IsZero() || self == owner || m.rules.owner != owner || m.rules.read.IsZero() ||
		m.rules.known.Failed[kafka.OnUser] != nil {
		return nil
	}
	create := m.rules.known.TokenRight(self, kafka.OperationCreateTokens)
	if create.Given() {
		if m.rules.known.TokenRight(self, kafka.OperationDescribeTokens).Given() {
			return nil
		}
		return mutedLines(m.th, width, "This connection sees the tokens that it requests; the others of this owner only with "+
			"DescribeTokens on the User resource "+safeText(owner.String())+".")
	}
	var text string
	switch {
	case len(create.Deny) > 0:
		text = "A DENY rule forbids this: " + create.Deny[0].String() + "."
	case len(create.Bare) > 0:
		text = "There is a rule on the bare name, which never matches: " + create.Bare[0].String() + ". In tab 2, f replaces it."
	default:
		text = "No ACL rule lets " + self.String() + " do this: CreateTokens on the User resource " + owner.String() +
			" is missing. In tab 2, g grants it. A super user needs no rule."
	}
	return warnLines(m.th, width, safeText(text))
}

// renewerNote says who is added, or why nobody can be.
func (d *createDialog) renewerNote(owner kafka.Principal) string {
	self, add := d.selfAsRenewer(owner)
	switch {
	case add:
		return safeText(self.Label()) + " is added, so that this connection can renew and expire the token."
	case self.IsZero():
		return "The brokers derive this connection's principal themselves, so nobody is added: " +
			"name that principal if dtok is to renew or expire the token."
	}
	return "The owner renews and expires its own token."
}

func containsPrincipal(list []kafka.Principal, p kafka.Principal) bool {
	for _, have := range list {
		if have == p {
			return true
		}
	}
	return false
}
