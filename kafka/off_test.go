package kafka

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func describeCode(code Code) func(kmsg.Request) answer {
	return func(r kmsg.Request) answer {
		out := r.ResponseKind().(*kmsg.DescribeDelegationTokenResponse)
		out.ErrorCode = int16(code)
		return reply(out)
	}
}

// Design 5: why tokens are off, in order; A25 for metadata.version.
func TestWhyTokensAreOff(t *testing.T) {
	zk11 := map[int16][2]int16{3: {0, 5}, 17: {0, 1}, 18: {0, 1}, 29: {0, 0}, 36: {0, 0}}
	for name, test := range map[string]struct {
		stub  func(*stub)
		as    func(*Settings)
		cause OffCause
		want  string
		asked bool
	}{
		"kafka 1.0": {func(s *stub) { s.offered, s.level = zk11, 0 }, nil, OffNoAPI, "Kafka 1.1 or later", false},
		"kraft 3.5": {func(s *stub) {
			for k := int16(38); k <= 41; k++ {
				delete(s.offered, k)
			}
			s.level = 11
		}, nil, OffNoAPI, "Kafka 3.6 or later on a KRaft cluster", false},
		"old metadata": {func(s *stub) { s.level = 13 }, nil, OffOldMetadata, "needs metadata.version 3.6-IV2, detected 3.6-IV1", false},
		"older":        {func(s *stub) { s.level = 11 }, nil, OffOldMetadata, "detected 3.5-IV2", false},
		"no key": {func(s *stub) { s.set(41, describeCode(61)) }, nil, OffNoSecretKey,
			"This cluster issues no delegation tokens: its brokers have no delegation.token.secret.key to sign them with", true},
		"plaintext": {func(s *stub) { s.set(41, describeCode(64)); s.sasl = nil }, nil, OffPlaintext, "PLAINTEXT listener", true},
		"token session": {func(s *stub) {
			s.set(41, describeCode(64))
			s.sasl.tokens["t-1"] = hmac1Text
		}, func(s *Settings) {
			s.SASL = &Credentials{Mechanism: MechanismScramSHA256, User: "t-1", Password: NewSecret([]byte(hmac1Text)), TokenAuth: true}
		}, OffTokenSession, "itself signed in with a delegation token", true},
		"other": {func(s *stub) { s.set(41, describeCode(64)) }, nil, OffOther, "refuses token requests", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := opsStub(t, sources, test.stub)
			change := test.as
			if change == nil {
				change = func(*Settings) {}
			}
			c, _ := dialStub(t, s, change)
			_, err := c.Tokens(t.Context(), alice)
			e := as[*OffError](t, err)
			if e.Cause != test.cause || !strings.Contains(e.Error(), test.want) {
				t.Errorf("%d: %v", e.Cause, e)
			}
			if l, err := c.Users(t.Context()); err != nil {
				t.Error(err)
			} else if e := as[*OffError](t, l.Failed[FromTokens]); e.Cause != test.cause || len(l.Users) == 0 {
				t.Errorf("users: %v, %d", e, len(l.Users))
			}
			before := s.count(38) + s.count(39) + s.count(40)
			if !test.asked && s.count(41) != 0 {
				t.Error("the broker was asked although its offers say enough")
			}
			if !test.asked {
				as[*OffError](t, errCreated(c.CreateToken(t.Context(), CreateRequest{Owner: ops})))
			}
			as[*OffError](t, errRenewed(c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: secretOf(hmac1)})))
			as[*OffError](t, errExpired(c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: secretOf(hmac1)})))
			if s.count(38)+s.count(39)+s.count(40) != before {
				t.Error("a change was sent")
			}
		})
	}
}

// Raising metadata.version switches tokens on while the connection stands.
func TestMetadataIsRaisedUnderTheConnection(t *testing.T) {
	s := opsStub(t, sources, func(s *stub) { s.level = 13 })
	c, _ := dialStub(t, s)
	_, err := c.Tokens(t.Context(), alice)
	as[*OffError](t, err)
	s.set(18, (&stub{offered: s.offered, level: 14}).apiVersions)
	l, err := c.Users(t.Context())
	if err != nil || l.Failed[FromTokens] != nil || c.Session().Off != nil || c.Session().MetadataVersion != 14 {
		t.Errorf("%v, %+v", err, c.Session())
	}
	asked := s.count(18)
	if _, err := c.Tokens(t.Context(), alice); err != nil {
		t.Error(err)
	}
	if s.count(18) != asked || s.count(36) != 1 {
		t.Errorf("asked %d times for what is known, signed in %d times", s.count(18)-asked, s.count(36))
	}
}

func errCreated(_ Created, err error) error { return err }
func errRenewed(_ Renewed, err error) error { return err }
func errExpired(_ Expired, err error) error { return err }

// C4: a ZooKeeper cluster answers epoch 0 without features, and serves tokens.
func TestZooKeeperClusterIsNotOld(t *testing.T) {
	s := opsStub(t, sources, func(s *stub) { s.level = 0 })
	c, _ := dialStub(t, s)
	if got := c.Session(); got.Off != nil || got.MetadataVersion != 0 {
		t.Errorf("%+v", got)
	}
	if _, err := c.Tokens(t.Context(), alice); err != nil {
		t.Error(err)
	}
}

func TestSessionTells(t *testing.T) {
	s := opsStub(t, sources)
	c, _ := dialStub(t, s)
	got := c.Session()
	if got.Protocol != SASLPlaintext || got.Mechanism != "PLAIN" || got.Principal != ops || got.MetadataVersion != 33 || !got.CanCreateForOthers || got.TokenID != "" {
		t.Errorf("%+v", got)
	}
	old := opsStub(t, func(s *stub) { s.offered[38] = [2]int16{0, 2}; s.offered[18] = [2]int16{0, 2} })
	c, _ = dialStub(t, old)
	if got := c.Session(); got.CanCreateForOthers || old.count(18) != 2 {
		t.Errorf("%+v after %d ApiVersions", got, old.count(18))
	}
}

// Every version of Kafka is guessed by the ranges it was seen to answer.
func TestDetectedVersion(t *testing.T) {
	for guess, want := range map[string]string{
		"v4.4": "Kafka 4.4", "at least v4.4": "Kafka 4.4 or later", "between v2.4 and v2.5": "Kafka between 2.4 and 2.5",
		"unknown custom version": "", "unknown custom version at least v3.5": "Kafka 3.5 or later", "not even v0.8.0": "",
	} {
		if got := wordGuess(guess); got != want {
			t.Errorf("%q: %q, want %q", guess, got, want)
		}
	}
}
