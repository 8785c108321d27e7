package kafka

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// after answers like first until n requests came, and like then afterwards.
func after(n int, first, then func(kmsg.Request) answer) func(kmsg.Request) answer {
	return func(r kmsg.Request) answer {
		if n--; n >= 0 {
			return first(r)
		}
		return then(r)
	}
}

// 62 right after a creation is waited out; each refusal changed nothing.
func TestAYoungTokenIsWaitedFor(t *testing.T) {
	for _, key := range []int16{39, 40} {
		s := managed(t)
		c, k := dialStub(t, s)
		if _, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice}); err != nil {
			t.Fatal(err)
		}
		listed := s.handler(41)
		s.set(41, after(6, describeCode(0), listed)) // three looks, each by owner and at all
		s.set(39, after(4, renews(62), renews(0)))
		s.set(40, after(4, expires(62, 0), expires(0, 0)))
		var progress Progress
		waited := false
		k.onSleep = func() { waited = waited || progress.Phase() == PhaseWaiting }
		var err error
		if key == 39 {
			err = errRenewed(c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: secretOf(hmac1), Progress: &progress}))
		} else {
			err = errExpired(c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: secretOf(hmac1), Progress: &progress}))
		}
		if err != nil || !waited || k.slept != 7 || s.count(key) != 5 {
			t.Errorf("key %d: %v, waiting shown %v, %d waits, %d requests", key, err, waited, k.slept, s.count(key))
		}
	}
}

// A token that another process has made a moment ago is as young.
func TestAnothersYoungTokenIsWaitedFor(t *testing.T) {
	for _, c := range []struct {
		age    time.Duration
		waited int
	}{{settling, 2}, {-settling, 2}, {settling + time.Second, 0}, {-settling - time.Second, 0}} {
		s := managed(t)
		client, k := dialStub(t, s)
		young := detail("t-1", alice, hmac1, ops)
		young.IssueTimestamp = k.clock().now().Add(-c.age).UnixMilli()
		s.lists(young)
		s.set(39, after(2, renews(62), renews(0)))
		err := errRenewed(client.RenewToken(t.Context(), RenewRequest{Token: token1(client), HMAC: secretOf(hmac1)}))
		if k.slept != c.waited || (err == nil) != (c.waited > 0) {
			t.Errorf("%v old: %d waits, %v", c.age, k.slept, err)
		}
	}
}

func TestWaitingEnds(t *testing.T) {
	s := managed(t)
	c, k := dialStub(t, s)
	made, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice})
	if err != nil {
		t.Fatal(err)
	}
	s.set(39, renews(62))
	e := as[*RefusedError](t, errRenewed(c.RenewToken(t.Context(), RenewRequest{Token: made.Token, HMAC: secretOf(hmac1)})))
	if e.Code != CodeTokenNotFound || k.slept != int(settling/settlingPoll) {
		t.Errorf("%v after %d waits", e, k.slept)
	}
	// By now the token is no longer young: its 62 is final, and so is a list
	// without it.
	k.advance(time.Second)
	before := s.count(39)
	as[*RefusedError](t, errRenewed(c.RenewToken(t.Context(), RenewRequest{Token: made.Token, HMAC: secretOf(hmac1)})))
	s.set(41, describeCode(0))
	as[*GoneError](t, errExpired(c.ExpireToken(t.Context(), ExpireRequest{Token: made.Token, HMAC: secretOf(hmac1)})))
	if s.count(39) != before+1 || k.slept != int(settling/settlingPoll) {
		t.Errorf("%d renewals, %d waits", s.count(39)-before, k.slept)
	}
}

func TestAnExpiredTokenIsNotWaitedFor(t *testing.T) {
	s := managed(t)
	c, k := dialStub(t, s)
	if _, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: secretOf(hmac1)}); err != nil {
		t.Fatal(err)
	}
	s.set(41, describeCode(0))
	as[*GoneError](t, errExpired(c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: secretOf(hmac1)})))
	if k.slept != 0 {
		t.Errorf("%d waits for a token that this client removed", k.slept)
	}
}

func TestWaitingCanBeCancelled(t *testing.T) {
	s := managed(t)
	c, k := dialStub(t, s)
	if _, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice}); err != nil {
		t.Fatal(err)
	}
	s.set(39, renews(62))
	ctx, cancel := context.WithCancel(t.Context())
	k.onSleep = cancel
	err := errRenewed(c.RenewToken(ctx, RenewRequest{Token: token1(c), HMAC: secretOf(hmac1)}))
	if _, unknown := errors.AsType[*UnknownOutcomeError](err); unknown || !errors.Is(err, context.Canceled) || s.count(39) != 1 {
		t.Errorf("%v after %d renewals", err, s.count(39))
	}
}
