package ui

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// ruleDialog asks for a new ACL rule.
type ruleDialog struct {
	form
	resource, resourceName, pattern, operation, permission, principal, host, reason *field

	types      []kafka.ResourceType // the options of resource
	operations []kafka.Operation    // the options of operation
	of         kafka.ResourceType
}

const addLabel = "Add"

var (
	patterns    = []kafka.PatternType{kafka.PatternLiteral, kafka.PatternPrefixed}
	permissions = []kafka.Permission{kafka.PermissionAllow, kafka.PermissionDeny}
)

func newRuleDialog(user kafka.Principal, types []kafka.ResourceType) *ruleDialog {
	d := &ruleDialog{
		types:        types,
		resource:     newChoiceField("Resource type", labels(types)),
		resourceName: newTextField("Resource name", "", 250),
		pattern:      newChoiceField("Pattern", labels(patterns)),
		operation:    newChoiceField("Operation", nil),
		permission:   newChoiceField("Permission", labels(permissions)),
		principal:    newTextField("Principal", user.String(), 256),
		host:         newTextField("Host", "*", 100),
		reason:       newTextField("Reason", "", reasonLimit),
	}
	d.reason.hint = optionalReason
	d.form = form{fields: []*field{d.resource, d.resourceName, d.pattern, d.operation, d.permission, d.principal, d.host,
		d.reason}, buttons: []string{addLabel, cancelLabel}}
	d.follow()
	return d
}

// labels are the options of values that name themselves.
func labels[T interface{ String() string }](values []T) []option {
	options := make([]option, len(values))
	for i, v := range values {
		options[i].label = v.String()
	}
	return options
}

// handle keeps the choices in step with the resource type.
func (d *ruleDialog) handle(msg tea.KeyMsg, now time.Time) formResult {
	result := d.form.handle(msg, now)
	d.follow()
	return result
}

func (d *ruleDialog) name() string { return "Add ACL rule" }

// follow offers the operations that mean something on the resource type, by
// Kafka's own table, and after them all others.
func (d *ruleDialog) follow() {
	t := d.types[d.resource.chosen]
	if t == d.of {
		return
	}
	if fixed := t.FixedName(); fixed != "" {
		d.resourceName.input.set(fixed)
	} else if d.of.FixedName() != "" {
		d.resourceName.input.set("")
	}
	d.of = t
	d.operations = slices.Clone(t.Operations())
	options := labels(d.operations)
	for _, op := range kafka.AllOperations() {
		if !slices.Contains(d.operations, op) {
			d.operations = append(d.operations, op)
			options = append(options, option{label: op.String(), odd: true})
		}
	}
	d.operation.setOptions(options)
}

// rule is what the form says.
func (d *ruleDialog) rule() kafka.ACLRule {
	return kafka.ACLRule{
		ResourceType: d.types[d.resource.chosen],
		ResourceName: d.resourceName.input.value(),
		Pattern:      patterns[d.pattern.chosen],
		Operation:    d.operations[d.operation.chosen],
		Permission:   permissions[d.permission.chosen],
		Principal:    d.principal.input.value(),
		Host:         d.host.value(),
	}
}

// request reads the form; a rule that Kafka would refuse is refused here.
func (d *ruleDialog) request() (kafka.RuleChange, bool) {
	rule := d.rule()
	if err := rule.CheckAdd(); err != nil {
		d.problem = err.Error()
		return kafka.RuleChange{}, false
	}
	return kafka.RuleChange{Rules: []kafka.ACLRule{rule}, Reason: d.reason.value(), Progress: &kafka.Progress{}}, true
}

func (d *ruleDialog) lines(m *Model, width int) []string {
	lines := []string{m.th.title.Render(d.name()), ""}
	lines = append(lines, d.view(m.th, width)...)
	rule := d.rule()
	lines = append(lines, "")
	if right, never := rule.NeverMatches(); never {
		lines = append(lines, warnLines(m.th, width, neverText(ruleRow{rule: rule, right: right}))...)
	}
	if rule.CheckAdd() != nil {
		return lines
	}
	for _, w := range rule.Warnings() {
		lines = append(lines, warnLines(m.th, width, safeText(w))...)
	}
	lines = append(lines, mutedLines(m.th, width, "The same with Kafka's own tool:")...)
	return append(lines, m.commandLines(width, rule.AddCommand)...)
}

// rightsDialog grants or revokes the rights on a user's tokens.
type rightsDialog struct {
	form
	owner             kafka.Principal
	revoke            bool
	principal, rights *field
	reason            *field
}

const (
	grantLabel  = "Grant"
	revokeLabel = "Revoke"
)

