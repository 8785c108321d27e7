package kafka

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// creates answers a creation with a token of owner that lives for a week.
func (s *stub) creates(id string, owner Principal, hmac []byte) {
	s.set(38, func(r kmsg.Request) answer {
		out := r.ResponseKind().(*kmsg.CreateDelegationTokenResponse)
		out.PrincipalType, out.PrincipalName = owner.Type, owner.Name
		out.TokenRequesterPrincipalType, out.TokenRequesterPrincipalName = "User", "ops"
		out.IssueTimestamp, out.ExpiryTimestamp = someDay.UnixMilli(), someDay.Add(24*time.Hour).UnixMilli()
		out.MaxTimestamp = someDay.Add(7 * 24 * time.Hour).UnixMilli()
		out.TokenID, out.HMAC = id, hmac
		return reply(out)
	})
}

func createCode(code Code) func(kmsg.Request) answer {
	return func(r kmsg.Request) answer {
		out := r.ResponseKind().(*kmsg.CreateDelegationTokenResponse)
		out.ErrorCode, out.IssueTimestamp, out.ExpiryTimestamp, out.MaxTimestamp = int16(code), -1, -1, -1
		return reply(out)
	}
}

func renews(code Code) func(kmsg.Request) answer {
	return func(r kmsg.Request) answer {
		out := r.ResponseKind().(*kmsg.RenewDelegationTokenResponse)
		out.ErrorCode, out.ExpiryTimestamp = int16(code), someDay.Add(48*time.Hour).UnixMilli()
		return reply(out)
	}
}

func expires(code Code, at int64) func(kmsg.Request) answer {
	return func(r kmsg.Request) answer {
		out := r.ResponseKind().(*kmsg.ExpireDelegationTokenResponse)
		out.ErrorCode, out.ExpiryTimestamp = int16(code), at
		return reply(out)
	}
}

// managed is a broker with t-1 of alice, which ops may renew, and t-2.
func managed(t *testing.T, change ...func(*stub)) *stub {
	return opsStub(t, append([]func(*stub){func(s *stub) {
		s.lists(detail("t-1", alice, hmac1, ops), detail("t-2", alice, hmac2, ops))
		s.creates("t-1", alice, hmac1)
		s.set(39, renews(0))
		s.set(40, expires(0, someDay.Add(time.Second).UnixMilli()))
	}}, change...)...)
}

func TestCreate(t *testing.T) {
	s := managed(t)
	c, _ := dialStub(t, s)
	var progress Progress
	made, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice, Renewers: []Principal{ops, carol, ops}, MaxLifetime: PeriodOf(1000 * time.Hour), Progress: &progress})
	if err != nil {
		t.Fatal(err)
	}
	want := Token{ID: "t-1", Owner: alice, Requester: ops, Renewers: []Principal{ops, carol}, Issued: someDay, Expires: someDay.Add(24 * time.Hour),
		MaxLifetimeEnds: someDay.Add(168 * time.Hour)}
	if d := cmp.Diff(want, made.Token, cmpopts.IgnoreUnexported(Token{})); d != "" {
		t.Error(d)
	}
	made.HMAC.Use(func(b []byte) {
		if !bytes.Equal(b, hmac1) {
			t.Errorf("HMAC of %d bytes", len(b))
		}
	})
	if !made.Capped { // A15
		t.Error("1 000 hours became 168 without a word")
	}
	if progress.Phase() != PhaseSent {
		t.Errorf("phase %d", progress.Phase())
	}
	r := s.requests(38)[0].(*kmsg.CreateDelegationTokenRequest)
	if r.Version != 3 || *r.OwnerPrincipalType != "User" || *r.OwnerPrincipalName != "alice" || len(r.Renewers) != 2 || r.MaxLifetimeMillis != 3600000000 {
		t.Errorf("%+v", r)
	}
	exact, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice, MaxLifetime: PeriodOf(168 * time.Hour)})
	if err != nil || exact.Capped {
		t.Error(exact.Capped, err)
	}
	deflt, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice})
	if err != nil || deflt.Capped || s.requests(38)[2].(*kmsg.CreateDelegationTokenRequest).MaxLifetimeMillis != -1 {
		t.Error(deflt.Capped, err)
	}
}

