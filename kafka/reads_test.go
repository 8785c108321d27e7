package kafka

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// sources answers all four sources: two tokens, rules, quotas, SCRAM users.
func sources(s *stub) {
	s.lists(detail("t-1", alice, hmac1, ops), detail("t-2", carol, hmac2))
	s.set(29, func(r kmsg.Request) answer {
		out := r.ResponseKind().(*kmsg.DescribeACLsResponse)
		rule := func(p string) kmsg.DescribeACLsResponseResourceACL {
			return kmsg.DescribeACLsResponseResourceACL{Principal: p, Host: "*", Operation: 3, PermissionType: 3}
		}
		out.Resources = []kmsg.DescribeACLsResponseResource{
			{ResourceType: 2, ResourceName: "orders", ResourcePatternType: 3, ACLs: []kmsg.DescribeACLsResponseResourceACL{rule("User:alice"), rule("User:*"), rule("User:bob")}},
			{ResourceType: 7, ResourceName: "User:alice", ResourcePatternType: 3, ACLs: []kmsg.DescribeACLsResponseResourceACL{rule("User:alice"), rule("Group:ops")}},
		}
		return reply(out)
	})
	s.set(48, func(r kmsg.Request) answer {
		out := r.ResponseKind().(*kmsg.DescribeClientQuotasResponse)
		name := "alice"
		values := []kmsg.DescribeClientQuotasResponseEntryValue{{Key: "producer_byte_rate", Value: 1}, {Key: "request_percentage", Value: 50}}
		out.Entries = []kmsg.DescribeClientQuotasResponseEntry{
			{Entity: []kmsg.DescribeClientQuotasResponseEntryEntity{{Type: "user", Name: &name}}, Values: values},
			{Entity: []kmsg.DescribeClientQuotasResponseEntryEntity{{Type: "client-id", Name: &name}, {Type: "user", Name: &name}}, Values: values[:1]},
			{Entity: []kmsg.DescribeClientQuotasResponseEntryEntity{{Type: "user"}}, Values: values},
		}
		return reply(out)
	})
	s.set(50, func(r kmsg.Request) answer {
		out := r.ResponseKind().(*kmsg.DescribeUserSCRAMCredentialsResponse)
		out.Results = []kmsg.DescribeUserSCRAMCredentialsResponseResult{
			{User: "dave", CredentialInfos: []kmsg.DescribeUserSCRAMCredentialsResponseResultCredentialInfo{{Mechanism: 2, Iterations: 4096}, {Mechanism: 1, Iterations: 4096}}},
		}
		return reply(out)
	})
}

