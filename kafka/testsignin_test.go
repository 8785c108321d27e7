package kafka

import (
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// A22, A23: the password is the base64 text, and tokenauth=true is part of what
// is signed; the stub's SCRAM fails otherwise.
func TestSignInWithAToken(t *testing.T) {
	for _, test := range []struct{ own, offered, want string }{
		{MechanismPlain, "SCRAM-SHA-512", MechanismScramSHA512},
		{MechanismPlain, "SCRAM-SHA-256", MechanismScramSHA256},
		{MechanismScramSHA256, "SCRAM-SHA-512,SCRAM-SHA-256", MechanismScramSHA256},
		{MechanismScramSHA512, "SCRAM-SHA-512,SCRAM-SHA-256", MechanismScramSHA512},
	} {
		s := opsStub(t, func(s *stub) {
			s.sasl.mechanisms = append(strings.Split(test.offered, ","), "PLAIN")
			s.sasl.tokens["t-1"] = hmac1Text
			s.sasl.lifetime = 11465
		})
		c, _ := dialStub(t, s, func(s *Settings) { s.SASL.Mechanism = test.own })
		given := secretOf(hmac1)
		got, err := c.TestSignIn(t.Context(), token1(c), given)
		if err != nil || got.Mechanism != test.want || got.Lifetime != 11465*time.Millisecond || given.Len() != 0 {
			t.Errorf("%+v: %v %+v, %d bytes left", test, err, got, given.Len())
		}
		firsts := s.sasl.clientFirsts()
		last := firsts[len(firsts)-1]
		if !strings.HasPrefix(last, "n,,n=t-1,r=") || !strings.HasSuffix(last, ",tokenauth=true") {
			t.Errorf("client-first %q", last)
		}
		if n := s.count(3); n != 1 {
			t.Errorf("%d requests after the sign-in", n)
		}
	}
}

// A21: a wrong id and a wrong HMAC look the same, and so do our texts.
func TestSignInIsRefused(t *testing.T) {
	s := opsStub(t, func(s *stub) { s.sasl.tokens["t-1"] = hmac1Text })
	c, k := dialStub(t, s)
	tries := s.sasl.attempts()
	_, wrongHMAC := c.TestSignIn(t.Context(), token1(c), secretOf(hmac2))
	unknown := token1(c)
	unknown.ID = "t-7"
	_, wrongID := c.TestSignIn(t.Context(), unknown, secretOf(hmac1))
	for _, err := range []error{wrongHMAC, wrongID} {
		e := as[*SignInError](t, err)
		if !e.TokenAuth || e.Code != CodeSASLFailed {
			t.Errorf("%+v", e)
		}
		for _, cause := range []string{"unknown, expired and removed", "HMAC is another token's", "delegation.token.secret.key"} {
			if !strings.Contains(e.Hint(), cause) {
				t.Errorf("%q lacks %q", e.Hint(), cause)
			}
		}
		noLeak(t, err.Error()+e.Hint())
	}
	if k.slept != 0 || s.sasl.attempts() != tries+2 {
		t.Errorf("%d waits, %d attempts for tokens that are not young", k.slept, s.sasl.attempts()-tries)
	}
	if strings.ReplaceAll(wrongID.Error(), "t-7", "t-1") != wrongHMAC.Error() {
		t.Errorf("%q and %q tell apart what the broker does not", wrongID, wrongHMAC)
	}
	s.sasl.offers("PLAIN")
	_, err := c.TestSignIn(t.Context(), token1(c), secretOf(hmac1))
	if e := as[*SignInError](t, err); e.Code != CodeUnsupportedMech || !strings.Contains(e.Error(), "it offers PLAIN") {
		t.Errorf("%v", err)
	}
}

func TestSignInOfAYoungTokenIsWaitedFor(t *testing.T) {
	s := managed(t)
	c, k := dialStub(t, s)
	if _, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice}); err != nil {
		t.Fatal(err)
	}
	k.onSleep = func() {
		if k.slept == 2 { // the broker learns of it now
			s.sasl.knows("t-1", hmac1Text)
		}
	}
	if _, err := c.TestSignIn(t.Context(), token1(c), secretOf(hmac1)); err != nil || k.slept != 3 {
		t.Errorf("%v after %d waits", err, k.slept)
	}
}

// An expired, unswept token passes SASL and is cut at its first request.
func TestSignInWithAnExpiredToken(t *testing.T) {
	s := opsStub(t, func(s *stub) { s.sasl.tokens["t-1"] = hmac1Text })
	c, _ := dialStub(t, s)
	s.set(3, func(kmsg.Request) answer { return answer{drop: true} })
	_, err := c.TestSignIn(t.Context(), token1(c), secretOf(hmac1))
	if e := as[*RefusedError](t, err); e.Code != CodeTokenExpired || !strings.Contains(e.Error(), "t-1 has expired") {
		t.Errorf("%v", err)
	}
}

// A broker says how long a session lives. Where that is not 0, or an answer had
// begun, a lost connection does not make a token expired.
func TestSignInThatIsCutOffIsNoExpiredToken(t *testing.T) {
	for _, test := range []struct {
		lifetime   int64
		drop, half bool
	}{{lifetime: 11465, drop: true}, {lifetime: 11465, half: true}, {half: true}} {
		s := opsStub(t, func(s *stub) { s.sasl.tokens["t-1"] = hmac1Text; s.sasl.lifetime = test.lifetime })
		c, _ := dialStub(t, s)
		s.set(3, func(r kmsg.Request) answer { return answer{msg: r.ResponseKind(), drop: test.drop, half: test.half} })
		_, err := c.TestSignIn(t.Context(), token1(c), secretOf(hmac1))
		if e := as[*FaultError](t, err); !lost(e) || strings.Contains(err.Error(), "expired") {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestSignInNeedsASASLListener(t *testing.T) {
	c, _ := dialStub(t, newStub(t))
	given := secretOf(hmac1)
	_, err := c.TestSignIn(t.Context(), token1(c), given)
	if err == nil || !strings.Contains(err.Error(), "needs a SASL listener") || given.Len() != 0 {
		t.Errorf("%v", err)
	}
}
