package ui

import "dtok/kafka"

// confirmDialog asks for a reason before something is taken away. Cancel has
// the focus.
type confirmDialog struct {
	form
	title  string
	reason *field
	// what is said above the reason, drawn anew at every size.
	body func(m *Model, width int) []string
	// rule, replace or quota is what is confirmed.
	rule    *kafka.ACLRule
	replace *ruleRow
	quota   *quotaRow
}

const (
	deleteLabel  = "Delete"
	replaceLabel = "Replace"
	removeLabel  = "Remove"
)

func newConfirmDialog(title, button string, body func(m *Model, width int) []string) *confirmDialog {
	d := &confirmDialog{title: title, body: body, reason: newTextField("Reason", "", reasonLimit)}
	d.reason.hint = reasonHint
	d.form = form{fields: []*field{d.reason}, buttons: []string{button, cancelLabel}}
	d.focusButton(cancelLabel)
	return d
}

func newDeleteRuleDialog(row ruleRow) *confirmDialog {
	d := newConfirmDialog("Delete this ACL rule?", deleteLabel, func(m *Model, width int) []string {
		lines := wrap(safeText(row.rule.String()), width)
		lines = append(lines, "")
		lines = append(lines, mutedLines(m.th, width, "dtok deletes this rule alone and compares what the cluster removed with it. "+
			"The same with Kafka's own tool:")...)
		return append(lines, m.commandLines(width, row.rule.RemoveCommand)...)
	})
	d.rule = &row.rule
	return d
}

func newReplaceRuleDialog(row ruleRow) *confirmDialog {
	d := newConfirmDialog("Replace this ACL rule?", replaceLabel, func(m *Model, width int) []string {
		lines := warnLines(m.th, width, neverText(row))
		lines = append(lines, "")
		return append(lines, factLines(m.th, width,
			[2]string{"Is added", safeText(row.right.String())},
			[2]string{"Is then deleted", safeText(row.rule.String())})...)
	})
	d.replace = &row
	return d
}

func newRemoveQuotaDialog(row quotaRow) *confirmDialog {
	d := newConfirmDialog("Remove this quota?", removeLabel, func(m *Model, width int) []string {
		lines := factLines(m.th, width,
			[2]string{"Set on", safeText(row.entity.String()) + " (" + levelText(row.entity.Level()) + ")"},
			[2]string{"Quota", safeText(row.value.Key)},
			[2]string{"Value", safeText(valueText(row.value))})
		return append(lines, reachLines(m, width, row.entity, m.page.owner)...)
	})
	d.quota = &row
	return d
}

func (d *confirmDialog) name() string { return d.title }

// given is the reason; without one the field says so.
func (d *confirmDialog) given() (string, bool) {
	reason := d.reason.value()
	if reason == "" {
		d.reason.problem, d.focus = "say why", 0
	}
	return reason, reason != ""
}

func (d *confirmDialog) lines(m *Model, width int) []string {
	lines := []string{m.th.danger.Render(d.title), ""}
	lines = append(lines, d.body(m, width)...)
	lines = append(lines, "")
	return append(lines, d.view(m.th, width)...)
}
