package kafka

import (
	"strings"
	"testing"
)

func TestACLNames(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{ResourceUser.String(), "User"}, {ResourceTransactionalID.String(), "TransactionalId"}, {ResourceType(99).String(), "type 99"},
		{ResourceType(1).String(), "type 1"}, {ResourceType(-3).String(), "type -3"},
		{OperationCreateTokens.String(), "CreateTokens"}, {OperationDescribeTokens.String(), "DescribeTokens"},
		{OperationTwoPhaseCommit.String(), "TwoPhaseCommit"}, {Operation(99).String(), "operation 99"}, {Operation(-128).String(), "operation -128"},
		{PatternPrefixed.String(), "PREFIXED"}, {PatternType(2).String(), "pattern 2"},
		{PermissionDeny.String(), "DENY"}, {Permission(9).String(), "permission 9"},
	} {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
	for _, r := range ResourceTypes() {
		if ops := r.Operations(); len(ops) < 2 || ops[0] != OperationAll {
			t.Errorf("%s: %v", r, ops)
		}
	}
	if n := len(AllOperations()); n != 14 {
		t.Errorf("%d operations", n)
	}
}

// The table is AclEntry.supportedOperations of Kafka 4.4.
func TestOperationsThatMeanSomething(t *testing.T) {
	want := map[ResourceType]string{
		ResourceTopic:           "All Read Write Create Delete Alter Describe DescribeConfigs AlterConfigs",
		ResourceGroup:           "All Read Delete Describe DescribeConfigs AlterConfigs",
		ResourceCluster:         "All Create Alter Describe ClusterAction DescribeConfigs AlterConfigs IdempotentWrite",
		ResourceTransactionalID: "All Write Describe TwoPhaseCommit",
		ResourceDelegationToken: "All Describe",
		ResourceUser:            "All CreateTokens DescribeTokens",
		99:                      "",
	}
	for kind, ops := range want {
		var got []string
		for _, op := range kind.Operations() {
			got = append(got, op.String())
		}
		if strings.Join(got, " ") != ops {
			t.Errorf("%s: %v, want %s", kind, got, ops)
		}
		for _, op := range AllOperations() {
			if r := rule(kind, "x", "User:bob", op); r.Meaningful() != strings.Contains(" "+ops+" ", " "+op.String()+" ") {
				t.Errorf("%s: Meaningful is %v", r, r.Meaningful())
			}
		}
	}
}

func TestRuleOnUser(t *testing.T) {
	dn := UserPrincipal("CN=alice,OU=x y:z")
	on := func(name string) ACLRule { return rule(ResourceUser, name, "User:bob", OperationCreateTokens) }
	for _, tc := range []struct {
		rule  ACLRule
		user  Principal
		on    bool
		right string // for a rule that never matches
	}{
		{on("User:alice"), alice, true, ""},
		{on("User:Alice"), alice, false, ""},
		{on("user:alice"), alice, false, ""},
		{on("*"), alice, true, ""},
		{on("alice"), alice, false, "User:alice"},
		{on(dn.String()), dn, true, ""},
		{on("Group:ops"), Principal{"Group", "ops"}, true, ""},
		{on("Group:ops"), ops, false, ""},
		{on("*"), Principal{"Group", "ops"}, true, ""},
		{on("spiffe://td/ns/x"), UserPrincipal("spiffe://td/ns/x"), false, "User:spiffe://td/ns/x"},
		{on(dn.Name), dn, false, "User:" + dn.Name},
		{on("RolePrincipal:x"), Principal{"RolePrincipal", "x"}, true, ""},
		{prefixed(on("User:al")), alice, true, ""},
		{prefixed(on("User:alice")), alice, true, ""},
		{prefixed(on("User:alice2")), alice, false, ""},
		{prefixed(on("U")), alice, true, ""},
		{prefixed(on("User:")), alice, true, ""},
		{prefixed(on("al")), alice, false, "User:al"},
		{prefixed(on("*")), alice, false, ""}, // a name that begins with a star
		{with(on("User:alice"), func(r *ACLRule) { r.Pattern = 99 }), alice, false, ""},
		{with(on("alice"), func(r *ACLRule) { r.Pattern = 99 }), alice, false, ""},
		{rule(ResourceTopic, "User:alice", "User:bob", OperationRead), alice, false, ""},
		{rule(ResourceTopic, "alice", "User:bob", OperationRead), alice, false, ""},
	} {
		if got := tc.rule.On(tc.user); got != tc.on {
			t.Errorf("%s on %s: %v", tc.rule, tc.user, got)
		}
		right, never := tc.rule.NeverMatches()
		if never != (tc.right != "") || right.ResourceName != tc.right {
			t.Errorf("%s never matches: %v, right is %q", tc.rule, never, right.ResourceName)
		}
		if never && (right.Principal != tc.rule.Principal || right.Pattern != tc.rule.Pattern || right.Operation != tc.rule.Operation) {
			t.Errorf("%s became %s", tc.rule, right)
		}
	}
}

