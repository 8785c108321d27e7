package kafka

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// The HMACs of the tests: the bytes 00..3f for t-1, and 64 times ff for t-2.
var (
	hmac1 = counting(64)
	hmac2 = bytes.Repeat([]byte{0xff}, 64)
)

const hmac1Text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw=="

func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

func secretOf(b []byte) *Secret { return NewSecret(bytes.Clone(b)) }

var (
	alice   = UserPrincipal("alice")
	ops     = UserPrincipal("ops")
	carol   = UserPrincipal("carol")
	someDay = time.UnixMilli(1764500000000).UTC()
)

func plainAs(user, password string) *Credentials {
	return &Credentials{Mechanism: MechanismPlain, User: user, Password: NewSecret([]byte(password))}
}

// opsStub is a broker where ops signs in with PLAIN or SCRAM.
func opsStub(t *testing.T, change ...func(*stub)) *stub {
	sasl := &saslStub{mechanisms: []string{"SCRAM-SHA-512", "PLAIN", "SCRAM-SHA-256"}, users: map[string]string{"ops": "ops-secret"}, tokens: map[string]string{}}
	return newStub(t, append([]func(*stub){func(s *stub) { s.sasl = sasl }}, change...)...)
}

func settingsFor(s *stub) Settings {
	out := Settings{Bootstrap: []string{s.address()}, Protocol: Plaintext, ConnectTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, ChangeTimeout: 5 * time.Second}
	if s.sasl != nil {
		out.Protocol, out.SASL = SASLPlaintext, plainAs("ops", "ops-secret")
	}
	return out
}

// testClock starts at someDay and moves only when something sleeps.
type testClock struct {
	mu    sync.Mutex
	at    time.Time
	slept int
	// onSleep runs in each sleep, before time moves.
	onSleep func()
}

func newTestClock() *testClock { return &testClock{at: someDay} }

func (k *testClock) clock() clock {
	return clock{
		now: func() time.Time { k.mu.Lock(); defer k.mu.Unlock(); return k.at },
		sleep: func(ctx context.Context, d time.Duration) error {
			if k.onSleep != nil {
				k.onSleep()
			}
			k.mu.Lock()
			defer k.mu.Unlock()
			k.at = k.at.Add(d)
			k.slept++
			return context.Cause(ctx)
		},
	}
}

func (k *testClock) advance(d time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.at = k.at.Add(d)
}

func dialStub(t *testing.T, s *stub, change ...func(*Settings)) (*Client, *testClock) {
	t.Helper()
	settings := settingsFor(s)
	for _, f := range change {
		f(&settings)
	}
	k := newTestClock()
	c, err := dialWith(t.Context(), settings, (&net.Dialer{}).DialContext, k.clock())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, k
}

// detail is a token of the broker's list.
func detail(id string, owner Principal, hmac []byte, renewers ...Principal) kmsg.DescribeDelegationTokenResponseTokenDetail {
	d := kmsg.NewDescribeDelegationTokenResponseTokenDetail()
	d.PrincipalType, d.PrincipalName = owner.Type, owner.Name
	d.TokenRequesterPrincipalType, d.TokenRequesterPrincipalName = "User", "ops"
	d.IssueTimestamp = someDay.UnixMilli()
	d.ExpiryTimestamp = someDay.Add(24 * time.Hour).UnixMilli()
	d.MaxTimestamp = someDay.Add(7 * 24 * time.Hour).UnixMilli()
	d.TokenID, d.HMAC = id, hmac
	for _, r := range renewers {
		d.Renewers = append(d.Renewers, kmsg.DescribeDelegationTokenResponseTokenDetailRenewer{PrincipalType: r.Type, PrincipalName: r.Name})
	}
	return d
}

// lists answers describes as Kafka does: null is all, an empty list nothing,
// and a filter matches owner, requester and renewers.
func (s *stub) lists(tokens ...kmsg.DescribeDelegationTokenResponseTokenDetail) {
	s.set(41, func(r kmsg.Request) answer {
		req, out := r.(*kmsg.DescribeDelegationTokenRequest), r.ResponseKind().(*kmsg.DescribeDelegationTokenResponse)
		for _, t := range tokens {
			if req.Owners == nil || matches(t, req.Owners) {
				out.TokenDetails = append(out.TokenDetails, t)
			}
		}
		return reply(out)
	})
}

func matches(t kmsg.DescribeDelegationTokenResponseTokenDetail, owners []kmsg.DescribeDelegationTokenRequestOwner) bool {
	for _, o := range owners {
		if t.PrincipalName == o.PrincipalName || t.TokenRequesterPrincipalName == o.PrincipalName {
			return true
		}
		for _, r := range t.Renewers {
			if r.PrincipalName == o.PrincipalName {
				return true
			}
		}
	}
	return false
}

// token1 is t-1 as a list would show it.
func token1(c *Client) Token {
	return Token{ID: "t-1", Owner: alice, Renewers: []Principal{ops}, Issued: someDay, Expires: someDay.Add(24 * time.Hour),
		MaxLifetimeEnds: someDay.Add(7 * 24 * time.Hour)}
}

// noLeak fails when text holds a known secret in any usual spelling.
func noLeak(t *testing.T, text string, secrets ...string) {
	t.Helper()
	for _, s := range append(secrets, hmac1Text, hmac1Text[:20], string(hmac1[8:24]), "000102030405060708", "0 1 2 3 4 5 6 7 8",
		base64.StdEncoding.EncodeToString(hmac2)[:20], "ops-secret") {
		if strings.Contains(text, s) {
			t.Errorf("%q holds the secret %q", text, s)
		}
	}
}

func as[E error](t *testing.T, err error) E {
	t.Helper()
	e, ok := errors.AsType[E](err)
	if !ok {
		t.Fatalf("got %T %v, want a %T", err, err, e)
	}
	return e
}
