package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync/atomic"
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

// countingConn counts round trips: a read that follows a write.
type countingConn struct {
	net.Conn
	trips *atomic.Int32
	wrote bool
}

func (c *countingConn) Write(b []byte) (int, error) { c.wrote = true; return c.Conn.Write(b) }

func (c *countingConn) Read(b []byte) (int, error) {
	if c.wrote {
		c.wrote = false
		c.trips.Add(1)
	}
	return c.Conn.Read(b)
}

func TestRoundTrips(t *testing.T) {
	server, pool := certificate(t)
	for _, test := range []struct {
		protocol Protocol
		most     int32
	}{{SASLPlaintext, 6}, {SASLSSL, 7}} {
		t.Run(string(test.protocol), func(t *testing.T) {
			var trips atomic.Int32
			count := func(ctx context.Context, network, address string) (net.Conn, error) {
				trips.Add(1) // TCP itself
				c, err := (&net.Dialer{}).DialContext(ctx, network, address)
				return &countingConn{Conn: c, trips: &trips}, err
			}
			s := opsStub(t, sources, func(s *stub) {
				if test.protocol == SASLSSL {
					overTLS(server)(s)
				}
				s.creates("t-9", ops, hmac2)
				s.set(39, renews(0))
			})
			settings := settingsFor(s)
			settings.Protocol, settings.TLS = test.protocol, &tls.Config{RootCAs: pool}
			settings.SASL.Mechanism = MechanismScramSHA512
			c, err := dialWith(t.Context(), settings, count, newTestClock().clock())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if l, err := c.Users(t.Context()); err != nil || len(l.Failed) > 0 {
				t.Fatal(err, l.Failed)
			}
			if n := trips.Load(); n > test.most {
				t.Errorf("%d round trips for the user list, at most %d", n, test.most)
			}
			trips.Store(0)
			if _, err := c.CreateToken(t.Context(), CreateRequest{Owner: ops}); err != nil {
				t.Fatal(err)
			}
			if n := trips.Swap(0); n > 2 {
				t.Errorf("%d round trips for a creation", n)
			}
			if _, err := c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: secretOf(hmac1)}); err != nil {
				t.Fatal(err)
			}
			if n := trips.Load(); n > 2 {
				t.Errorf("%d round trips for a renewal", n)
			}
		})
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
	s := opsStub(t, sources, func(s *stub) {
		s.set(50, func(kmsg.Request) answer { return answer{hang: true} })
	})
	c, _ := dialStub(t, s, func(s *Settings) { s.ReadTimeout = 100 * time.Millisecond })
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

func TestReadsDialOnceMore(t *testing.T) {
	s := opsStub(t, sources)
	c, _ := dialStub(t, s)
	for range 3 {
		s.closeConns() // as a broker does after ten idle minutes
		if l, err := c.Tokens(t.Context(), alice); err != nil || len(l.Tokens) != 1 {
			t.Fatal(err)
		}
	}
	if n := s.connections(); n != 4 {
		t.Errorf("%d connections", n)
	}
	// A broker that closes every time is not asked for ever.
	s.set(41, func(kmsg.Request) answer { return answer{drop: true} })
	if _, err := c.Tokens(t.Context(), alice); !lost(err) {
		t.Errorf("%v", err)
	}
	if n := s.connections(); n != 5 {
		t.Errorf("%d connections, one redial at most", n)
	}
	// A silent one is not asked twice.
	s.set(41, func(kmsg.Request) answer { return answer{hang: true} })
	c.settings.ReadTimeout = 50 * time.Millisecond
	before := s.count(41)
	if f := as[*FaultError](t, errTokens(c.Tokens(t.Context(), alice))); f.Fault != FaultSilent || s.count(41) != before+1 {
		t.Errorf("%v after %d requests", f, s.count(41)-before)
	}
}

func errTokens(_ TokenList, err error) error { return err }

// B19: half a frame and garbage for every request are errors, not panics.
var badAnswers = []answer{{raw: []byte{}}, {raw: []byte{0}}, {raw: []byte{0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f}},
	{raw: slices.Repeat([]byte{0xff}, 64)}, {raw: []byte{0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff}}, {half: true}}