// Of a session that leaves no record nobody wants to know the cluster's id.
func TestNoClusterIDIsAskedFor(t *testing.T) {
	s := opsStub(t, sources)
	c, _ := dialStub(t, s, func(s *Settings) { s.Identify = IdentifyNever })
	if _, err := c.Tokens(t.Context(), Principal{}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Users(t.Context()); err != nil {
		t.Fatal(err)
	}
	if id := c.Session().ClusterID; id != "" {
		t.Errorf("cluster id %q", id)
	}
	if got := s.keys(); slices.Contains(got, 3) {
		t.Errorf("requests %v", got)
	}
}

// A session that only reads makes no fingerprints, and so takes every HMAC for
// that of another token.
func TestOnlyReads(t *testing.T) {
	s := opsStub(t, sources)
	c, _ := dialStub(t, s, func(s *Settings) { s.OnlyReads = true })
	l, err := c.Tokens(t.Context(), Principal{})
	if err != nil || len(l.Tokens) != 2 || l.Tokens[0].fingerprint != (fingerprint{}) {
		t.Fatal(l, err)
	}
	_, err = c.RenewToken(t.Context(), RenewRequest{Token: l.Tokens[0], HMAC: secretOf(hmac1)})
	if !strings.Contains(fmt.Sprint(err), "is not the HMAC of token") || slices.Contains(s.keys(), 39) {
		t.Errorf("%v, requests %v", err, s.keys())
	}
}

// A session that begins with a change knows the id before its first record.
func TestTheClusterIDIsAskedForAtOnce(t *testing.T) {
	s := opsStub(t, sources)
	c, _ := dialStub(t, s, func(s *Settings) { s.Identify = IdentifyAtOnce })
	if id := c.Session().ClusterID; id != "cluster-1" {
		t.Errorf("cluster id %q", id)
	}
	if _, err := c.Tokens(t.Context(), Principal{}); err != nil {
		t.Fatal(err)
	}
	if got := s.keys(); !slices.Equal(got, []int16{18, 17, 36, 3, 41}) {
		t.Errorf("requests %v", got)
	}
}

func TestUsersJoinsFourSources(t *testing.T) {
	s := opsStub(t, sources)
	c, _ := dialStub(t, s)
	l, err := c.Users(t.Context())
	if err != nil || len(l.Failed) != 0 {
		t.Fatal(err, l.Failed)
	}
	set := func(sources ...Source) (all Sources) {
		for _, s := range sources {
			all = all.With(s)
		}
		return all
	}
	want := []User{
		{Principal: Principal{"Group", "ops"}, From: set(FromACLs), ACLRules: 1},
		{Principal: alice, From: set(FromTokens, FromACLs, FromQuotas), Tokens: 1, NextExpiry: someDay.Add(24 * time.Hour), ACLRules: 2, Quotas: 3},
		{Principal: UserPrincipal("bob"), From: set(FromACLs), ACLRules: 1},
		{Principal: carol, From: set(FromTokens), Tokens: 1, NextExpiry: someDay.Add(24 * time.Hour)},
		{Principal: UserPrincipal("dave"), From: set(FromSCRAM), SCRAM: []string{MechanismScramSHA256, MechanismScramSHA512}},
	}
	if d := cmp.Diff(want, l.Users); d != "" {
		t.Error(d)
	}
	if len(l.Tokens) != 2 || !l.Read.Equal(someDay) {
		t.Errorf("%d tokens, read %v", len(l.Tokens), l.Read)
	}
	if id := c.Session().ClusterID; id != "cluster-1" {
		t.Errorf("cluster id %q", id)
	}
	// The tokens are first, SCRAM comes after everything that is a source, and
	// its list is empty, not null: null makes Kafka 4.4 hang.
	if got := s.keys(); !slices.Equal(got, []int16{18, 17, 36, 41, 29, 48, 3, 50}) {
		t.Errorf("requests %v", got)
	}
	if r := s.requests(50)[0].(*kmsg.DescribeUserSCRAMCredentialsRequest); r.Users == nil || len(r.Users) != 0 {
		t.Errorf("SCRAM users asked for: %#v", r.Users)
	}
	if r := s.requests(41)[0].(*kmsg.DescribeDelegationTokenRequest); r.Owners != nil {
		t.Errorf("owners %#v, want null", r.Owners)
	}
	if r := s.requests(48)[0].(*kmsg.DescribeClientQuotasRequest); len(r.Components) != 1 || r.Components[0].MatchType != 2 || r.Components[0].Match != nil || r.Strict {
		t.Errorf("quota filter %+v", r)
	}
}

// A3: null at every version, never an empty list.
func TestAllTokensAskWithNullOwners(t *testing.T) {
	for v := int16(0); v <= 3; v++ {
		s := opsStub(t, func(s *stub) {
			s.offered[41] = [2]int16{0, v}
			s.lists(detail("t-1", alice, hmac1), detail("t-2", carol, hmac2))
		})
		c, _ := dialStub(t, s)
		l, err := c.Tokens(t.Context(), Principal{})
		if err != nil || len(l.Tokens) != 2 {
			t.Fatalf("v%d: %v, %d tokens", v, err, len(l.Tokens))
		}
		r := s.requests(41)[0].(*kmsg.DescribeDelegationTokenRequest)
		if r.Owners != nil || r.Version != v {
			t.Errorf("v%d: %#v", v, r)
		}
		if (v < 3) != l.Tokens[0].Requester.IsZero() {
			t.Errorf("v%d: requester %v", v, l.Tokens[0].Requester)
		}
	}
}

// The broker's filter also matches requesters and renewers; ours does not.
func TestTokensOfAnOwner(t *testing.T) {
	s := opsStub(t, func(s *stub) {
		s.lists(detail("t-1", alice, hmac1), detail("t-2", carol, hmac2, alice), detail("t-3", Principal{"Group", "alice"}, hmac2))
	})
	c, _ := dialStub(t, s)
	l, err := c.Tokens(t.Context(), alice)
	if err != nil || len(l.Tokens) != 1 || l.Tokens[0].ID != "t-1" {
		t.Fatalf("%v, %+v", err, l.Tokens)
	}
	want := Token{ID: "t-1", Owner: alice, Requester: ops, Issued: someDay, Expires: someDay.Add(24 * time.Hour), MaxLifetimeEnds: someDay.Add(168 * time.Hour)}
	if d := cmp.Diff(want, l.Tokens[0], cmpopts.IgnoreUnexported(Token{})); d != "" {
		t.Error(d)
	}
	if r := s.requests(41)[0].(*kmsg.DescribeDelegationTokenRequest); len(r.Owners) != 1 || r.Owners[0].PrincipalType != "User" || r.Owners[0].PrincipalName != "alice" {
		t.Errorf("owners %+v", r.Owners)
	}
	// A2: no spelling of the token shows its HMAC.
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		noLeak(t, fmt.Sprintf(verb, l))
	}
}

