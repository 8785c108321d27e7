package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

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
	c.settings.ReadTimeout = time.Second
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