func TestBadAnswersWhileConnecting(t *testing.T) {
	for _, key := range []int16{17, 18, 36} {
		for i, bad := range badAnswers {
			s := newStub(t, func(s *stub) {
				s.set(17, handshakeOK)
				s.set(key, func(kmsg.Request) answer { return bad })
			})
			settings := settingsFor(s)
			settings.Protocol, settings.SASL = SASLPlaintext, &Credentials{Mechanism: MechanismScramSHA256, User: "ops", Password: NewSecret([]byte("ops-secret"))}
			_, err := Dial(t.Context(), settings)
			as[*ConnectError](t, err)
			noLeak(t, fmt.Sprintf("key %d, answer %d: %v", key, i, err))
		}
	}
}

func TestBadAnswersToEveryRequest(t *testing.T) {
	for _, key := range []int16{3, 29, 38, 39, 40, 41, 48, 50} {
		for i, bad := range badAnswers {
			s := opsStub(t, sources, func(s *stub) {
				s.creates("t-9", ops, hmac2)
				s.set(39, renews(0))
				s.set(40, expires(0, 0))
				s.set(key, func(kmsg.Request) answer { return bad })
			})
			c, _ := dialStub(t, s)
			l, err := c.Users(t.Context())
			if source, is := map[int16]Source{29: FromACLs, 41: FromTokens, 48: FromQuotas, 50: FromSCRAM}[key]; is && err == nil && l.Failed[source] == nil {
				t.Errorf("key %d, answer %d: the source was read", key, i)
			}
			noLeak(t, fmt.Sprint(err, l.Failed))
			for _, change := range []struct {
				key int16
				err error
			}{
				{38, errCreated(c.CreateToken(t.Context(), CreateRequest{Owner: ops}))},
				{39, errRenewed(c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: secretOf(hmac1)}))},
				{40, errExpired(c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: secretOf(hmac1)}))},
			} {
				if _, unknown := errors.AsType[*UnknownOutcomeError](change.err); unknown != (change.key == key) {
					t.Errorf("key %d, answer %d: change %d: %v", key, i, change.key, change.err)
				}
				noLeak(t, fmt.Sprint(change.err))
			}
		}
	}
}

func handshakeOK(r kmsg.Request) answer { return reply(r.ResponseKind()) }

// B24: a throttled answer is an answer.
func TestThrottleTimeIsNoError(t *testing.T) {
	s := opsStub(t, func(s *stub) {
		s.set(41, func(r kmsg.Request) answer {
			out := r.ResponseKind().(*kmsg.DescribeDelegationTokenResponse)
			out.ThrottleMillis = 5000
			return reply(out)
		})
	})
	c, _ := dialStub(t, s)
	if _, err := c.Tokens(t.Context(), alice); err != nil {
		t.Error(err)
	}
}

func TestCancelledReadsAndClose(t *testing.T) {
	reached := make(chan struct{}, 8)
	s := opsStub(t, func(s *stub) {
		s.set(41, func(kmsg.Request) answer { reached <- struct{}{}; return answer{hang: true} })
	})
	c, _ := dialStub(t, s, func(s *Settings) { s.ReadTimeout = time.Hour })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-reached; cancel() }()
	if _, err := c.Tokens(ctx, alice); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	// Waiting for one's turn can be cancelled as well.
	first := make(chan error, 1)
	go func() { first <- errTokens(c.Tokens(context.Background(), alice)) }()
	<-reached
	gone, cancelled := context.WithCancel(t.Context())
	cancelled()
	if _, err := c.Users(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	c.Close()
	if err := <-first; err == nil {
		t.Error("a reading survived Close")
	}
	if _, err := c.Tokens(t.Context(), alice); !errors.Is(err, errClosed) {
		t.Errorf("after Close: %v", err)
	}
	if c.settings.SASL.Password.Len() != 0 {
		t.Error("Close left the password")
	}
}
