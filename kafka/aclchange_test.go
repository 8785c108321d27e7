package kafka

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"
)

var createTokens = rule(ResourceUser, "User:alice", "User:bob", OperationCreateTokens)

func TestAddRules(t *testing.T) {
	var store *ruleStore
	s := opsStub(t, func(s *stub) { store = s.stores(createTokens) })
	c, _ := dialStub(t, s)
	progress := new(Progress)
	rules := TokenRules(alice, UserPrincipal("bob"), OperationCreateTokens, OperationDescribeTokens)
	changed, err := c.AddRules(t.Context(), RuleChange{Rules: rules, Reason: "ticket 7", Progress: progress})
	if err != nil {
		t.Fatal(err)
	}
	want := []RuleResult{{Rule: rules[0], Existed: true}, {Rule: rules[1]}}
	if diff := cmp.Diff(want, changed.Results); diff != "" {
		t.Error(diff)
	}
	if got := store.all(); len(got) != 2 || !slices.Contains(got, rules[1]) || s.count(30) != 1 || progress.Phase() != PhaseSent {
		t.Errorf("%v after %d requests, phase %d", got, s.count(30), progress.Phase())
	}
	for _, key := range []int16{29, 30} {
		if req := s.requests(key)[0]; req.GetVersion() != 3 {
			t.Errorf("key %d v%d", key, req.GetVersion())
		}
	}
}

// Rules that differ in one field only: deleting one must leave the others.
func TestDeleteRuleLeavesItsNeighbours(t *testing.T) {
	base := ACLRule{ResourceTopic, "pay", PatternPrefixed, "User:alice", "10.0.0.1", OperationRead, PermissionAllow}
	neighbours := []ACLRule{
		with(base, func(r *ACLRule) { r.Host = "*" }), with(base, func(r *ACLRule) { r.Host = "" }),
		with(base, func(r *ACLRule) { r.Pattern = PatternLiteral }), with(base, func(r *ACLRule) { r.Operation = OperationAll }),
		with(base, func(r *ACLRule) { r.Permission = PermissionDeny }), with(base, func(r *ACLRule) { r.Principal = "User:*" }),
		with(base, func(r *ACLRule) { r.ResourceName = "payments" }), with(base, func(r *ACLRule) { r.ResourceName = "*" }),
		with(base, func(r *ACLRule) { r.ResourceType = ResourceGroup }), with(base, func(r *ACLRule) { r.Operation = 99 }),
	}
	for _, victim := range append([]ACLRule{base}, neighbours...) {
		var store *ruleStore
		s := opsStub(t, func(s *stub) { store = s.stores(append([]ACLRule{base}, neighbours...)...) })
		c, _ := dialStub(t, s)
		changed, err := c.DeleteRules(t.Context(), RuleChange{Rules: []ACLRule{victim}, Reason: "not needed"})
		if err != nil || len(changed.Results) != 1 || !changed.Results[0].Existed || !slices.Equal(changed.Results[0].Removed, []ACLRule{victim}) {
			t.Errorf("%s: %+v, %v", victim, changed, err)
		}
		if left := store.all(); len(left) != len(neighbours) || slices.Contains(left, victim) {
			t.Errorf("%s: %d rules left", victim, len(left))
		}
		f := s.requests(31)[0].(*kmsg.DeleteACLsRequest).Filters
		if len(f) != 1 || f[0].ResourceName == nil || f[0].Principal == nil || f[0].Host == nil || f[0].ResourceType <= 1 ||
			f[0].ResourcePatternType < 3 || f[0].Operation <= 1 || f[0].PermissionType <= 1 {
			t.Errorf("the filter can match more than one rule: %+v", f)
		}
		if s.count(31) != 1 {
			t.Errorf("%d deletions were sent", s.count(31))
		}
		c.Close()
	}
}

