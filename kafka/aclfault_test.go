package kafka

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

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