// The owner that the connection itself is goes as null; A6 for the others.
func TestCreateOwners(t *testing.T) {
	own := managed(t, func(s *stub) { s.creates("t-1", ops, hmac1) })
	c, _ := dialStub(t, own)
	for _, owner := range []Principal{ops, {}} {
		if _, err := c.CreateToken(t.Context(), CreateRequest{Owner: owner}); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range own.requests(38) {
		if r := r.(*kmsg.CreateDelegationTokenRequest); r.OwnerPrincipalName != nil || r.OwnerPrincipalType != nil {
			t.Errorf("owner %v", *r.OwnerPrincipalName)
		}
	}

	old := managed(t, func(s *stub) { s.offered[38] = [2]int16{0, 2}; s.creates("t-1", ops, hmac1) })
	c, _ = dialStub(t, old)
	e := as[*OldBrokerError](t, errCreated(c.CreateToken(t.Context(), CreateRequest{Owner: alice})))
	if old.count(38) != 0 || !strings.Contains(e.Error(), "Kafka 3.3") {
		t.Errorf("%d sent: %v", old.count(38), e)
	}
	made, err := c.CreateToken(t.Context(), CreateRequest{Owner: ops})
	if err != nil || old.count(38) != 1 || !made.Token.Requester.IsZero() {
		t.Errorf("%v, requester %v", err, made.Token.Requester)
	}

	// Without a known principal (client certificate) the owner is named.
	mtls := newStub(t, func(s *stub) { s.creates("t-1", alice, hmac1) })
	c, _ = dialStub(t, mtls)
	if _, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice}); err != nil {
		t.Fatal(err)
	}
	if r := mtls.requests(38)[0].(*kmsg.CreateDelegationTokenRequest); r.OwnerPrincipalName == nil || *r.OwnerPrincipalName != "alice" {
		t.Errorf("%+v", r)
	}
}

// A success that names no token, or comes without an HMAC, is no success.
func TestCreateOfNothingIsUnknown(t *testing.T) {
	for _, test := range []struct {
		id   string
		hmac []byte
	}{{"", hmac1}, {"t-9", []byte{}}} {
		s := managed(t, func(s *stub) { s.creates(test.id, alice, test.hmac) })
		c, _ := dialStub(t, s)
		made, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice})
		as[*UnknownOutcomeError](t, err)
		if made.HMAC.Len() != 0 || len(s.requests(38)) != 1 {
			t.Errorf("%+v after %d requests", made.Token, len(s.requests(38)))
		}
	}
}

func TestWrongOwnerIsUndone(t *testing.T) {
	for _, works := range []bool{true, false} {
		s := managed(t, func(s *stub) {
			s.creates("t-9", ops, hmac2)
			if !works {
				s.set(40, expires(63, 0))
			}
		})
		c, _ := dialStub(t, s)
		made, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice})
		e := as[*WrongOwnerError](t, err)
		if made.HMAC.Len() != 0 || e.Expired != works || e.Asked != alice || e.Got != ops || e.TokenID != "t-9" {
			t.Errorf("%+v, HMAC %d bytes", e, made.HMAC.Len())
		}
		if r := s.requests(40); len(r) != 1 || !bytes.Equal(r[0].(*kmsg.ExpireDelegationTokenRequest).HMAC, hmac2) {
			t.Errorf("expire requests %+v", r)
		}
		if (e.Hint() == "") != works {
			t.Errorf("hint %q", e.Hint())
		}
		noLeak(t, e.Error()+e.Hint())
	}
}

