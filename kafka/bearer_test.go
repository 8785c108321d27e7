package kafka

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func jwt(payload string) string {
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2lnbmF0dXJl"
}

func bearerStub(t *testing.T, tokens ...string) *stub {
	users := map[string]string{}
	for i, token := range tokens {
		users[fmt.Sprint(i)] = token
	}
	return newStub(t, sources, withUsers(users, "SCRAM-SHA-512", MechanismOAuth, MechanismKerberos))
}

func bearerSettings(s *stub, source TokenSource) Settings {
	settings := settingsFor(s)
	settings.SASL = &Credentials{Mechanism: MechanismOAuth, OAuth: source}
	return settings
}

func TestBearerToken(t *testing.T) {
	token := jwt(`{"sub":"alice","exp":4102444800}`)
	s := bearerStub(t, token)
	source := &oneToken{token: token}
	settings := bearerSettings(s, source)
	settings.SASL.Extensions = map[string]string{"traceId": "1 2", "logicalCluster": "lkc-1"}
	c, err := Dial(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := c.Session(); !got.Principal.IsZero() || got.Mechanism != MechanismOAuth {
		t.Errorf("%+v", got)
	}
	want := "n,,\x01auth=Bearer " + token + "\x01logicalCluster=lkc-1\x01traceId=1 2\x01\x01"
	if got := s.sasl.clientFirsts(); len(got) != 1 || got[0] != want {
		t.Errorf("sent %q", got)
	}
	// A new connection takes a new token.
	s.closeConns()
	if _, err := c.Tokens(t.Context(), Principal{}); err != nil || source.asked != 2 {
		t.Errorf("%v after %d tokens", err, source.asked)
	}
}

// The broker's first answer to a bad token has the code 0; the refusal is told
// as one sentence, with the token's own account of itself and nothing of it.
func TestBearerTokenRefused(t *testing.T) {
	token := jwt(`{"sub":"alice","iss":"https://login.example","aud":["kafka","x"],"exp":1700000000.5}`)
	first, second := bearerStub(t, "another"), bearerStub(t, token)
	source := &oneToken{token: token}
	settings := bearerSettings(first, source)
	settings.Bootstrap = []string{first.address(), second.address()}
	_, err := Dial(t.Context(), settings)
	e := as[*SignInError](t, err)
	if e.Status != "invalid_token" || e.Code != CodeSASLFailed || !strings.Contains(err.Error(), "the broker refuses the OAuth token (invalid_token)") {
		t.Errorf("%v", err)
	}
	const says = "subject alice, issuer https://login.example, audience kafka x, expires 2023-11-14T22:13:20Z."
	if hint := as[*ConnectError](t, err).Hint(); !strings.Contains(hint, says) {
		t.Errorf("hint %q", hint)
	}
	noLeak(t, err.Error()+e.Hint(), token, token[:30], token[40:60])
	if first.sasl.attempts() != 1 || second.connections() != 0 || source.asked != 1 {
		t.Errorf("%d attempts, %d connections to the next address, %d tokens", first.sasl.attempts(), second.connections(), source.asked)
	}
	if got := first.sasl.clientFirsts(); len(got) != 2 || got[1] != "\x01" {
		t.Errorf("sent %q", got)
	}
}

func TestNothingToSignInWith(t *testing.T) {
	for name, test := range map[string]struct {
		source *oneToken
		want   string
	}{
		"no token":     {&oneToken{err: hintedError{errors.New("the token file is empty"), "Look."}}, "no OAuth token to sign in with: the token file is empty"},
		"two lines":    {&oneToken{token: "s3cr3t\x01x=y"}, "characters that none can have"},
		"empty":        {&oneToken{token: ""}, "characters that none can have"},
		"slow":         {&oneToken{err: context.DeadlineExceeded, on: func(ctx context.Context) { <-ctx.Done() }}, "no complete answer came within 1s"},
		"fails slowly": {&oneToken{err: errors.New("s3cr3t"), on: func(ctx context.Context) { <-ctx.Done() }}, "no complete answer came within 1s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, second := bearerStub(t, "t"), bearerStub(t, "t")
			settings := bearerSettings(first, test.source)
			settings.Bootstrap = []string{first.address(), second.address()}
			if test.source.on != nil {
				settings.ConnectTimeout = time.Second // for all that comes before as well
			}
			_, err := Dial(t.Context(), settings)
			e := as[*SourceError](t, err)
			if !strings.Contains(err.Error(), test.want) || as[*ConnectError](t, err).Stage != "sign in" {
				t.Errorf("%v", err)
			}
			if (name == "no token" || test.source.on != nil) && e.Hint() == "" {
				t.Error("no hint")
			}
			noLeak(t, err.Error(), "s3cr3t")
			if first.sasl.attempts() != 0 || second.connections() != 0 || test.source.asked != 1 {
				t.Errorf("%d attempts, %d connections to the next address, asked %d times", first.sasl.attempts(), second.connections(), test.source.asked)
			}
		})
	}
}