func TestNothingIsDeletedByAFilterThatIsOpen(t *testing.T) {
	s := opsStub(t, func(s *stub) { s.stores() })
	c, _ := dialStub(t, s)
	for _, open := range []func(*ACLRule){
		func(r *ACLRule) { r.ResourceType = 1 }, func(r *ACLRule) { r.ResourceType = 0 }, func(r *ACLRule) { r.Pattern = 1 },
		func(r *ACLRule) { r.Pattern = 2 }, func(r *ACLRule) { r.Pattern = 0 }, func(r *ACLRule) { r.Operation = 1 },
		func(r *ACLRule) { r.Operation = 0 }, func(r *ACLRule) { r.Permission = 1 }, func(r *ACLRule) { r.Permission = 0 },
		func(r *ACLRule) { *r = ACLRule{} },
	} {
		if _, err := c.DeleteRules(t.Context(), RuleChange{Rules: []ACLRule{with(createTokens, open)}}); err == nil || !strings.HasSuffix(err.Error(), "; nothing was sent") {
			t.Errorf("%v", err)
		}
	}
	for _, rules := range [][]ACLRule{nil, {createTokens, createTokens}, slices.Repeat([]ACLRule{createTokens}, MaxRules+1)} {
		if _, err := c.DeleteRules(t.Context(), RuleChange{Rules: rules}); err == nil {
			t.Errorf("%d rules were taken", len(rules))
		}
	}
	if s.count(31)+s.count(29) != 0 {
		t.Errorf("sent %v", s.keys())
	}
}

// The reading before a change may find the connection dead; the change is then
// sent once, over the new one.
func TestRuleChangeAfterTheBrokerClosed(t *testing.T) {
	var store *ruleStore
	s := opsStub(t, func(s *stub) { store = s.stores() })
	c, _ := dialStub(t, s)
	s.closeConns()
	if _, err := c.AddRules(t.Context(), RuleChange{Rules: []ACLRule{createTokens}}); err != nil {
		t.Fatal(err)
	}
	if len(store.all()) != 1 || s.count(30) != 1 || s.connections() != 2 {
		t.Errorf("%v, %d requests, %d connections", store.all(), s.count(30), s.connections())
	}
}

func TestReplaceRule(t *testing.T) {
	wrong := with(createTokens, func(r *ACLRule) { r.ResourceName = "alice" })
	right, never := wrong.NeverMatches()
	if !never || right != createTokens {
		t.Fatal(right)
	}
	for _, tc := range []struct {
		name   string
		change func(*stub)
		left   []ACLRule
		text   string
	}{
		{"done", func(*stub) {}, []ACLRule{right}, ""},
		{"adding fails", func(s *stub) { s.on[30] = func(kmsg.Request) answer { return answer{drop: true} } }, []ACLRule{wrong},
			"The rule ALLOW User:bob CreateTokens on User alice was left as it is."},
		{"deleting is lost", func(s *stub) { s.on[31] = func(kmsg.Request) answer { return answer{drop: true} } }, []ACLRule{wrong, right},
			"The rule ALLOW User:bob CreateTokens on User User:alice was added. Deleting ALLOW User:bob CreateTokens on User alice did not end well: The outcome of"},
	} {
		var store *ruleStore
		s := opsStub(t, func(s *stub) { store = s.stores(wrong); tc.change(s) })
		c, _ := dialStub(t, s)
		done, err := ReplaceRule(t.Context(), c, ReplaceRequest{Wrong: wrong, Right: right, Reason: "typo"})
		if (err == nil) != (tc.text == "") || err != nil && !strings.Contains(err.Error(), tc.text) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if err != nil {
			if e := as[*ReplaceError](t, err); e.Hint() == "" || e.Added != strings.Contains(tc.text, "was added") {
				t.Errorf("%s: %+v", tc.name, e)
			}
		} else if done.Added.Rule != right || !slices.Equal(done.Deleted.Removed, []ACLRule{wrong}) {
			t.Errorf("%s: %+v", tc.name, done)
		}
		if !slices.Equal(store.all(), tc.left) {
			t.Errorf("%s: %v", tc.name, texts(store.all()))
		}
	}
	if _, err := ReplaceRule(t.Context(), ReadOnly{}, ReplaceRequest{Wrong: wrong, Right: wrong}); err == nil {
		t.Error("a rule replaced itself")
	}
}

func TestReadOnlyRefusesRulesAndQuotas(t *testing.T) {
	ro := ReadOnly{Reason: "change freeze"}
	_, add := ro.AddRules(t.Context(), RuleChange{})
	_, del := ro.DeleteRules(t.Context(), RuleChange{})
	_, set := ro.SetQuota(t.Context(), QuotaChange{})
	_, remove := ro.RemoveQuota(t.Context(), QuotaChange{})
	for _, err := range []error{add, del, set, remove} {
		if e := as[*ReadOnlyError](t, err); e.Reason != "change freeze" {
			t.Error(err)
		}
	}
}
