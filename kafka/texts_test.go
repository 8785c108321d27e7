package kafka

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

// The quoted texts are those of the functional texts, to the letter.
func TestTexts(t *testing.T) {
	refused := func(op Op, code Code) error {
		return &RefusedError{Op: op, Code: code, TokenID: "t-1", Owner: alice}
	}
	for _, test := range []struct {
		err  error
		text string
		hint string // a part of it, "" for none
	}{
		{refused(OpCreateToken, 65), "This connection's identity may not create tokens for that owner (CreateTokens on the user), which issuing a token for another user needs.",
			"allow CreateTokens on the User resource User:alice."},
		{refused(OpRenewToken, 63), "This connection's identity is neither the owner of token t-1 nor one of its renewers; only they can renew or expire it.", "Super users are no exception"},
		{refused(OpExpireToken, 63), "This connection's identity is neither the owner of token t-1 nor one of its renewers; only they can renew or expire it.", "Super users are no exception"},
		{refused(OpRenewToken, 66), "Token t-1 has already expired; an expired token cannot be renewed.", "Create a new token."},
		{refused(OpExpireToken, 66), "Token t-1 is already expired; the broker removes it within its check interval.", ""},
		{refused(OpTestSignIn, 66), "Token t-1 has expired: the sign-in itself still passes, and the broker closed the connection at the first request.", "Create a new token."},
		{refused(OpRenewToken, 62), "The cluster does not know token t-1 any more, although this broker lists it.", "do not share one delegation.token.secret.key"},
		{refused(OpCreateToken, 61), "The controllers of this cluster have no delegation.token.secret.key, so they neither create, renew nor expire tokens.", "on the controllers"},
		{refused(OpCreateToken, 67), "Kafka accepts only principals of type User as renewers.", ""},
		{refused(OpCreateToken, 35), "The cluster's metadata.version is too old for delegation tokens: it needs 3.6-IV2.", "raise metadata.version"},
		{refused(OpCreateToken, 41), "The broker could not pass the request on to the controller (NOT_CONTROLLER): the cluster may be migrating from ZooKeeper.", ""},
		{refused(OpCreateToken, 99), "The cluster refused to create token: error code 99.", ""},
		{refused(OpListACLs, 31), "This connection's identity may not list ACL rules: it needs Describe on the cluster.", "allow Describe on the Cluster resource kafka-cluster"},
		{refused(OpListQuotas, 31), "This connection's identity may not list quotas: it needs DescribeConfigs on the cluster.", "allow DescribeConfigs"},
		{refused(OpListSCRAM, 31), "This connection's identity may not list SCRAM users: it needs Describe on the cluster.", "allow Describe"},
		{refused(OpListACLs, 54), "This cluster has no authorizer, so there are no ACL rules: everyone may do everything.", ""},
		{refused(OpListQuotas, 42), "The broker refused to list quotas: INVALID_REQUEST (42).", ""},
		{&MismatchError{TokenID: "t-1"}, "The HMAC given is not the HMAC of token t-1", "Nothing was sent"},
		{&GoneError{TokenID: "t-1"}, "Token t-1 is no longer in the broker's list.", "Nothing was sent"},
		{&OldBrokerError{Owner: alice, Version: "Kafka 2.8"}, "Issuing a token for alice, another user than the connection's own, needs Kafka 3.3 or later (detected: Kafka 2.8).", "Nothing was sent"},
		{&WrongOwnerError{Asked: alice, Got: ops, TokenID: "t-9", Expired: true}, "The cluster made token t-9 for User:ops although it was asked for User:alice; the token was expired at once.", ""},
		{&WrongOwnerError{Asked: alice, Got: ops, TokenID: "t-9"}, "The cluster made token t-9 for User:ops although it was asked for User:alice; expiring it at once failed, so the token still exists.", "not kept"},
		{&WrongOwnerError{Asked: alice, Got: ops, TokenID: "t-9", Unknown: true}, "The cluster made token t-9 for User:ops although it was asked for User:alice; expiring it at once was sent and its outcome is unknown, so the token may still exist.", "Read the list again"},
		{&UnknownOutcomeError{Op: OpCreateToken, Err: &FaultError{Fault: FaultClosed}}, `The outcome of "create token" is unknown, it may or may not have happened: the other side closed the connection without an answer. dtok has not sent it again.`, "HMAC that nobody knows"},
		{&UnknownOutcomeError{Op: OpRenewToken, Err: &FaultError{Fault: FaultSilent, Wait: 70 * time.Second}}, `The outcome of "renew token" is unknown, it may or may not have happened: no complete answer came within 1m10s. dtok has not sent it again.`, "Read the list again"},
		{&ReadOnlyError{Reason: "production is changed by pull request"}, "This environment is read-only: production is changed by pull request", "Nothing was sent."},
		{&ReadOnlyError{}, "This environment is read-only.", "Nothing was sent."},
		{&SignInError{Mechanism: "PLAIN", User: "ops", Code: 58}, "the broker refuses the sign-in of user ops with PLAIN", "password is wrong"},
		{&SignInError{Mechanism: "SCRAM-SHA-256", User: "ops", Code: 58}, "the broker refuses the sign-in of user ops with SCRAM-SHA-256", "tokenauth=true"},
		{&SignInError{Mechanism: "SCRAM-SHA-512", User: "t-1", Code: 58, TokenAuth: true}, "the broker refuses the sign-in with token t-1 and SCRAM-SHA-512", "HMAC is another token's"},
		{&SignInError{Mechanism: "OAUTHBEARER", Code: 58}, "the broker refuses the OAuth token", "from another issuer"},
		{&SignInError{Mechanism: "OAUTHBEARER", Code: 58, Status: "invalid_token", Claims: Claims{Subject: "a", Audience: []string{"b"}}},
			"the broker refuses the OAuth token (invalid_token)", "The token says of itself: subject a, audience b."},
		{&SignInError{Mechanism: "GSSAPI", User: "a@R", Service: "kafka/h", Code: 58}, "the broker refuses the Kerberos ticket of a@R for kafka/h", "not the KDC's latest for kafka/h"},
		{&SourceError{Mechanism: "OAUTHBEARER", Err: errors.New("no file")}, "no OAuth token to sign in with: no file", ""},
		{&SourceError{Mechanism: "OAUTHBEARER", Err: &FaultError{Fault: FaultSilent, Wait: time.Second}}, "no OAuth token to sign in with: no complete answer came within 1s", "token endpoint can be reached"},
		{&SourceError{Mechanism: "GSSAPI", Err: &FaultError{Fault: FaultSilent, Wait: time.Second}}, "no Kerberos ticket to sign in with: no complete answer came within 1s", "KDC of krb5.conf can be reached"},
		{&SignInError{Mechanism: "PLAIN", Code: 33}, "the listener does not offer the SASL mechanism PLAIN", "sasl.mechanism"},
		{&OffError{Cause: OffNoSecretKey}, "This cluster issues no delegation tokens: its brokers have no delegation.token.secret.key to sign them with", "before Kafka 2.8 its name was delegation.token.master.key"},
		{&OffError{Cause: OffOldMetadata, MetadataVersion: 13}, "This cluster issues no delegation tokens: it needs metadata.version 3.6-IV2, detected 3.6-IV1", "raise metadata.version"},
		{&OffError{Cause: OffNoAPI, Version: "Kafka 3.5"}, "This cluster offers no delegation token requests: they need Kafka 1.1 or later, and Kafka 3.6 or later on a KRaft cluster; detected: Kafka 3.5", ""},
		{&OffError{Cause: OffNoAPI}, "This cluster offers no delegation token requests: they need Kafka 1.1 or later, and Kafka 3.6 or later on a KRaft cluster; the version could not be detected", ""},
		{&OffError{Cause: OffPlaintext}, "This listener refuses token requests: it is a PLAINTEXT listener, which does not know who is asking", "SASL listener"},
		{&OffError{Cause: OffOneWayTLS}, "This listener refuses token requests: it is a one-way TLS listener, which does not know who is asking without a client certificate", "ssl.client.auth"},
		{&OffError{Cause: OffTokenSession}, "This connection may not use token requests: it has itself signed in with a delegation token", "password or certificate"},
	} {
		if got := test.err.Error(); got != test.text {
			t.Errorf("%#v\n got %s\nwant %s", test.err, got, test.text)
		}
		hint := ""
		if h, ok := test.err.(interface{ Hint() string }); ok {
			hint = h.Hint()
		}
		if (test.hint == "") != (hint == "") || !strings.Contains(hint, test.hint) {
			t.Errorf("%v: hint %q, want %q", test.err, hint, test.hint)
		}
		for _, never := range []string{"topic", "Topic"} { // A8
			if strings.Contains(test.text+hint, never) {
				t.Errorf("%v speaks of topics", test.err)
			}
		}
	}
}