// tokenRights are the choices of a rightsDialog.
var tokenRights = [...]struct {
	label string
	ops   []kafka.Operation
}{
	{"CreateTokens", []kafka.Operation{kafka.OperationCreateTokens}},
	{"DescribeTokens", []kafka.Operation{kafka.OperationDescribeTokens}},
	{"both, CreateTokens and DescribeTokens", []kafka.Operation{kafka.OperationCreateTokens, kafka.OperationDescribeTokens}},
}

func newRightsDialog(owner kafka.Principal, revoke bool, from ruleRow) *rightsDialog {
	d := &rightsDialog{owner: owner, revoke: revoke}
	options := make([]option, len(tokenRights))
	for i, r := range tokenRights {
		options[i].label = r.label
	}
	d.principal = newTextField("Principal", "", 256)
	d.principal.hint = "Who gets the right: a name or User:name."
	d.rights = newChoiceField("Rights", options)
	d.reason = newTextField("Reason", "", reasonLimit)
	d.reason.hint = optionalReason
	label := grantLabel
	if revoke {
		label = revokeLabel
		d.reason.hint = reasonHint
		d.principal.hint = "Whose right ends: a name or User:name."
	}
	d.form = form{fields: []*field{d.principal, d.rights, d.reason}, buttons: []string{label, cancelLabel}}
	if from.group == kafka.OnUser && revoke {
		d.takeFrom(from.rule)
	}
	return d
}

// takeFrom fills the form from the rule under the cursor.
func (d *rightsDialog) takeFrom(rule kafka.ACLRule) {
	if who, err := kafka.ParsePrincipal(rule.Principal); err == nil {
		d.principal.input.set(who.Label())
	}
	for i, r := range tokenRights {
		if len(r.ops) == 1 && r.ops[0] == rule.Operation {
			d.rights.chosen = i
		}
	}
}

func (d *rightsDialog) name() string {
	if d.revoke {
		return "Revoke token rights"
	}
	return "Grant token rights"
}

// request reads the form.
func (d *rightsDialog) request() (kafka.RuleChange, bool) {
	who, err := kafka.ParseUser(d.principal.value())
	if err != nil {
		d.principal.problem, d.focus = err.Error(), 0
		return kafka.RuleChange{}, false
	}
	if d.revoke && d.reason.value() == "" {
		d.reason.problem, d.focus = "say why the rights end", 2
		return kafka.RuleChange{}, false
	}
	return kafka.RuleChange{Rules: kafka.TokenRules(d.owner, who, tokenRights[d.rights.chosen].ops...),
		Reason: d.reason.value(), Progress: &kafka.Progress{}}, true
}

func (d *rightsDialog) lines(m *Model, width int) []string {
	lines := []string{m.th.title.Render(d.name() + " on " + safeText(d.owner.String())), ""}
	lines = append(lines, d.view(m.th, width)...)
	lines = append(lines, "")
	who, err := kafka.ParseUser(d.principal.value())
	if d.revoke && err == nil {
		lines = append(lines, d.leftLines(m, width, who)...)
	}
	text := "CreateTokens lets it issue tokens that act as " + safeText(d.owner.Label()) + "; DescribeTokens lets it see " +
		"all of them. Kafka gives out every token's HMAC with that, so each of the two is as good as the user's password."
	lines = append(lines, warnLines(m.th, width, text)...)
	if err != nil {
		return lines
	}
	lines = append(lines, mutedLines(m.th, width, "The same with Kafka's own tool:")...)
	for _, rule := range kafka.TokenRules(d.owner, who, tokenRights[d.rights.chosen].ops...) {
		command := rule.AddCommand
		if d.revoke {
			command = rule.RemoveCommand
		}
		lines = append(lines, m.commandLines(width, command)...)
	}
	return lines
}

// leftLines say what revoking does not do: the rule that is deleted stands on
// the one user, and the right can come from a rule on more than that.
func (d *rightsDialog) leftLines(m *Model, width int, who kafka.Principal) []string {
	if m.rules.owner != d.owner || m.rules.read.IsZero() || m.rules.known.Failed[kafka.OnUser] != nil {
		return nil
	}
	var lines []string
	for _, rule := range kafka.TokenRules(d.owner, who, tokenRights[d.rights.chosen].ops...) {
		allow := m.rules.known.TokenRight(who, rule.Operation).Allow
		kept := slices.DeleteFunc(slices.Clone(allow), func(r kafka.ACLRule) bool { return r == rule })
		if len(kept) == len(allow) {
			lines = append(lines, warnLines(m.th, width, "There is no such rule to delete: "+safeText(rule.String())+".")...)
		}
		if len(kept) > 0 {
			lines = append(lines, warnLines(m.th, width, safeText(who.Label())+" keeps "+rule.Operation.String()+" by another rule: "+
				safeText(kept[0].String())+".")...)
		}
	}
	return lines
}
