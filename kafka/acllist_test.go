package kafka

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func texts(rules []ACLRule) []string {
	var s []string
	for _, r := range rules {
		s = append(s, r.String())
	}
	return s
}

func TestRulesInThreeGroups(t *testing.T) {
	user := func(name, who string) ACLRule { return rule(ResourceUser, name, who, OperationCreateTokens) }
	all := []ACLRule{
		// of alice
		rule(ResourceTopic, "pay", "User:alice", OperationRead), denied(rule(ResourceTopic, "pay", "User:alice", OperationWrite)),
		rule(ResourceDelegationToken, "t-1", "User:alice", OperationDescribe), {99, "odd", 4, "User:alice", "h", 99, 9},
		user("User:alice", "User:alice"),
		// for everyone
		rule(ResourceTopic, "public", "User:*", OperationRead), user("*", "User:*"),
		// on alice
		user("User:alice", "User:bob"), prefixed(user("User:al", "User:carol")), user("*", "User:dave"), user("alice", "User:eve"),
		prefixed(user("ali", "User:eve")), prefixed(user("U", "User:fay")),
		// on others
		user("User:alice2", "User:bob"), user("bob", "User:eve"), prefixed(user("User:b", "User:eve")), rule(ResourceTopic, "alice", "User:bob", OperationRead),
		rule(ResourceTopic, "pay", "User:alice2", OperationRead), rule(ResourceTopic, "pay", "alice", OperationRead),
	}
	s := opsStub(t, func(s *stub) {
		shuffled := slices.Clone(all)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		s.stores(shuffled...)
	})
	c, k := dialStub(t, s)
	l, err := c.Rules(t.Context(), alice)
	if err != nil || len(l.Failed) != 0 {
		t.Fatal(err, l.Failed)
	}
	if diff := cmp.Diff([]string{
		"DENY User:alice Write on Topic pay",
		"ALLOW User:alice Read on Topic pay",
		"ALLOW User:alice Describe on DelegationToken t-1",
		"ALLOW User:alice CreateTokens on User User:alice",
		"permission 9 User:alice operation 99 on type 99 odd (PREFIXED) from host h",
	}, texts(l.Of)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"ALLOW User:* Read on Topic public", "ALLOW User:* CreateTokens on User *"}, texts(l.Everyone)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"ALLOW User:* CreateTokens on User *",
		"ALLOW User:dave CreateTokens on User *",
		"ALLOW User:fay CreateTokens on User U (PREFIXED)",
		"ALLOW User:carol CreateTokens on User User:al (PREFIXED)",
		"ALLOW User:alice CreateTokens on User User:alice",
		"ALLOW User:bob CreateTokens on User User:alice",
		"ALLOW User:eve CreateTokens on User ali (PREFIXED)",
		"ALLOW User:eve CreateTokens on User alice",
	}, texts(l.On)); diff != "" {
		t.Error(diff)
	}
	if l.User != alice || !l.Read.Equal(k.clock().now()) {
		t.Errorf("list of %s at %s", l.User, l.Read)
	}
	// One connection, and all questions before the first answer is read.
	if s.connections() != 1 || s.count(29) != 4 {
		t.Errorf("%d connections, %d describes", s.connections(), s.count(29))
	}
}