// Where expiring it was sent and not answered, or not with an answer that
// tells, nobody knows whether the token still exists.
func TestWrongOwnerMayBeUndone(t *testing.T) {
	for _, lost := range []func(kmsg.Request) answer{
		func(kmsg.Request) answer { return answer{drop: true} }, expires(7, 0), expires(-1, 0),
	} {
		s := managed(t, func(s *stub) { s.creates("t-9", ops, hmac2); s.set(40, lost) })
		c, _ := dialStub(t, s)
		_, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice})
		e := as[*WrongOwnerError](t, err)
		if e.Expired || !e.Unknown || !strings.Contains(e.Error(), "may still exist") || len(s.requests(40)) != 1 {
			t.Errorf("%+v, %d expire requests", e, len(s.requests(40)))
		}
	}
}

func TestRenewAndExpire(t *testing.T) {
	s := managed(t)
	c, k := dialStub(t, s)
	pasted := secretOf(hmac1)
	renewed, err := c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: pasted, Period: PeriodOf(time.Hour)})
	if err != nil || !renewed.Before.Equal(someDay.Add(24*time.Hour)) || !renewed.Token.Expires.Equal(someDay.Add(48*time.Hour)) {
		t.Fatalf("%v %+v", err, renewed)
	}
	r := s.requests(39)[0].(*kmsg.RenewDelegationTokenRequest)
	if !bytes.Equal(r.HMAC, hmac1) || r.RenewTimeMillis != 3600000 || pasted.Len() != 0 {
		t.Errorf("period %d, %d bytes of the paste left", r.RenewTimeMillis, pasted.Len())
	}
	if d := s.requests(41)[0].(*kmsg.DescribeDelegationTokenRequest); len(d.Owners) != 1 {
		t.Errorf("read with %+v", d.Owners)
	}

	pasted = secretOf(hmac1)
	expired, err := c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: pasted, Reason: "left the company"})
	if err != nil || !expired.Before.Equal(someDay.Add(24*time.Hour)) || !expired.At.Equal(someDay.Add(time.Second)) || pasted.Len() != 0 {
		t.Fatalf("%v %+v", err, expired)
	}
	x := s.requests(40)[0].(*kmsg.ExpireDelegationTokenRequest)
	if x.ExpiryPeriodMillis != -1 || !bytes.Equal(x.HMAC, hmac1) { // A11
		t.Errorf("period %d", x.ExpiryPeriodMillis)
	}
	k.advance(time.Hour)
	for _, at := range []int64{0, -1} {
		s.set(40, expires(0, at))
		expired, err := c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: secretOf(hmac1)})
		if err != nil || !expired.At.Equal(someDay.Add(time.Hour)) || !expired.Token.Expires.Equal(expired.At) {
			t.Errorf("answer %d: %v %+v", at, err, expired)
		}
	}
}

// A29: nothing is sent when the HMAC is another token's, or the token is gone.
func TestNothingIsSentForAWrongHMAC(t *testing.T) {
	s := managed(t)
	c, _ := dialStub(t, s)
	for _, wrong := range [][]byte{hmac2, hmac1[:63], {}} {
		err := errRenewed(c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: secretOf(wrong)}))
		if got := as[*MismatchError](t, err).Error(); got != "The HMAC given is not the HMAC of token t-1" {
			t.Error(got)
		}
		as[*MismatchError](t, errExpired(c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: secretOf(wrong)})))
	}
	missing := Token{ID: "t-7", Owner: alice}
	as[*GoneError](t, errRenewed(c.RenewToken(t.Context(), RenewRequest{Token: missing, HMAC: secretOf(hmac1)})))
	as[*GoneError](t, errExpired(c.ExpireToken(t.Context(), ExpireRequest{Token: missing, HMAC: secretOf(hmac1)})))
	if s.count(39)+s.count(40) != 0 {
		t.Error("a change was sent")
	}
	// Gone is only said after all tokens were looked through.
	last := s.requests(41)[s.count(41)-1].(*kmsg.DescribeDelegationTokenRequest)
	if last.Owners != nil {
		t.Errorf("%+v", last.Owners)
	}
}
