package kafka

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func withUsers(users map[string]string, mechanisms ...string) func(*stub) {
	return func(s *stub) { s.sasl = &saslStub{mechanisms: mechanisms, users: users} }
}

// B11: Kafka does no SASLprep, so every password counts as it is; B12: commas
// and equals signs in names are escaped.
func TestPasswordsAndNamesAreTakenVerbatim(t *testing.T) {
	users := map[string]string{"tab": "tab\there", "roman": "Ⅸ", "nbsp": "a\u00a0b", "soft": "soft\u00adhyphen", "cyrillic": "пароль",
		"emoji": "😀", "lead": " lead", "long": strings.Repeat("x", 1000), "a=b,c": "p", "ops": `q"u\o,t=e`, "späße": "ß", "nul": "a\x00b"}
	for _, mechanism := range []string{MechanismPlain, MechanismScramSHA256, MechanismScramSHA512} {
		for user, password := range users {
			t.Run(mechanism+" "+user, func(t *testing.T) {
				s := newStub(t, withUsers(users, mechanism))
				settings := settingsFor(s)
				settings.SASL = plainAs(user, password)
				settings.SASL.Mechanism = mechanism
				c, err := Dial(t.Context(), settings)
				if mechanism == MechanismPlain && strings.Contains(password, "\x00") {
					if err == nil {
						t.Error("PLAIN cannot carry a NUL")
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				if got := c.Session().Principal; got != UserPrincipal(user) {
					t.Errorf("principal %v", got)
				}
				if mechanism != MechanismPlain && user == "a=b,c" {
					if first := s.sasl.clientFirsts()[0]; !strings.HasPrefix(first, "n,,n=a=3Db=2Cc,r=") || strings.Contains(first, "tokenauth") {
						t.Errorf("client-first %q", first)
					}
				}
			})
		}
	}
}

// B1: the user and the mechanism are named, the password never, and a refusal
// is final: no second bootstrap address is asked with the same password.
func TestWrongPassword(t *testing.T) {
	for _, mechanism := range []string{MechanismPlain, MechanismScramSHA256, MechanismScramSHA512} {
		t.Run(mechanism, func(t *testing.T) {
			first, second := opsStub(t), opsStub(t)
			settings := settingsFor(first)
			settings.Bootstrap = []string{first.address(), second.address(), second.address()}
			settings.SASL = &Credentials{Mechanism: mechanism, User: "ops", Password: NewSecret([]byte("wr0ng-one"))}
			_, err := Dial(t.Context(), settings)
			e := as[*SignInError](t, err)
			if e.Code != CodeSASLFailed || as[*ConnectError](t, err).Stage != "sign in" {
				t.Errorf("%#v", e)
			}
			for _, want := range []string{"ops", mechanism, "refuses the sign-in"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q lacks %q", err, want)
				}
			}
			if !strings.Contains(as[*ConnectError](t, err).Hint(), "password is wrong") {
				t.Errorf("hint %q", as[*ConnectError](t, err).Hint())
			}
			noLeak(t, err.Error(), "wr0ng")
			if first.sasl.attempts() != 1 || second.connections() != 0 {
				t.Errorf("%d attempts, %d connections to the next address", first.sasl.attempts(), second.connections())
			}
		})
	}
}

func TestMechanismNotOffered(t *testing.T) {
	s := newStub(t, withUsers(map[string]string{"ops": "ops-secret"}, "SCRAM-SHA-256", "OAUTHBEARER"))
	_, err := Dial(t.Context(), settingsFor(s))
	if e := as[*SignInError](t, err); e.Code != CodeUnsupportedMech || !strings.Contains(err.Error(), "PLAIN; it offers SCRAM-SHA-256, OAUTHBEARER") {
		t.Errorf("%v", err)
	}
}

// A broker that does not know the password is not trusted, and the library's
// text about it, which quotes what was exchanged, is not shown.
func TestServerMustProveThePassword(t *testing.T) {
	s := opsStub(t, func(s *stub) { s.sasl.liar = true })
	settings := settingsFor(s)
	settings.SASL.Mechanism = MechanismScramSHA512
	_, err := Dial(t.Context(), settings)
	if err == nil || !strings.Contains(err.Error(), "could not prove") || strings.Contains(err.Error(), "mismatch") {
		t.Errorf("%v", err)
	}
}

// B16: handshake v0 and SASL tokens without a header, as before Kafka 1.0.
func TestSignInBeforeKafka10(t *testing.T) {
	old := func(s *stub) {
		s.offered = map[int16][2]int16{3: {0, 2}, 17: {0, 0}, 18: {0, 0}}
		s.level = 0
	}
	for _, mechanism := range []string{MechanismPlain, MechanismScramSHA256} {
		s := opsStub(t, old)
		settings := settingsFor(s)
		settings.SASL.Mechanism = mechanism
		c, err := Dial(t.Context(), settings)
		if err != nil {
			t.Fatal(err)
		}
		if off := c.Session().Off; off == nil || off.Cause != OffNoAPI {
			t.Errorf("off %v", off)
		}
		c.Close()
		settings.SASL.Password = NewSecret([]byte("wrong"))
		if e := as[*SignInError](t, errOf(Dial(t.Context(), settings))); e.Code != CodeSASLFailed {
			t.Errorf("%v", e)
		}
	}
}

func TestSASLWhereThereIsNone(t *testing.T) {
	s := newStub(t)
	s.set(17, illegalState)
	settings := settingsFor(s)
	settings.Protocol, settings.SASL = SASLPlaintext, plainAs("ops", "ops-secret")
	if _, err := Dial(t.Context(), settings); err == nil || !strings.Contains(err.Error(), "does not use SASL") {
		t.Errorf("%v", err)
	}
	// The reverse: a SASL listener closes at the first request.
	c, _ := dialStub(t, opsStub(t), func(s *Settings) { s.Protocol, s.SASL = Plaintext, nil })
	if _, err := c.Tokens(t.Context(), Principal{}); err == nil || !strings.Contains(err.Error(), "as a SASL listener does") {
		t.Errorf("%v", err)
	}
}

func illegalState(r kmsg.Request) answer {
	out := r.ResponseKind().(*kmsg.SASLHandshakeResponse)
	out.ErrorCode = 34
	return reply(out)
}