func TestRuleAppliesTo(t *testing.T) {
	for _, tc := range []struct {
		principal string
		who       Principal
		want      bool
	}{
		{"User:alice", alice, true}, {"User:*", alice, true}, {"User:*", Principal{"Group", "ops"}, true},
		{"Group:*", Principal{"Group", "ops"}, false}, {"user:alice", alice, false}, {"alice", alice, false}, {"User:al*", alice, false},
	} {
		if got := rule(ResourceTopic, "t", tc.principal, OperationRead).AppliesTo(tc.who); got != tc.want {
			t.Errorf("%s applies to %s: %v", tc.principal, tc.who, got)
		}
	}
}

func TestRuleText(t *testing.T) {
	base := rule(ResourceUser, "User:alice", "User:bob", OperationCreateTokens)
	for _, tc := range []struct {
		rule ACLRule
		want string
	}{
		{base, "ALLOW User:bob CreateTokens on User User:alice"},
		{prefixed(denied(base)), "DENY User:bob CreateTokens on User User:alice (PREFIXED)"},
		{with(base, func(r *ACLRule) { r.Host = "10.0.0.1" }), "ALLOW User:bob CreateTokens on User User:alice from host 10.0.0.1"},
		{with(base, func(r *ACLRule) { r.Host, r.ResourceName, r.Principal = "", "", "a b" }), `ALLOW "a b" CreateTokens on User "" from host ""`},
		{with(base, func(r *ACLRule) { r.ResourceName = "x\x1b[31m\n" }), `ALLOW User:bob CreateTokens on User "x\x1b[31m\n"`},
		{ACLRule{99, "n", 9, "User:ü", "*", 99, 9}, "permission 9 User:ü operation 99 on type 99 n (pattern 9)"},
	} {
		if got := tc.rule.String(); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	}
}

func TestCheckAddAndWarnings(t *testing.T) {
	base := rule(ResourceTopic, "t", "User:bob", OperationRead)
	for _, tc := range []struct {
		change func(*ACLRule)
		err    string // "" is none
		warns  string
	}{
		{func(r *ACLRule) {}, "", ""},
		{func(r *ACLRule) { r.ResourceName = "" }, "needs a name", ""},
		{func(r *ACLRule) { r.ResourceType, r.ResourceName = ResourceCluster, "mine" }, "kafka-cluster", "Read means nothing on a Cluster"},
		{func(r *ACLRule) {
			r.ResourceType, r.ResourceName, r.Operation = ResourceCluster, "kafka-cluster", OperationAlter
		}, "", ""},
		{func(r *ACLRule) { r.ResourceType = 1 }, "one resource type", ""},
		{func(r *ACLRule) { r.ResourceType = 99 }, "does not know", ""},
		{func(r *ACLRule) { r.Operation = 1 }, "one operation", "operation 1 means nothing"},
		{func(r *ACLRule) { r.Operation = 99 }, "does not know", "operation 99 means nothing"},
		{func(r *ACLRule) { r.Pattern = 2 }, "LITERAL or PREFIXED", ""},
		{func(r *ACLRule) { r.Permission = 1 }, "ALLOW or DENY", ""},
		{func(r *ACLRule) { r.Host = "" }, "the host is", "never matches"},
		{func(r *ACLRule) { r.Host = "db.example.org" }, "", "host name never matches"},
		{func(r *ACLRule) { r.Host = "10.0.0.0/8" }, "", ""},
		{func(r *ACLRule) { r.Host = "2001:db8::1" }, "", ""},
		{func(r *ACLRule) { r.Principal = "bob" }, "Type:name", ""},
		{func(r *ACLRule) { r.Principal = "User:" }, "Type:name", ""},
		{func(r *ACLRule) { r.Principal = "" }, "Type:name", ""},
		{func(r *ACLRule) { r.Principal = "RolePrincipal:x" }, "", ""},
		{func(r *ACLRule) { r.Principal = "User:spiffe://td/ns/x" }, "", ""},
		{func(r *ACLRule) { r.Principal = "Group:*" }, "", "nobody's wildcard"},
		{func(r *ACLRule) { r.Operation = OperationCreateTokens }, "", "CreateTokens means nothing on a Topic resource"},
		{func(r *ACLRule) { r.ResourceName = strings.Repeat("x", 32768) }, "longer than the protocol", ""},
	} {
		r := with(base, tc.change)
		err := r.CheckAdd()
		if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%.100s: %v, want %q", r, err, tc.err)
		}
		warns := strings.Join(r.Warnings(), " ")
		if (warns == "") != (tc.warns == "") || !strings.Contains(warns, tc.warns) {
			t.Errorf("%.100s warns %q, want %q", r, warns, tc.warns)
		}
	}
}