func TestASourceThatFailsCostsOnlyItself(t *testing.T) {
	// 31 has no entries; Kafka's dump of the request is not shown.
	s := opsStub(t, sources, func(s *stub) {
		s.set(29, func(r kmsg.Request) answer {
			out := r.ResponseKind().(*kmsg.DescribeACLsResponse)
			text := "Request Request(processor=5, connectionId=…) needs DESCRIBE permission."
			out.ErrorCode, out.ErrorMessage = 31, &text
			return reply(out)
		})
		s.set(48, func(r kmsg.Request) answer {
			out := r.ResponseKind().(*kmsg.DescribeClientQuotasResponse)
			out.ErrorCode = 31
			return reply(out)
		})
	})
	c, _ := dialStub(t, s)
	l, err := c.Users(t.Context())
	if err != nil || len(l.Failed) != 2 || len(l.Tokens) != 2 {
		t.Fatal(err, l.Failed)
	}
	for source, want := range map[Source]string{FromACLs: "Describe on the cluster", FromQuotas: "DescribeConfigs on the cluster"} {
		e := as[*RefusedError](t, l.Failed[source])
		if e.Code != CodeClusterAuth || !strings.Contains(e.Error(), want) || strings.Contains(e.Error(), "processor") {
			t.Errorf("%v: %v", source, e)
		}
	}
}

// Kafka 4.4 was seen to hang for good when it refuses the SCRAM request.
func TestHangingSCRAMCostsOneSource(t *testing.T) {
	t.Parallel()
	s := opsStub(t, sources, func(s *stub) {
		s.set(50, func(kmsg.Request) answer { return answer{hang: true} })
	})
	c, _ := dialStub(t, s, func(s *Settings) { s.ReadTimeout = 2 * time.Second })
	l, err := c.Users(t.Context())
	if err != nil || len(l.Failed) != 1 || len(l.Tokens) != 2 || c.Session().ClusterID == "" {
		t.Fatal(err, l.Failed, c.Session())
	}
	if f := as[*FaultError](t, l.Failed[FromSCRAM]); f.Fault != FaultSilent {
		t.Error(f)
	}
	// The hanging connection is not used again.
	if _, err := c.Tokens(t.Context(), alice); err != nil || s.connections() != 2 {
		t.Errorf("%v over %d connections", err, s.connections())
	}
}

func TestUnlistedRequestsAreNeverSent(t *testing.T) {
	// Kafka 1.1: tokens and rules, but neither quotas nor SCRAM users.
	s := opsStub(t, sources, func(s *stub) {
		s.offered = map[int16][2]int16{3: {0, 5}, 17: {0, 1}, 18: {0, 1}, 29: {0, 0}, 36: {0, 0}, 38: {0, 0}, 39: {0, 0}, 40: {0, 0}, 41: {0, 0}}
		s.level = 0
	})
	c, _ := dialStub(t, s)
	l, err := c.Users(t.Context())
	if err != nil || len(l.Tokens) != 2 || len(l.Failed) != 2 {
		t.Fatal(err, l.Failed)
	}
	for source, want := range map[Source]string{FromQuotas: "Kafka 2.6 or later", FromSCRAM: "Kafka 2.7 or later"} {
		if e := as[*UnsupportedError](t, l.Failed[source]); !strings.Contains(e.Error(), want) {
			t.Errorf("%v: %v", source, e)
		}
	}
	if s.count(48)+s.count(50) != 0 {
		t.Error("an unlisted request was sent")
	}
}

// B17: ranges that do not overlap.
func TestVersionsThatDoNotOverlap(t *testing.T) {
	s := opsStub(t, func(s *stub) { s.offered[41] = [2]int16{4, 5} })
	c, _ := dialStub(t, s)
	_, err := c.Tokens(t.Context(), alice)
	if e := as[*UnsupportedError](t, err); !strings.Contains(e.Error(), "too new") || !strings.Contains(e.Error(), "needs v4") || !strings.Contains(e.Error(), "up to v3") {
		t.Errorf("%v", err)
	}
	if s.count(41) != 0 {
		t.Error("sent all the same")
	}
}
