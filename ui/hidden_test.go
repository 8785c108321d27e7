package ui

import (
	"errors"
	"strings"
	"testing"

	"dtok/kafka"
)

// "No delegation tokens" tells whether tokens may be hidden, exactly when they
// can be.
func TestEmpty_hidden(t *testing.T) {
	for _, c := range []struct {
		self   kafka.Principal
		hidden bool
	}{{ops, true}, {carol, false}, {kafka.Principal{}, true}} {
		d := newDriver(t, 80, 24, func(o *Options) { o.User = "carol" })
		d.broker.session.Principal = c.self
		d.sees("No delegation tokens")
		if got := strings.Contains(d.screen(), "may be hidden"); got != c.hidden {
			t.Errorf("as %v: hint %v, want %v", c.self, got, c.hidden)
		}
	}
}

// A list of some tells of more, exactly when there can be more.
func TestPartial_hidden(t *testing.T) {
	const hint = "More may be hidden without DescribeTokens on the User resource User:alice."
	for _, c := range []struct {
		name   string
		self   kafka.Principal
		change func(*fakeBroker)
		hidden bool
	}{
		{"a renewer", ops, nil, true},
		{"the owner", alice, nil, false},
		{"with the right", ops, func(b *fakeBroker) {
			b.rules = append(b.rules, rule(ops, kafka.OperationDescribeTokens, kafka.ResourceUser, "User:alice"))
		}, false},
		{"with the right on everyone", ops, func(b *fakeBroker) {
			b.rules = append(b.rules, rule(ops, kafka.OperationDescribeTokens, kafka.ResourceUser, "*"))
		}, false},
		{"with the right on another", ops, func(b *fakeBroker) {
			b.rules = append(b.rules, rule(ops, kafka.OperationDescribeTokens, kafka.ResourceUser, "User:bob"))
		}, true},
		{"nobody knows the rules", ops, func(b *fakeBroker) {
			b.rulesErr = errors.New("refused")
			b.failed = map[kafka.Source]error{kafka.FromACLs: b.rulesErr}
		}, true},
	} {
		d := newDriver(t, 80, 24)
		d.broker.session.Principal = c.self
		if c.change != nil {
			c.change(d.broker)
		}
		d.keys("r", "j", "enter") // the users tell of the rules
		d.sees("demo > alice > 3 tokens")
		if got := strings.Contains(flatten(d.screen()), hint); got != c.hidden {
			t.Errorf("%s: hint %v, want %v\n%s", c.name, got, c.hidden, d.screen())
		}
		if d.keys("t"); strings.Contains(d.screen(), hint) {
			t.Errorf("%s: the hint is on the list of all tokens", c.name)
		}
	}
}

// A right that the rules give hides nothing, and they are read to know.
func TestEmpty_rightKnown(t *testing.T) {
	for _, on := range []string{"*", "User:carol", "User:alice"} {
		d := newDriver(t, 80, 24)
		d.broker.rules = append(d.broker.rules, rule(ops, kafka.OperationDescribeTokens, kafka.ResourceUser, on))
		d.keys("o")
		d.typed("carol")
		d.keys("enter")
		d.sees("No delegation tokens")
		if got := strings.Contains(d.screen(), "may be hidden"); got != (on == "User:alice") {
			t.Errorf("rule on %s: hint %v", on, got)
		}
	}
}

// The list of all tokens may be empty because of what others have, unless one
// sees everybody's.
func TestEmpty_all(t *testing.T) {
	for name, c := range map[string]struct {
		rules  []kafka.ACLRule
		hidden bool
	}{
		"no rule": {nil, true},
		"one":     {[]kafka.ACLRule{rule(ops, kafka.OperationDescribeTokens, kafka.ResourceUser, "User:alice")}, true},
		"all":     {[]kafka.ACLRule{rule(ops, kafka.OperationAll, kafka.ResourceUser, "*")}, false},
	} {
		d := newDriver(t, 80, 24)
		d.broker.tokens, d.broker.rules = nil, c.rules
		d.keys("r", "t")
		d.sees("No delegation tokens")
		if got := strings.Contains(d.screen(), "may be hidden"); got != c.hidden {
			t.Errorf("%s: hint %v\n%s", name, got, d.screen())
		}
	}
}

// Without an authorizer nothing is hidden from anyone.
func TestHidden_noAuthorizer(t *testing.T) {
	none := &kafka.RefusedError{Op: kafka.OpListACLs, Code: kafka.CodeSecurityDisabled}
	for name, change := range map[string]func(*fakeBroker){
		"the users tell": func(b *fakeBroker) { b.failed = map[kafka.Source]error{kafka.FromACLs: none} },
		"the rules tell": func(b *fakeBroker) { b.rulesFailed = map[kafka.RuleGroup]error{kafka.OnUser: none} },
	} {
		d := newDriver(t, 80, 24)
		change(d.broker)
		d.keys("r", "j", "enter", "2", "1")
		d.sees("demo > alice > 3 tokens")
		if strings.Contains(d.screen(), "may be hidden") {
			t.Errorf("%s:\n%s", name, d.screen())
		}
	}
}

// Brokers before Kafka 3.3 know no rights on users, so none is asked for.
func TestHidden_oldBroker(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.broker.session.CanCreateForOthers = false
	d.keys("j", "enter")
	d.sees("More may be hidden without Describe on the token.")
	d.keys("o")
	d.typed("nobody")
	d.keys("enter")
	d.sees("sees them only with Describe on the token.")
	d.lacks("DescribeTokens")
}
