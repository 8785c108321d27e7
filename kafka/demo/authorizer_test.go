package demo

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestAllow(t *testing.T) {
	on := userResource
	ask := func(op kmsg.ACLOperation, name string) request {
		return request{principal: "User:ops", host: "127.0.0.1", operation: op, resourceType: on, name: name, cidr: true}
	}
	rule1 := func(op kmsg.ACLOperation, name string) rule { return allowed("ops", op, on, name) }
	for _, tc := range []struct {
		name  string
		rules []rule
		ask   request
		want  bool
	}{
		{"no rule", nil, ask(createTokens, "User:a"), false},
		{"literal", []rule{rule1(createTokens, "User:a")}, ask(createTokens, "User:a"), true},
		{"another name", []rule{rule1(createTokens, "User:ab")}, ask(createTokens, "User:a"), false},
		{"a bare name never matches", []rule{rule1(createTokens, "a")}, ask(createTokens, "User:a"), false},
		{"literal is no prefix", []rule{rule1(createTokens, "User:")}, ask(createTokens, "User:a"), false},
		{"wildcard name", []rule{rule1(createTokens, "*")}, ask(createTokens, "Group:x"), true},
		{"prefix", []rule{rule1(createTokens, "User:te").prefixed()}, ask(createTokens, "User:team"), true},
		{"prefix is the whole name", []rule{rule1(createTokens, "User:team").prefixed()}, ask(createTokens, "User:team"), true},
		{"a prefix of * is no wildcard", []rule{rule1(createTokens, "*").prefixed()}, ask(createTokens, "User:a"), false},
		{"another principal", []rule{allowed("bob", createTokens, on, "*")}, ask(createTokens, "User:a"), false},
		{"everyone", []rule{allowed("*", createTokens, on, "*")}, ask(createTokens, "User:a"), true},
		{"no other wildcard for principals", []rule{{on, "*", kmsg.ACLResourcePatternTypeLiteral, "Group:*", "*", createTokens, kmsg.ACLPermissionTypeAllow}}, ask(createTokens, "User:a"), false},
		{"another resource type", []rule{allowed("ops", createTokens, tokenResource, "User:a")}, ask(createTokens, "User:a"), false},
		{"host", []rule{rule1(createTokens, "*").from("127.0.0.1")}, ask(createTokens, "User:a"), true},
		{"another host", []rule{rule1(createTokens, "*").from("10.0.0.1")}, ask(createTokens, "User:a"), false},
		{"range of hosts", []rule{rule1(createTokens, "*").from("127.0.0.0/8")}, ask(createTokens, "User:a"), true},
		{"another range", []rule{rule1(createTokens, "*").from("10.0.0.0/8")}, ask(createTokens, "User:a"), false},
		{"DENY wins", []rule{rule1(createTokens, "*"), rule1(createTokens, "User:a").denied()}, ask(createTokens, "User:a"), false},
		{"DENY of another name", []rule{rule1(createTokens, "*"), rule1(createTokens, "User:b").denied()}, ask(createTokens, "User:a"), true},
		{"DENY ALL", []rule{rule1(createTokens, "*"), rule1(opAll, "User:a").denied()}, ask(createTokens, "User:a"), false},
		{"DENY for everyone", []rule{rule1(createTokens, "*"), allowed("*", createTokens, on, "User:").prefixed().denied()}, ask(createTokens, "User:a"), false},
		{"DENY implies nothing", []rule{rule1(describe, "*"), rule1(alter, "*").denied()}, ask(describe, "User:a"), true},
		{"ALL", []rule{rule1(opAll, "*")}, ask(describeTokens, "User:a"), true},
		{"READ implies DESCRIBE", []rule{rule1(opRead, "*")}, ask(describe, "x"), true},
		{"WRITE implies DESCRIBE", []rule{rule1(opWrite, "*")}, ask(describe, "x"), true},
		{"DELETE implies DESCRIBE", []rule{rule1(opDelete, "*")}, ask(describe, "x"), true},
		{"ALTER implies DESCRIBE", []rule{rule1(alter, "*")}, ask(describe, "x"), true},
		{"ALTER_CONFIGS implies DESCRIBE_CONFIGS", []rule{rule1(alterConfigs, "*")}, ask(describeConfigs, "x"), true},
		{"ALTER_CONFIGS does not imply DESCRIBE", []rule{rule1(alterConfigs, "*")}, ask(describe, "x"), false},
		{"DESCRIBE does not imply READ", []rule{rule1(describe, "*")}, ask(opRead, "x"), false},
		{"CREATE_TOKENS does not imply DESCRIBE_TOKENS", []rule{rule1(createTokens, "*")}, ask(describeTokens, "User:a"), false},
		{"DESCRIBE_TOKENS does not imply CREATE_TOKENS", []rule{rule1(describeTokens, "*")}, ask(createTokens, "User:a"), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set := ruleSet{}
			for _, r := range tc.rules {
				set.add(r)
			}
			if got := set.allow(tc.ask); got != tc.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestRangesBefore44(t *testing.T) {
	set := ruleSet{}
	set.add(allowed("ops", describe, clusterResource, clusterName).from("127.0.0.0/8"))
	q := request{principal: "User:ops", host: "127.0.0.1", operation: describe, resourceType: clusterResource, name: clusterName}
	if set.allow(q) {
		t.Error("a range of hosts counted on a release that has none")
	}
}

func TestParseRange(t *testing.T) {
	for host, want := range map[string]string{
		"10.0.0.0/8":   "",
		"10.0.0.5/08":  "",
		"10.0.0.0/0":   "",
		"fe80::/10":    "",
		"10.0.0.0/99":  "Value [99] not in range [0,32]",
		"10.300.0.0/8": "Value [300] not in range [0,255]",
		"10.0.0/8":     "Could not parse [10.0.0/8]",
		"10.0.0.0/8/8": "Could not parse [10.0.0.0/8/8]",
		"10.0.0.0/":    "Could not parse [10.0.0.0/]",
		"/8":           "Could not parse [/8]",
		"abc/8":        "Could not parse [abc/8]",
		"fe80::/200":   "Could not parse [fe80::/200] - prefix length must be between 0 and 128",
		"fe80::/x":     "Could not parse [fe80::/x] - invalid prefix length",
	} {
		network, fault := parseRange(host)
		if fault != want || (fault == "") != network.IsValid() {
			t.Errorf("%s: %q, want %q", host, fault, want)
		}
	}
}

func TestOpenedByRules(t *testing.T) {
	b, _ := bare(t, Cluster{})
	a := as(t, b, alice)
	for _, step := range []struct {
		rule  rule
		owner string
		want  int16
	}{
		{allowed(alice, createTokens, userResource, "bob"), "User:bob", 65},
		{allowed(alice, createTokens, userResource, "User:bob"), "User:bob", 0},
		{allowed(alice, createTokens, userResource, "User:team-").prefixed(), "User:team-x", 0},
		{allowed(alice, describeTokens, userResource, "*"), "User:carol", 65},
		{allowed("*", opAll, userResource, "Group:x"), "Group:x", 0},
		{allowed("*", createTokens, userResource, "User:bob").denied(), "User:bob", 65},
	} {
		addRule(t, b, step.rule)
		if r := a.create(step.owner, -1); r.ErrorCode != step.want {
			t.Errorf("after %v: code %d, want %d", step.rule, r.ErrorCode, step.want)
		}
	}
	if r := as(t, b, admin).create("User:anyone", -1); r.ErrorCode != 0 {
		t.Errorf("super user: code %d", r.ErrorCode)
	}
}
