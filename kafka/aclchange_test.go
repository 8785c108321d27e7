package kafka

import (
	"context"
	"errors"
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

func answersDelete(code int16, removed ...ACLRule) func(*stub) {
	return func(s *stub) {
		s.stores(createTokens)
		s.on[31] = func(r kmsg.Request) answer {
			resp := r.ResponseKind().(*kmsg.DeleteACLsResponse)
			result := kmsg.DeleteACLsResponseResult{ErrorCode: code, ErrorMessage: kmsg.StringPtr("Request Request(processor=1) needs ALTER permission.")}
			for _, rule := range removed {
				result.MatchingACLs = append(result.MatchingACLs, matching(rule))
			}
			resp.Results = append(resp.Results, result)
			return reply(resp)
		}
	}
}

func TestDeleteRuleThatRemovesAnotherNumber(t *testing.T) {
	other := rule(ResourceUser, "*", "User:bob", OperationCreateTokens)
	for _, tc := range []struct {
		removed []ACLRule
		text    string
	}{
		{nil, "The cluster removed no rule: ALLOW User:bob CreateTokens on User User:alice was not there."},
		{[]ACLRule{createTokens, other}, "The cluster removed 2 rules instead of the one that was meant, ALLOW User:bob CreateTokens on User User:alice: " +
			"ALLOW User:bob CreateTokens on User User:alice; ALLOW User:bob CreateTokens on User *."},
		{[]ACLRule{other}, "The cluster removed another rule than the one that was meant, ALLOW User:bob CreateTokens on User User:alice: " +
			"ALLOW User:bob CreateTokens on User *."},
	} {
		c, _ := dialStub(t, opsStub(t, answersDelete(0, tc.removed...)))
		changed, err := c.DeleteRules(t.Context(), RuleChange{Rules: []ACLRule{createTokens}})
		if e := as[*RemovedCountError](t, err); e.Error() != tc.text || e.Hint() == "" {
			t.Errorf("%v", err)
		}
		if len(changed.Results) != 1 || len(changed.Results[0].Removed) != len(tc.removed) {
			t.Errorf("%+v", changed)
		}
	}
}

func TestRefusedRuleChanges(t *testing.T) {
	answersCreate := func(code int16, text string) func(*stub) {
		return func(s *stub) {
			s.stores()
			s.on[30] = func(r kmsg.Request) answer {
				resp := r.ResponseKind().(*kmsg.CreateACLsResponse)
				resp.Results = []kmsg.CreateACLsResponseResult{{ErrorCode: code, ErrorMessage: &text}}
				return reply(resp)
			}
		}
	}
	add, del := (*Client).AddRules, (*Client).DeleteRules
	for _, tc := range []struct {
		name   string
		change func(*stub)
		do     func(*Client, context.Context, RuleChange) (RulesChanged, error)
		text   string
	}{
		{"31", answersCreate(31, "Request Request(processor=5) needs ALTER permission."), add, "This connection's identity may not add ACL rules: it needs Alter on the cluster."},
		{"31 delete", answersDelete(31), del, "This connection's identity may not delete ACL rules: it needs Alter on the cluster."},
		{"54", answersCreate(54, "No Authorizer is configured."), add, "This cluster has no authorizer, so there are no ACL rules: everyone may do everything."},
		{"42", answersCreate(42, "Invalid operation UNKNOWN"), add, `The cluster refused to add ACL rules: INVALID_REQUEST (42), "Invalid operation UNKNOWN".`},
		{"41", answersCreate(41, ""), add, "The broker could not pass the request on to the controller (NOT_CONTROLLER): the cluster may be migrating from ZooKeeper."},
	} {
		c, _ := dialStub(t, opsStub(t, tc.change))
		changed, err := tc.do(c, t.Context(), RuleChange{Rules: []ACLRule{createTokens}})
		if e := as[*RefusedError](t, err); e.Error() != tc.text {
			t.Errorf("%s: %v", tc.name, err)
		}
		if len(changed.Results) != 1 || changed.Results[0].Err != err {
			t.Errorf("%s: %+v", tc.name, changed)
		}
	}
}

func TestSomeRulesRefused(t *testing.T) {
	for _, tc := range []struct {
		codes   []int16
		unknown bool
		text    string
	}{
		{[]int16{0, 42}, false, `Of 2 rules 1 changed as asked. ALLOW User:bob DescribeTokens on User User:alice: The cluster refused to add ACL rules: INVALID_REQUEST (42), "no".`},
		{[]int16{7, 0}, true, "Of 2 rules 1 changed as asked. ALLOW User:bob CreateTokens on User User:alice: The outcome"},
		{[]int16{42, 41}, false, "Of 2 rules 0 changed as asked."},
		{[]int16{42, 42}, false, `The cluster refused to add ACL rules: INVALID_REQUEST (42), "no".`},
		{[]int16{-1, -1}, true, `The outcome of "add ACL rule" is unknown`},
		{[]int16{0}, true, `The outcome of "add ACL rule" is unknown`}, // a result is missing
	} {
		c, _ := dialStub(t, opsStub(t, func(s *stub) {
			s.stores()
			s.on[30] = func(r kmsg.Request) answer {
				resp := r.ResponseKind().(*kmsg.CreateACLsResponse)
				for _, code := range tc.codes {
					resp.Results = append(resp.Results, kmsg.CreateACLsResponseResult{ErrorCode: code, ErrorMessage: kmsg.StringPtr("no")})
				}
				return reply(resp)
			}
		}))
		_, err := c.AddRules(t.Context(), RuleChange{Rules: TokenRules(alice, UserPrincipal("bob"), OperationCreateTokens, OperationDescribeTokens)})
		if err == nil || !strings.HasPrefix(err.Error(), tc.text) {
			t.Errorf("%v: %v", tc.codes, err)
		}
		if _, unknown := errors.AsType[*UnknownOutcomeError](err); unknown != tc.unknown {
			t.Errorf("%v: unknown is %v", tc.codes, unknown)
		}
	}
}

func TestRuleChangesWithoutAnAnswerAreUnknownAndSentOnce(t *testing.T) {
	for name, a := range map[string]answer{"dropped": {drop: true}, "cut": {half: true, msg: kmsg.NewPtrCreateACLsResponse()}, "garbled": {raw: []byte{1}}} {
		for _, key := range []int16{30, 31} {
			s := opsStub(t, func(s *stub) {
				s.stores()
				s.on[key] = func(kmsg.Request) answer { return a }
			})
			c, _ := dialStub(t, s)
			do := c.AddRules
			if key == 31 {
				do = c.DeleteRules
			}
			changed, err := do(t.Context(), RuleChange{Rules: []ACLRule{createTokens}})
			as[*UnknownOutcomeError](t, err)
			if len(changed.Results) != 0 || s.count(key) != 1 {
				t.Errorf("%s: %+v after %d requests", name, changed, s.count(key))
			}
			// The next reading works again.
			if _, err := c.Rules(t.Context(), alice); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
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

func TestRulesThatTheBrokerIsTooOldFor(t *testing.T) {
	topic := rule(ResourceTopic, "pay", "User:bob", OperationRead)
	for _, tc := range []struct {
		max  int16
		rule ACLRule
		what string
		sent int
	}{
		{2, createTokens, "User", 0}, {1, createTokens, "User", 0}, {2, topic, "", 1},
		{2, with(topic, func(r *ACLRule) { r.Operation = OperationDescribeTokens }), "User", 0},
		{1, prefixed(topic), "", 1}, {0, prefixed(topic), "PREFIXED", 0}, {0, topic, "", 1}, {3, createTokens, "", 1},
	} {
		for _, key := range []int16{30, 31} {
			s := opsStub(t, func(s *stub) {
				s.offered[29], s.offered[30], s.offered[31] = [2]int16{0, tc.max}, [2]int16{0, tc.max}, [2]int16{0, tc.max}
				s.stores(tc.rule)
			})
			c, _ := dialStub(t, s)
			do := c.AddRules
			if key == 31 {
				do = c.DeleteRules
			}
			_, err := do(t.Context(), RuleChange{Rules: []ACLRule{tc.rule}})
			if s.count(key) != tc.sent || (err == nil) != (tc.what == "") {
				t.Errorf("v%d %s: %v after %d requests", tc.max, tc.rule, err, s.count(key))
			}
			if tc.what == "" {
				continue
			}
			if e := as[*OldRulesError](t, err); e.What != tc.what {
				t.Errorf("v%d %s: %v", tc.max, tc.rule, err)
			}
			for _, r := range s.requests(29) {
				if r.(*kmsg.DescribeACLsRequest).ResourceType == kmsg.ACLResourceType(ResourceUser) {
					t.Error("a broker that knows no User resources was asked about one")
				}
			}
		}
	}
	if e := (&OldRulesError{What: "User", Needs: "3.3", Detected: "Kafka 2.8"}); e.Error() !=
		"This broker knows no rules on User resources, which need Kafka 3.3 or later (detected: Kafka 2.8)." || e.Hint() == "" {
		t.Error(e)
	}
	c, _ := dialStub(t, opsStub(t, func(s *stub) { s.stores(); delete(s.offered, 30) }))
	_, err := c.AddRules(t.Context(), RuleChange{Rules: []ACLRule{createTokens}})
	if e := as[*UnsupportedError](t, err); e.API != "CreateAcls" {
		t.Error(err)
	}
}

// A cluster may let somebody change rules who may not list them.
func TestRuleChangeWithoutTheRightToList(t *testing.T) {
	c, _ := dialStub(t, opsStub(t, func(s *stub) {
		s.stores()
		s.on[29] = func(r kmsg.Request) answer {
			resp := r.ResponseKind().(*kmsg.DescribeACLsResponse)
			resp.ErrorCode = 31
			return reply(resp)
		}
	}))
	changed, err := c.AddRules(t.Context(), RuleChange{Rules: []ACLRule{createTokens}})
	if err != nil {
		t.Fatal(err)
	}
	if e := as[*RefusedError](t, changed.Results[0].ExistedErr); e.Code != CodeClusterAuth || changed.Results[0].Existed {
		t.Errorf("%+v", changed)
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