func TestTokenRight(t *testing.T) {
	bob := UserPrincipal("bob")
	list := func(rules ...ACLRule) RuleList { return RuleList{User: alice, On: rules} }
	rules := TokenRules(alice, bob, OperationCreateTokens, OperationDescribeTokens)
	create, describe := rules[0], rules[1]
	if create.String() != "ALLOW User:bob CreateTokens on User User:alice" || describe.Operation != OperationDescribeTokens {
		t.Fatalf("rules %v", rules)
	}
	fromOne := with(create, func(r *ACLRule) { r.Host = "10.0.0.1" })
	for _, tc := range []struct {
		name              string
		list              RuleList
		given             bool
		allow, deny, bare int
	}{
		{"none", list(), false, 0, 0, 0},
		{"the rule", list(create), true, 1, 0, 0},
		{"the other operation implies nothing", list(describe), false, 0, 0, 0},
		{"All", list(with(create, func(r *ACLRule) { r.Operation = OperationAll })), true, 1, 0, 0},
		{"for everyone", list(with(create, func(r *ACLRule) { r.Principal = "User:*" })), true, 1, 0, 0},
		{"for somebody else", list(with(create, func(r *ACLRule) { r.Principal = "User:carol" })), false, 0, 0, 0},
		{"DENY wins", list(create, denied(create)), false, 1, 1, 0},
		{"DENY from one host wins there", list(create, denied(fromOne)), false, 1, 1, 0},
		{"from one host only", list(fromOne), false, 1, 0, 0},
		{"on the bare name", list(with(create, func(r *ACLRule) { r.ResourceName = "alice" })), false, 0, 0, 1},
	} {
		got := tc.list.TokenRight(bob, OperationCreateTokens)
		if got.Given() != tc.given || len(got.Allow) != tc.allow || len(got.Deny) != tc.deny || len(got.Bare) != tc.bare {
			t.Errorf("%s: %+v, given %v", tc.name, got, got.Given())
		}
	}
}

func TestRightOnAll(t *testing.T) {
	bob := UserPrincipal("bob")
	one := TokenRules(alice, bob, OperationDescribeTokens)[0]
	all := with(one, func(r *ACLRule) { r.ResourceName = "*" })
	for name, tc := range map[string]struct {
		rules []ACLRule
		want  bool
	}{
		"none":                        {nil, false},
		"on one user":                 {[]ACLRule{one}, false},
		"on all":                      {[]ACLRule{one, all}, true},
		"All on all, for everyone":    {[]ACLRule{with(all, func(r *ACLRule) { r.Operation, r.Principal = OperationAll, "User:*" })}, true},
		"another operation":           {[]ACLRule{with(all, func(r *ACLRule) { r.Operation = OperationCreateTokens })}, false},
		"for somebody else":           {[]ACLRule{with(all, func(r *ACLRule) { r.Principal = "User:carol" })}, false},
		"from one host":               {[]ACLRule{with(all, func(r *ACLRule) { r.Host = "10.0.0.1" })}, false},
		"on all topics":               {[]ACLRule{with(all, func(r *ACLRule) { r.ResourceType = ResourceTopic })}, false},
		"on all whose name begins so": {[]ACLRule{with(all, func(r *ACLRule) { r.ResourceName, r.Pattern = "User:a", PatternPrefixed })}, false},
		"but not on one":              {[]ACLRule{all, denied(one)}, false},
		"but not topics":              {[]ACLRule{all, denied(with(one, func(r *ACLRule) { r.ResourceType = ResourceTopic }))}, true},
	} {
		if got := RightOnAll(tc.rules, bob, OperationDescribeTokens); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
