package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dtok/kafka"
)

func TestRules(t *testing.T) {
	d := onPage(t)
	d.keys("2")
	d.sees("[2 ACL rules (6)]", "rules of this user (3)", "rules for everyone (1)", "rules on this user (2)", "!DENY",
		"type 42 future", "operation 99", "! User alice")
	d.golden("rules-80x24")
	d.keys("G")
	d.keys("k")
	d.keys("enter")
	d.sees("ACL rule", "--user-principal", "kafka-acls")
	d.keys("esc")
	d.keys("home")
	d.keys("1")
	d.sees("[1 Tokens")
}

func TestRules_wide(t *testing.T) {
	d := newDriver(t, 160, 45)
	d.keys("j", "enter", "2")
	d.golden("rules-160x45")
	d.keys("3")
	d.golden("quotas-160x45")
}

// ops gives bob the right in two keys; the page shows it and reads again.
func TestGrantAndRevoke(t *testing.T) {
	d := onPage(t)
	d.keys("2", "g")
	d.sees("Grant token rights on User:alice")
	d.typed("bob")
	d.golden("grant-80x24")
	d.keys("tab", "tab", "tab", "enter")
	d.sees("done: granted: ALLOW User:bob CreateTokens on User User:alice")
	asked := len(d.broker.asked)
	d.advance(2 * time.Second)
	if got := fmt.Sprint(d.broker.asked[asked:]); got != "[rules User:alice]" {
		t.Errorf("asked %s", got)
	}
	d.sees("rules on this user (3)")
	d.keys("R")
	d.sees("Revoke token rights")
	d.typed("bob")
	d.keys("tab", "right", "right", "tab", "tab", "enter")
	d.sees("say why the rights end")
	d.typed("project over")
	d.keys("tab", "enter")
	d.sees("done: revoked: ALLOW User:bob CreateTokens", "ALLOW User:bob DescribeTokens")
	if n := count(d.broker.asked, "delete "); n != 2 {
		t.Errorf("asked %v", d.broker.asked)
	}
}

func TestAddRule(t *testing.T) {
	d := onPage(t)
	d.keys("2", "a")
	d.sees("Add ACL rule", "Topic", "< ")
	d.keys("tab")
	d.typed("orders")
	d.sees("--operation", "--topic orders")
	d.golden("add-rule-80x24")
	d.keys("shift+tab", "c")
	d.sees("kafka-cluster")
	d.keys("u", "tab", "tab", "tab", "c")
	d.sees("CreateTokens")
	for range 5 {
		d.keys("tab")
	}
	d.keys("enter")
	d.sees("the resource needs a name")
	if count(d.broker.asked, "add ") != 0 {
		t.Error("something was sent")
	}
}

// A rule that Kafka would store, and that is likely not meant, is added with
// open eyes.
func TestAddRule_warns(t *testing.T) {
	const host = "so a host name never matches"
	d := onPage(t)
	d.keys("2", "a", "tab")
	d.typed("orders")
	d.lacks(host)
	for range 5 {
		d.keys("tab")
	}
	d.keys("ctrl+u")
	d.typed("worker1.example")
	d.sees(host, "--allow-host worker1.example")
}

// A broker that knows no rules on User resources is not asked for one.
func TestAddRule_oldBroker(t *testing.T) {
	d := onPage(t)
	d.broker.rulesFailed = map[kafka.RuleGroup]error{kafka.OnUser: &kafka.OldRulesError{What: "User", Needs: "3.3", Detected: "Kafka 2.8"}}
	d.keys("2")
	d.sees("(g grant)", "(R revoke)")
	d.keys("g")
	d.sees("This broker knows no rules on User resources, which need Kafka 3.3 or later (detected: Kafka 2.8).")
	d.lacks("Grant token rights on")
	d.keys("a")
	for range kafka.ResourceTypes() {
		d.lacks("< User >")
		d.keys("right")
	}
}

func TestDeleteRule(t *testing.T) {
	d := onPage(t)
	d.keys("2", "x")
	d.sees("Delete this ACL rule?", "> [ Cancel ]")
	d.golden("delete-rule-80x24")
	d.keys("tab", "tab", "enter")
	d.sees("say why")
	d.typed("no longer needed")
	d.keys("tab", "enter")
	d.sees("done: deleted:", "rules of this user (2)")
}

// A rule on a bare name is flagged and replaced by the right one.
func TestFixRule(t *testing.T) {
	d := onPage(t)
	d.keys("2", "G")
	for range 3 {
		if row, ok := d.m.rules.current(); ok && row.never {
			break
		}
		d.keys("k")
	}
	d.sees("This rule never matches: the authorizer looks for User:alice, not alice.", "f replaces it")
	d.keys("f")
	d.sees("Replace this ACL rule?", "Is added", "Is then deleted")
	d.keys("tab")
	d.typed("typo")
	d.keys("tab", "enter")
	d.sees("done: replaced by ALLOW User:bob CreateTokens on User User:alice")
	d.lacks("! User alice")
	d.keys("f")
	d.sees("needs no fix")
}

func TestRules_failed(t *testing.T) {
	refused := &kafka.RefusedError{Op: kafka.OpListACLs, Code: kafka.CodeClusterAuth}
	d := onPage(t)
	d.broker.rulesFailed = map[kafka.RuleGroup]error{kafka.OfUser: refused, kafka.ForEveryone: refused, kafka.OnUser: refused}
	d.broker.rules = nil
	d.keys("2")
	if n := strings.Count(flatten(d.screen()), "it needs Describe on the cluster"); n != 1 {
		t.Errorf("said %d times:\n%s", n, d.screen())
	}
	d.sees("[2 ACL rules (?)]")
	d.keys("3")
	d.sees("[3 Quotas")
}