func TestRulesOfOldAndOfClosedBrokers(t *testing.T) {
	refuse := func(code int16) func(*stub) {
		return func(s *stub) {
			s.on[29] = func(r kmsg.Request) answer {
				resp := r.ResponseKind().(*kmsg.DescribeACLsResponse)
				resp.ErrorCode, resp.ErrorMessage = code, kmsg.StringPtr("Request Request(processor=5, connectionId=127.0.0.1:39094-1) needs DESCRIBE permission.")
				return reply(resp)
			}
		}
	}
	all := []RuleGroup{OfUser, ForEveryone, OnUser}
	for _, tc := range []struct {
		name   string
		change func(*stub)
		failed []RuleGroup
		text   string
	}{
		{"no right", refuse(31), all, "This connection's identity may not list ACL rules: it needs Describe on the cluster."},
		{"no authorizer", refuse(54), all, "This cluster has no authorizer, so there are no ACL rules: everyone may do everything."},
		{"another refusal", refuse(-1), all, "The broker refused to list ACL rules: UNKNOWN_SERVER_ERROR (-1)."},
		{"before 3.3", func(s *stub) {
			s.offered[29] = [2]int16{0, 2}
			s.stores(rule(ResourceTopic, "t", "User:alice", OperationRead))
		},
			[]RuleGroup{OnUser}, "This broker knows no rules on User resources, which need Kafka 3.3 or later"},
		{"before 2.0", func(s *stub) {
			s.offered[29] = [2]int16{0, 0}
			s.stores(rule(ResourceTopic, "t", "User:alice", OperationRead))
		},
			[]RuleGroup{OnUser}, "This broker knows no rules on User resources, which need Kafka 3.3 or later"},
		{"without the request", func(s *stub) { delete(s.offered, 29) }, all, "The broker does not offer DescribeAcls, which needs Kafka 0.11 or later"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, _ := dialStub(t, opsStub(t, tc.change))
			l, err := c.Rules(t.Context(), alice)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range all {
				got := l.Failed[g]
				if want := slices.Contains(tc.failed, g); want != (got != nil) || want && !strings.Contains(got.Error(), tc.text) {
					t.Errorf("%s: %v", g, got)
				}
			}
			if !slices.Contains(tc.failed, OfUser) && (len(l.Of) != 1 || l.Of[0].Pattern != PatternLiteral) {
				t.Errorf("rules of the user: %v", l.Of)
			}
		})
	}
}

// A connection that breaks between two answers costs the groups after it.
func TestRulesKeepWhatWasAnswered(t *testing.T) {
	n := 0
	s := opsStub(t, func(s *stub) {
		store := s.stores(rule(ResourceTopic, "t", "User:alice", OperationRead))
		describe := store.describe
		s.on[29] = func(r kmsg.Request) answer {
			if n++; n > 1 {
				return answer{half: true, msg: r.ResponseKind()}
			}
			return describe(r)
		}
	})
	c, _ := dialStub(t, s)
	l, err := c.Rules(t.Context(), alice)
	if err != nil || len(l.Of) != 1 || l.Failed[OfUser] != nil {
		t.Fatal(err, l)
	}
	for _, g := range []RuleGroup{ForEveryone, OnUser} {
		if f := as[*FaultError](t, l.Failed[g]); f.Fault != FaultCut && f.Fault != FaultClosed {
			t.Errorf("%s: %v", g, f)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Rules(ctx, alice); err == nil {
		t.Error("a cancelled reading succeeded")
	}
}

func TestRulesOfTheWildcardItself(t *testing.T) {
	c, _ := dialStub(t, opsStub(t, func(s *stub) { s.stores(rule(ResourceTopic, "t", "User:*", OperationRead)) }))
	l, err := c.Rules(t.Context(), UserPrincipal("*"))
	if err != nil || len(l.Of) != 1 || l.Everyone != nil || len(l.Failed) != 0 {
		t.Errorf("%+v, %v", l, err)
	}
}

// BenchmarkRules reads a user with many rules: time and memory grow with them.
func BenchmarkRules(b *testing.B) {
	for _, n := range []int{5000, 50000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			resp := kmsg.NewPtrDescribeACLsResponse()
			resp.SetVersion(3)
			for i := range n {
				resp.Resources = append(resp.Resources, resourceOf(rule(ResourceTopic, fmt.Sprintf("topic-%06d", (i*7919)%n), "User:alice", OperationRead)))
			}
			body := resp.AppendTo(nil)
			o := offers{ranges: map[protocol.ApiKey]versionRange{describeACLs: {0, 3}}}
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				r := newRulesReading(o, alice)
				if _, err := r.asked[0].call.read(3, body); err != nil {
					b.Fatal(err)
				}
				if l := r.list(); len(l.Of) != n {
					b.Fatal(len(l.Of))
				}
			}
		})
	}
}