// A mechanism that the listener does not offer costs no token.
func TestNoTokenForAnotherListener(t *testing.T) {
	s := opsStub(t)
	source := &oneToken{token: "t"}
	_, err := Dial(t.Context(), bearerSettings(s, source))
	if e := as[*SignInError](t, err); e.Code != CodeUnsupportedMech || source.asked != 0 {
		t.Errorf("%v, asked %d times", err, source.asked)
	}
}

func TestCancelWhileATokenIsFetched(t *testing.T) {
	s := bearerStub(t, "t")
	ctx, cancel := context.WithCancel(t.Context())
	source := &oneToken{err: errors.New("late"), on: func(asking context.Context) { cancel(); <-asking.Done() }}
	if _, err := Dial(ctx, bearerSettings(s, source)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// GSSAPI has a last word after its last challenge, which the broker answers.
func TestTicket(t *testing.T) {
	s := bearerStub(t)
	source := &fakeTickets{of: "good"}
	settings := settingsFor(s)
	settings.SASL = &Credentials{Mechanism: MechanismKerberos, Kerberos: source}
	c, err := Dial(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if !c.Session().Principal.IsZero() || source.host != "127.0.0.1" {
		t.Errorf("%+v, ticket for %s", c.Session(), source.host)
	}
	settings.SASL.Kerberos = &fakeTickets{of: "bad"}
	_, err = Dial(t.Context(), settings)
	if e := as[*SignInError](t, err); !strings.Contains(err.Error(), "the Kerberos ticket of bad@EXAMPLE.COM for kafka/127.0.0.1") || !strings.Contains(e.Hint(), "clock") {
		t.Errorf("%v", err)
	}
	settings.SASL.Kerberos = &fakeTickets{}
	_, err = Dial(t.Context(), settings)
	if e := as[*SourceError](t, err); e.Hint() != "Look at krb5.conf." || !strings.Contains(err.Error(), "no Kerberos ticket to sign in with: the KDC") {
		t.Errorf("%v", err)
	}
}

func TestOldBrokersKnowNoBearerTokens(t *testing.T) {
	s := bearerStub(t, "t")
	s.offered = map[int16][2]int16{3: {0, 2}, 17: {0, 0}, 18: {0, 0}}
	source := &oneToken{token: "t"}
	if _, err := Dial(t.Context(), bearerSettings(s, source)); err == nil || !strings.Contains(err.Error(), "needs Kafka 1.0 or later") || source.asked != 0 {
		t.Errorf("%v", err)
	}
}

func TestExtensionsAreChecked(t *testing.T) {
	for key, value := range map[string]string{"auth": "x", "": "x", "a b": "x", "a=b": "x", "ok": "\x01", "good": "ä"} {
		c := &Credentials{Mechanism: MechanismOAuth, OAuth: &oneToken{}, Extensions: map[string]string{key: value}}
		if err := c.check(); err == nil {
			t.Errorf("%q=%q is accepted", key, value)
		}
	}
}

func TestReadClaims(t *testing.T) {
	for token, want := range map[string]string{
		"opaque":    "",
		"a.b":       "",
		"a.!.c":     "",
		jwt(`[]`):   "",
		jwt(`{}`):   "",
		jwt(`nope`): "",
		jwt(`{"sub":7,"iss":null,"aud":{},"exp":-1}`): "",
		jwt(`{"sub":"a","exp":"soon"}`):               "",
		jwt(`{"sub":"a","aud":"b"}`):                  "subject a, audience b",
		jwt(`{"iss":"i","exp":0,"aud":[]}`):           "issuer i",
		jwt(`{"exp":1e300}`):                          "",
	} {
		if got := ReadClaims([]byte(token)).String(); got != want {
			t.Errorf("%s: %q, want %q", token, got, want)
		}
	}
}

func FuzzReadClaims(f *testing.F) {
	f.Add([]byte(jwt(`{"sub":"a","iss":"i","aud":["b"],"exp":1700000000}`)))
	f.Add([]byte(jwt(`{"sub":{"a":[]},"exp":"1"}`)))
	f.Add([]byte("..."))
	f.Fuzz(func(t *testing.T, token []byte) {
		c := ReadClaims(token)
		if c.IsZero() != (c.String() == "") {
			t.Errorf("%+v is %q", c, c.String())
		}
	})
}
