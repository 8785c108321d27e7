package kafka

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// logBook keeps what is logged.
type logBook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBook) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// logged makes settings write to a book.
func logged(book *logBook) func(*Settings) {
	return func(s *Settings) { s.Log = slog.New(slog.NewJSONHandler(book, nil)) }
}

// lines are the entries of a book, each as its message and the values of keys.
func (l *logBook) lines(t *testing.T, keys ...string) []string {
	t.Helper()
	var all []string
	for _, line := range strings.Split(strings.TrimSpace(l.String()), "\n") {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		failure, _ := entry["error"].(map[string]any)
		text := fmt.Sprint(entry["msg"])
		for _, key := range keys {
			if v, ok := entry[key]; ok {
				text += fmt.Sprintf(" %s=%v", key, v)
			}
		}
		for _, key := range keys {
			if v, ok := failure[key]; ok {
				text += fmt.Sprintf(" error.%s=%v", key, v)
			}
		}
		all = append(all, text)
	}
	return all
}

// holds checks that entries are there in this order, with others between them.
func holds(t *testing.T, have []string, want ...string) {
	t.Helper()
	rest := have
	for _, w := range want {
		i := slices.Index(rest, w)
		if i < 0 {
			t.Fatalf("%q is not there, or not after what it follows:\n%s", w, strings.Join(have, "\n"))
		}
		rest = rest[i+1:]
	}
}

// TestTheLogTellsTheWayIn has all steps of a connection, each with what it took.
func TestTheLogTellsTheWayIn(t *testing.T) {
	server, pool := certificate(t)
	s := opsStub(t, overTLS(server), sources)
	book := &logBook{}
	settings := settingsFor(s)
	settings.Protocol, settings.TLS = SASLSSL, &tls.Config{RootCAs: pool, ServerName: "127.0.0.1"}
	settings.SASL.Mechanism = MechanismScramSHA256
	logged(book)(&settings)
	_, port, _ := strings.Cut(s.address(), ":")
	settings.Bootstrap = []string{"localhost:" + port}
	c, err := Dial(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	lines := book.lines(t, "host", "tls_version", "api", "id", "mechanism", "detected")
	holds(t, lines, "look up host=localhost", "connect", "TLS tls_version=TLS 1.3",
		"request api=ApiVersions id=1", "answer api=ApiVersions id=1", "API versions",
		"request api=SaslHandshake id=2", "answer api=SaslHandshake id=2",
		"request api=SaslAuthenticate id=3", "answer api=SaslAuthenticate id=3",
		"request api=SaslAuthenticate id=4", "answer api=SaslAuthenticate id=4",
		"sign in mechanism=SCRAM-SHA-256", "connected mechanism=SCRAM-SHA-256 detected="+c.Detected(), "connection closed")
	for _, line := range strings.Split(strings.TrimSpace(book.String()), "\n") {
		timed := !strings.Contains(line, `"msg":"request"`) && !strings.Contains(line, `"msg":"connect`)
		if timed && !strings.Contains(line, `"ms":`) {
			t.Errorf("without a time: %s", line)
		}
		if about := strings.Contains(line, `"api":`); about && !(strings.Contains(line, `"bytes":`) && strings.Contains(line, `"connection":"`)) {
			t.Errorf("without bytes or a connection: %s", line)
		}
	}
	for _, want := range []string{`"cipher":"TLS_`, `"peer":"certificate `} {
		if !strings.Contains(book.String(), want) {
			t.Errorf("%s is not in %s", want, book.String())
		}
	}
	for _, first := range s.sasl.clientFirsts() {
		noLeak(t, book.String(), first, "r=", "n,,", "n=ops", "p=")
	}
}

// TestTheLogTellsWhatFailed names refusals by Kafka's names and what was wrong
// with a connection by its words.
func TestTheLogTellsWhatFailed(t *testing.T) {
	refusing := describeCode(65)
	for name, c := range map[string]struct {
		stub func(*stub)
		act  func(context.Context, *Client) error
		want []string
	}{
		"a refusal": {
			func(s *stub) { s.set(41, refusing) },
			func(ctx context.Context, c *Client) error { _, err := c.Tokens(ctx, alice); return err },
			[]string{"answer kafka_error=DELEGATION_TOKEN_AUTHORIZATION_FAILED (65)",
				"operation op=list tokens error.kafka_error=DELEGATION_TOKEN_AUTHORIZATION_FAILED (65) error.op=list tokens"},
		},
		"a code without a meaning here": {
			func(s *stub) { s.set(41, describeCode(29)) },
			func(ctx context.Context, c *Client) error { _, err := c.Tokens(ctx, alice); return err },
			[]string{"answer kafka_error=TOPIC_AUTHORIZATION_FAILED (29)"},
		},
		"a silent broker": {
			func(s *stub) { s.set(41, func(kmsg.Request) answer { return answer{hang: true} }) },
			func(ctx context.Context, c *Client) error { _, err := c.Tokens(ctx, alice); return err },
			[]string{"no answer error.text=no complete answer came within 1s", "connection given up error.text=no complete answer came within 1s"},
		},
		"a broken connection": {
			func(s *stub) {
				var asked atomic.Int32 // on two connections
				s.set(41, func(r kmsg.Request) answer {
					if asked.Add(1) == 1 {
						return answer{drop: true}
					}
					return describeCode(0)(r)
				})
			},
			func(ctx context.Context, c *Client) error { _, err := c.Tokens(ctx, alice); return err },
			[]string{"no answer error.text=the other side closed the connection without an answer",
				"connection given up error.text=the other side closed the connection without an answer", "reconnect", "connected", "operation op=list tokens"},
		},
		"a lost answer": {
			func(s *stub) { s.set(38, func(kmsg.Request) answer { return answer{drop: true} }) },
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateToken(ctx, CreateRequest{Owner: alice, Renewers: []Principal{carol}})
				return err
			},
			[]string{"no answer error.text=the other side closed the connection without an answer",
				"operation op=create token error.op=create token error.outcome=unknown error.text=the other side closed the connection without an answer"},
		},
		"a request that is not offered": {
			func(s *stub) { delete(s.offered, 48) },
			func(ctx context.Context, c *Client) error { _, err := c.Quotas(ctx, alice); return err },
			[]string{"not sent error.versions=not offered, dtok up to 1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := managed(t, c.stub)
			book := &logBook{}
			client, _ := dialStub(t, s, logged(book), func(s *Settings) {
				if name == "a silent broker" {
					s.ReadTimeout = time.Second
				}
			})
			err := c.act(t.Context(), client)
			holds(t, book.lines(t, "kafka_error", "op", "outcome", "text", "versions"), c.want...)
			noLeak(t, book.String(), "alice", "carol")
			if err == nil && name != "a broken connection" {
				t.Error("nothing failed")
			}
		})
	}
}