func TestQuotas(t *testing.T) {
	d := onPage(t)
	d.keys("3")
	d.sees("[3 Quotas (4)]", "What applies to alice with client-id \"etl\"", "level 1 of 8", "not limited", "200 %")
	d.lacks("200 B/s")
	d.golden("quotas-80x24")
	d.keys("j")
	d.sees("What applies to alice with a client-id that no quota names", "level 3 of 8", "level 6 of 8")
	d.keys("e")
	d.sees("Set quota", "level 3 of 8", "It is 1 MiB/s")
	d.golden("set-quota-80x24")
	d.keys("ctrl+u")
	d.typed("2MiB")
	d.sees("That is 2 MiB/s (2097152")
	d.keys("tab")
	d.typed("month end")
	d.keys("tab", "enter")
	d.sees("done: set producer_byte_rate of user alice to 2 MiB/s")
	if n := count(d.broker.asked, "set user alice producer_byte_rate=2.097152e+06 because month end"); n != 1 {
		t.Errorf("asked %v", d.broker.asked)
	}
	d.keys("x")
	d.sees("Remove this quota?")
	d.keys("tab")
	d.typed("done")
	d.keys("tab", "enter")
	d.sees("done: removed producer_byte_rate of user alice")
}

func TestQuotas_badInput(t *testing.T) {
	for _, value := range []string{"0", "-1", "NaN", "1.5", "abc", ""} {
		d := onPage(t)
		d.keys("3", "j", "e", "ctrl+u")
		d.typed(value)
		d.keys("tab")
		d.typed("why")
		d.keys("tab", "enter")
		if count(d.broker.asked, "set ") != 0 || d.m.dialog == nil {
			t.Errorf("%q was sent", value)
		}
	}
}

// The tabs belong to a user: another user's are read anew, and a late answer
// of an earlier one is dropped.
func TestTabs_lateAnswer(t *testing.T) {
	d := onPage(t)
	d.hold = true
	d.keys("2", "esc", "j", "enter", "2")
	d.sees("demo > bob > ACL rules")
	d.release()
	d.sees("rules of this user (1)")
	d.lacks("orders")
}

func TestTabs_readOnly(t *testing.T) {
	d := onPage(t, func(o *Options) { o.Environments[0].ReadOnly = "freeze" })
	for _, keys := range [][]string{{"2", "a"}, {"x"}, {"g"}, {"R"}, {"3", "e"}, {"x"}} {
		d.keys(keys...)
		d.sees("! read-only: freeze")
		if d.m.dialog != nil {
			t.Errorf("%v opened a dialog", keys)
		}
	}
}

func TestTabs_keys(t *testing.T) {
	d := onPage(t)
	for _, want := range []string{"[2 ACL rules", "[3 Quotas", "[1 Tokens"} {
		d.keys("tab")
		d.sees(want)
	}
	d.keys("shift+tab")
	d.sees("[3 Quotas")
	d.keys("esc")
	d.sees("demo > Users")
	d.keys("t", "2")
	d.sees("the list of all tokens has no tabs")
}

// The create dialog names the rule that is missing, and one on the bare name.
func TestCreate_rights(t *testing.T) {
	d := onPage(t)
	d.keys("c")
	d.lacks("is missing")
	d.sees("This connection sees the tokens that it requests")
	d.keys("esc")
	d.broker.session.Principal = bob
	d.keys("c")
	d.sees("There is a rule on the bare name, which never matches: ALLOW User:bob CreateTokens on User alice", "f replaces it")
	d.keys("esc")
	d.broker.session.Principal = carol
	d.keys("c")
	d.sees("CreateTokens on the User resource User:alice is missing", "g grants it")
	d.golden("create-missing-right-80x24")
	d.lacks("topic")
}

// Revoking deletes the rule on the one user; the dialog says when there is
// none, and when another rule still gives the right.
func TestRevoke_whatStays(t *testing.T) {
	all := rule(ops, kafka.OperationCreateTokens, kafka.ResourceUser, "*")
	for _, c := range []struct {
		who        string
		rules      []kafka.ACLRule
		sees, lack string
	}{
		{"ops", nil, "", "!"},
		{"carol", nil, "There is no such rule to delete: ALLOW User:carol CreateTokens on User User:alice.", "keeps"},
		{"bob", nil, "There is no such rule to delete", "keeps"}, // its rule stands on the bare name
		{"ops", []kafka.ACLRule{all}, "ops keeps CreateTokens by another rule: ALLOW User:ops CreateTokens on User *.", "no such rule"},
	} {
		d := onPage(t)
		d.broker.rules = append(d.broker.rules, c.rules...)
		d.keys("2", "R")
		d.typed(c.who)
		d.keys("tab")
		text := flatten(d.screen())
		if !strings.Contains(text, c.sees) {
			t.Errorf("%s: no %q in\n%s", c.who, c.sees, d.screen())
		}
		if c.lack != "!" && strings.Contains(text, c.lack) {
			t.Errorf("%s: %q in\n%s", c.who, c.lack, d.screen())
		}
	}
}

// A value that is on the page because it is set for many is changed and removed
// with a word on that.
func TestQuotas_ofOthers(t *testing.T) {
	const warning = "This is not alice's own: it holds for other users, too."
	d := onPage(t)
	d.keys("3", "e")
	d.sees("Set on user alice")
	d.lacks(warning)
	d.keys("esc", "G", "e")
	d.sees("Set on default user", warning)
	d.keys("esc", "x")
	d.sees("Remove this quota?", warning)
}