// Each refusal of a change as the broker would give it, over the wire.
func TestRefusals(t *testing.T) {
	for _, code := range []Code{31, 35, 41, 42, 62, 63, 65, 66, 67} {
		s := managed(t, func(s *stub) {
			s.set(38, createCode(code))
			s.set(39, renews(code))
			s.set(40, expires(code, 0))
		})
		c, k := dialStub(t, s)
		k.advance(2 * settling) // the token is not young any more: its 62 is final
		made, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice})
		if e := as[*RefusedError](t, err); e.Code != code || e.Owner != alice || e.Op != OpCreateToken || made.HMAC != nil {
			t.Errorf("%+v", e)
		}
		e := as[*RefusedError](t, errRenewed(c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: secretOf(hmac1)})))
		if e.Code != code || e.TokenID != "t-1" || e.Op != OpRenewToken {
			t.Errorf("%+v", e)
		}
		e = as[*RefusedError](t, errExpired(c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: secretOf(hmac1)})))
		if e.Code != code || e.TokenID != "t-1" || e.Op != OpExpireToken || s.count(38)+s.count(39)+s.count(40) != 3 {
			t.Errorf("%+v", e)
		}
	}
}

// The key can be missing everywhere, or on the controllers alone.
func TestMissingSecretKey(t *testing.T) {
	s := managed(t, func(s *stub) { s.set(38, createCode(61)) })
	c, _ := dialStub(t, s)
	if e := as[*OffError](t, errCreated(c.CreateToken(t.Context(), CreateRequest{Owner: alice}))); e.Cause != OffNoSecretKey {
		t.Error(e)
	}
	if _, err := c.Tokens(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	if e := as[*RefusedError](t, errCreated(c.CreateToken(t.Context(), CreateRequest{Owner: alice}))); e.Code != CodeTokenAuthDisabled {
		t.Error(e)
	}
}

func TestReadOnlyRefusesChanges(t *testing.T) {
	r := ReadOnly{Reason: "because"}
	one, two := secretOf(hmac1), secretOf(hmac1)
	_, created := r.CreateToken(t.Context(), CreateRequest{})
	_, renewed := r.RenewToken(t.Context(), RenewRequest{HMAC: one})
	_, expired := r.ExpireToken(t.Context(), ExpireRequest{HMAC: two})
	for _, err := range []error{created, renewed, expired} {
		if e := as[*ReadOnlyError](t, err); e.Reason != "because" {
			t.Error(e)
		}
	}
	if one.Len()+two.Len() != 0 {
		t.Error("the pasted HMACs were kept")
	}
}

// A principal that the protocol cannot carry is refused, not sent cut off.
func TestNamesThatDoNotFit(t *testing.T) {
	s := managed(t)
	c, _ := dialStub(t, s)
	for _, req := range []CreateRequest{
		{Owner: UserPrincipal(strings.Repeat("x", 40000))},
		{Owner: alice, Renewers: []Principal{UserPrincipal(strings.Repeat("x", 70000))}},
		{Owner: alice, Renewers: []Principal{{Type: "User"}}},
	} {
		if _, err := c.CreateToken(t.Context(), req); err == nil || !strings.HasSuffix(err.Error(), "nothing was sent") {
			t.Errorf("%v", err)
		}
	}
	if s.count(38) != 0 {
		t.Error("a creation was sent")
	}
}

func TestErrorsUnwrap(t *testing.T) {
	inner := &FaultError{Fault: FaultCut, Err: errors.New("x")}
	for _, err := range []error{&ConnectError{Err: inner}, &UnknownOutcomeError{Err: inner}, nothingSent(&notSentError{inner}), causeError{"a", inner}} {
		if !lost(err) {
			t.Errorf("%T hides its cause", err)
		}
	}
	e := &ConnectError{Address: "b:2", Stage: "connect", Err: errors.New("no"), Tried: []string{"a:1: connect: no"}}
	if got := e.Error(); got != "cannot connect to b:2: connect: no; before that: a:1: connect: no" {
		t.Error(got)
	}
}

// A broker's TLS alert is told with what to do about it, whenever it comes: with
// TLS 1.3 it is in place of the first answer.
func TestHintsOfAlerts(t *testing.T) {
	for alert, want := range map[tls.AlertError][2]string{
		116: {"wants one and got none", "ssl.keystore.location"}, // certificate_required
		42:  {"client certificate", "ssl.keystore.location"},     // bad_certificate
		40:  {"shares no cipher suite", "ssl.cipher.suites"},     // handshake_failure
	} {
		for _, stage := range []string{"TLS", "API versions"} {
			cause := faultOf(t.Context(), &net.OpError{Op: "remote error", Err: alert}, 0)
			e := &ConnectError{Address: "b:1", Stage: stage, Err: cause}
			if !strings.Contains(e.Error(), want[0]) || !strings.Contains(e.Hint(), want[1]) || strings.Contains(e.Hint(), "plaintext") {
				t.Errorf("%v: %v\n%s", alert, e, e.Hint())
			}
		}
	}
}
