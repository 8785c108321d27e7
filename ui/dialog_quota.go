package ui

import (
	"slices"

	"dtok/kafka"
)

// quotaDialog asks for a value on one of the levels.
type quotaDialog struct {
	form
	owner                                             kafka.Principal
	user, client, clientID, key, other, value, reason *field
}

const setLabel = "Set"

// The choices for the parts of an entity.
const (
	userThis = iota
	userDefault
	userNone
)

const (
	clientNone = iota
	clientDefault
	clientNamed
)

func newQuotaDialog(owner kafka.Principal, from *quotaRow) *quotaDialog {
	keys := make([]option, 0, len(kafka.QuotaKeys())+1)
	for _, k := range kafka.QuotaKeys() {
		keys = append(keys, option{label: k})
	}
	d := &quotaDialog{
		owner:    owner,
		user:     newChoiceField("User", []option{{label: "this user"}, {label: "default user"}, {label: "none"}}),
		client:   newChoiceField("Client-id", []option{{label: "none"}, {label: "default client-id"}, {label: "named"}}),
		clientID: newTextField("Client-id's name", "", 256),
		key:      newChoiceField("Quota", append(keys, option{label: "another key"})),
		other:    newTextField("Another key", "", 100),
		value:    newTextField("Value", "", 40),
		reason:   newTextField("Reason", "", reasonLimit),
	}
	d.clientID.hint = "Only for a named client-id; verbatim."
	d.value.hint = "1048576, 1MiB, 1.5 MB/s; 50 or 50%; 10/s"
	d.reason.hint = reasonHint
	d.form = form{fields: []*field{d.user, d.client, d.clientID, d.key, d.other, d.value, d.reason},
		buttons: []string{setLabel, cancelLabel}}
	if from != nil {
		d.takeFrom(*from)
	}
	return d
}

// takeFrom fills the form from the value under the cursor.
func (d *quotaDialog) takeFrom(row quotaRow) {
	switch {
	case row.entity.User.IsAbsent():
		d.user.chosen = userNone
	case row.entity.User.IsDefault():
		d.user.chosen = userDefault
	}
	if name, named := row.entity.ClientID.Name(); named {
		d.client.chosen = clientNamed
		d.clientID.input.set(name)
	} else if row.entity.ClientID.IsDefault() {
		d.client.chosen = clientDefault
	}
	d.key.chosen = len(kafka.QuotaKeys())
	if i := slices.Index(kafka.QuotaKeys(), row.value.Key); i >= 0 {
		d.key.chosen = i
	} else {
		d.other.input.set(row.value.Key)
	}
	d.value.input.set(row.value.Exact())
	d.focus = slices.Index(d.fields, d.value)
}

func (d *quotaDialog) name() string { return "Set quota" }

func (d *quotaDialog) entity() kafka.Entity {
	var e kafka.Entity
	switch d.user.chosen {
	case userThis:
		e.User = kafka.NamedPart(d.owner.Name)
	case userDefault:
		e.User = kafka.DefaultPart()
	}
	switch d.client.chosen {
	case clientDefault:
		e.ClientID = kafka.DefaultPart()
	case clientNamed:
		e.ClientID = kafka.NamedPart(d.clientID.input.value())
	}
	return e
}

func (d *quotaDialog) quotaKey() string {
	if d.key.chosen < len(kafka.QuotaKeys()) {
		return kafka.QuotaKeys()[d.key.chosen]
	}
	return d.other.value()
}

// request reads the form.
func (d *quotaDialog) request() (kafka.QuotaChange, bool) {
	fail := func(f *field, text string) (kafka.QuotaChange, bool) {
		f.problem, d.focus = text, slices.Index(d.fields, f)
		return kafka.QuotaChange{}, false
	}
	if d.quotaKey() == "" {
		return fail(d.other, "type the key's name")
	}
	if d.client.chosen == clientNamed && d.clientID.input.value() == "" {
		return fail(d.clientID, "type the client-id's name; the default client-id is a choice of its own")
	}
	if d.entity().Level() == 0 {
		return fail(d.user, "a quota is set on a user, a client-id, or both")
	}
	value, err := kafka.ParseQuota(d.quotaKey(), d.value.value())
	if err != nil {
		return fail(d.value, err.Error())
	}
	if d.reason.value() == "" {
		return fail(d.reason, "say why")
	}
	return kafka.QuotaChange{Entity: d.entity(), Key: d.quotaKey(), Value: value, Reason: d.reason.value(),
		Progress: &kafka.Progress{}}, true
}

func (d *quotaDialog) lines(m *Model, width int) []string {
	lines := []string{m.th.title.Render(d.name()), ""}
	lines = append(lines, d.view(m.th, width)...)
	e := d.entity()
	if e.Level() == 0 {
		return lines
	}
	text := "Set on " + safeText(e.String()) + ", " + levelText(e.Level()) + " (1 wins)."
	if v, err := kafka.ParseQuota(d.quotaKey(), d.value.value()); err == nil {
		text += " That is " + safeText(valueText(kafka.QuotaValue{Key: d.quotaKey(), Value: v})) + "."
	}
	if now, set := m.quotas.known.Value(e, d.quotaKey()); set {
		text += " It is " + safeText(valueText(kafka.QuotaValue{Key: d.quotaKey(), Value: now})) + " now."
	}
	lines = append(lines, "")
	lines = append(lines, mutedLines(m.th, width, text)...)
	return append(lines, reachLines(m, width, e, d.owner)...)
}

// reachLines warn of an entity that is not the page's user: the values that
// apply to a user are on its page also where others set them for many.
func reachLines(m *Model, width int, e kafka.Entity, owner kafka.Principal) []string {
	if _, named := e.User.Name(); named {
		return nil
	}
	return warnLines(m.th, width, "This is not "+safeText(owner.Label())+"'s own: it holds for other users, too.")
}