// TestTheLogTellsWaits has each time that 62 is waited out.
func TestTheLogTellsWaits(t *testing.T) {
	s := managed(t)
	book := &logBook{}
	c, _ := dialStub(t, s, logged(book))
	if _, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice}); err != nil {
		t.Fatal(err)
	}
	s.set(39, after(2, renews(62), renews(0)))
	if _, err := c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: secretOf(hmac1)}); err != nil {
		t.Fatal(err)
	}
	const refused, waits = "answer api=RenewDelegationToken kafka_error=DELEGATION_TOKEN_NOT_FOUND (62)", "wait kafka_error=DELEGATION_TOKEN_NOT_FOUND (62)"
	holds(t, book.lines(t, "api", "kafka_error"), refused, waits, refused, waits, "answer api=RenewDelegationToken")
	noLeak(t, book.String(), "t-1", "alice")
}

// TestTheLogTellsASignIn that was refused, without whose it was.
func TestTheLogTellsASignIn(t *testing.T) {
	s := opsStub(t)
	book := &logBook{}
	settings := settingsFor(s)
	settings.SASL = plainAs("mallory", "a-wrong-word")
	logged(book)(&settings)
	if _, err := Dial(t.Context(), settings); err == nil {
		t.Fatal("signed in")
	}
	holds(t, book.lines(t, "mechanism", "stage", "kafka_error"),
		"answer kafka_error=SASL_AUTHENTICATION_FAILED (58)",
		"sign in mechanism=PLAIN error.mechanism=PLAIN error.kafka_error=SASL_AUTHENTICATION_FAILED (58)")
	noLeak(t, book.String(), "mallory", "a-wrong-word")
}

// TestTheLogTellsASource names what went wrong with it, and not the token.
func TestTheLogTellsASource(t *testing.T) {
	s := opsStub(t)
	book := &logBook{}
	settings := settingsFor(s)
	settings.SASL = &Credentials{Mechanism: MechanismOAuth, OAuth: failingSource{}}
	s.sasl.offers(MechanismOAuth)
	logged(book)(&settings)
	if _, err := Dial(t.Context(), settings); err == nil {
		t.Fatal("signed in")
	}
	holds(t, book.lines(t, "mechanism", "text"),
		"sign-in source mechanism=OAUTHBEARER error.text=the token endpoint is closed",
		"sign in mechanism=OAUTHBEARER error.text=the token endpoint is closed")
}

type failingSource struct{}

func (failingSource) BearerToken(context.Context) (*Secret, error) {
	return nil, errors.New("the token endpoint is closed")
}

// TestErrorsInALog keeps what a person has typed out of it, whatever the error.
func TestErrorsInALog(t *testing.T) {
	const typed = "typed-by-hand"
	who := UserPrincipal(typed)
	rule := ACLRule{ResourceType: ResourceUser, ResourceName: typed, Principal: who.String(), Host: typed}
	for _, err := range []error{
		&SignInError{Mechanism: MechanismPlain, User: typed, Code: CodeSASLFailed},
		&ConnectError{Address: "b:1", Stage: "sign in", Err: &SignInError{User: typed, Code: CodeSASLFailed}},
		&RefusedError{Op: OpCreateToken, Code: CodeTokenAuthFailed, TokenID: typed, Owner: who, Text: typed},
		&MismatchError{TokenID: typed}, &GoneError{TokenID: typed}, &OldBrokerError{Owner: who}, &WrongOwnerError{Asked: who, Got: who, TokenID: typed},
		&UnknownOutcomeError{Op: OpSetQuota, Err: errors.New(typed)}, &ReadOnlyError{Reason: typed},
		&ReplaceError{Right: rule, Wrong: rule, Err: &RefusedError{Text: typed}},
		&SomeRulesError{Results: []RuleResult{{Rule: rule, Err: errors.New(typed)}}},
		&RemovedCountError{Rule: rule},
		errors.Join(errors.New(typed), fmt.Errorf("%w: %s", context.Canceled, typed)),
	} {
		text := LogError(err).String()
		if strings.Contains(text, typed) || !strings.Contains(text, "types=") {
			t.Errorf("%T: %s", err, text)
		}
	}
	if text := LogError(fmt.Errorf("so: %w", context.Canceled)).String(); !strings.Contains(text, "ended=cancelled") {
		t.Error(text)
	}
}
