package demo

import (
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestReauthentication(t *testing.T) {
	b, clock := bare(t, Cluster{})
	a := as(t, b, alice)
	first, second := a.create("", 10_000), a.create("", 60_000)
	open := func() *client {
		c := dial(t, b, SASLPlaintext)
		if code, _, _, _ := c.scram(scramSHA256, first.TokenID, hmacText(first.HMAC), ",tokenauth=true"); code != 0 {
			t.Fatal(code)
		}
		return c
	}
	c, other, wrong := open(), open(), open()
	// Another token of the same owner, after the deadline.
	clock.Advance(11 * time.Second)
	if code, lifetime, _, _ := c.scram(scramSHA256, second.TokenID, hmacText(second.HMAC), ",tokenauth=true"); code != 0 || lifetime != 49_000 {
		t.Fatalf("another token: code %d lifetime %d", code, lifetime)
	}
	// Too soon: refused, and the session goes on.
	if code := c.handshake("SCRAM-SHA-256").ErrorCode; code != 34 {
		t.Fatalf("within a second: code %d, want 34", code)
	}
	do[*kmsg.MetadataResponse](c, kmsg.NewPtrMetadataRequest())
	// The owner's password makes an ordinary session of it.
	clock.Advance(time.Second)
	if code, lifetime, _, _ := c.scram(scramSHA256, alice, "alice-secret", ""); code != 0 || lifetime != 0 {
		t.Fatalf("password: code %d lifetime %d", code, lifetime)
	}
	if r := c.create("", -1); r.ErrorCode != 0 {
		t.Errorf("token requests after the password: code %d", r.ErrorCode)
	}
	// A session without an end cannot be renewed.
	clock.Advance(time.Minute)
	if code := c.handshake("SCRAM-SHA-256").ErrorCode; code != 34 {
		t.Errorf("without an end: code %d, want 34", code)
	}
	code, _, _, message := wrong.scram(scramSHA256, bob, "bob-secret", "")
	if code != 58 || message != "Cannot change principals during re-authentication from User.alice: User.bob" {
		t.Errorf("another user: code %d, %q", code, message)
	}
	wrong.closed(kmsg.NewPtrMetadataRequest())
	if code := other.handshake("SCRAM-SHA-512").ErrorCode; code != 0 {
		t.Errorf("handshake with another mechanism: code %d", code)
	}
	if _, err := other.token([]byte("n,,n=alice,r=x")); err == nil {
		t.Error("another mechanism was answered")
	}
}

func TestSASLOutOfPlace(t *testing.T) {
	b := start(t, Options{Bare: true})
	t.Run("request before the handshake", func(t *testing.T) {
		dial(t, b, SASLPlaintext).closed(kmsg.NewPtrMetadataRequest())
	})
	t.Run("token before the handshake", func(t *testing.T) {
		dial(t, b, SASLPlaintext).closed(kmsg.NewPtrSASLAuthenticateRequest())
	})
	t.Run("ApiVersions once", func(t *testing.T) {
		c := dial(t, b, SASLPlaintext)
		do[*kmsg.ApiVersionsResponse](c, kmsg.NewPtrApiVersionsRequest())
		c.closed(kmsg.NewPtrApiVersionsRequest())
	})
	t.Run("mechanism that is not offered", func(t *testing.T) {
		c := dial(t, b, SASLPlaintext)
		r := c.handshake("GSSAPI")
		if r.ErrorCode != 33 || len(r.SupportedMechanisms) != 3 {
			t.Errorf("code %d, mechanisms %q", r.ErrorCode, r.SupportedMechanisms)
		}
		c.closed(kmsg.NewPtrMetadataRequest())
	})
	t.Run("mechanism that is switched off", func(t *testing.T) {
		b := start(t, Options{Bare: true, Mechanisms: []string{"SCRAM-SHA-256"}})
		r := dial(t, b, SASLPlaintext).handshake("SCRAM-SHA-512")
		if r.ErrorCode != 33 || len(r.SupportedMechanisms) != 1 || r.SupportedMechanisms[0] != "SCRAM-SHA-256" {
			t.Errorf("code %d, mechanisms %q", r.ErrorCode, r.SupportedMechanisms)
		}
		if conn, err := b.Connection(alice); err != nil || conn.Mechanism != "SCRAM-SHA-256" {
			t.Errorf("%v, connection by %s", err, conn.Mechanism)
		}
	})
	t.Run("second handshake", func(t *testing.T) {
		c := dial(t, b, SASLPlaintext)
		c.handshake("PLAIN")
		if r := c.handshake("PLAIN"); r.ErrorCode != 34 {
			t.Errorf("code %d, want 34", r.ErrorCode)
		}
		c.closed(kmsg.NewPtrMetadataRequest())
	})
	t.Run("token after sign-in", func(t *testing.T) {
		c := as(t, b, alice)
		r, err := c.token([]byte("x"))
		if err != nil || r.ErrorCode != 34 || !strings.Contains(*r.ErrorMessage, "after successful authentication") {
			t.Errorf("%v, code %d", err, r.ErrorCode)
		}
		do[*kmsg.MetadataResponse](c, kmsg.NewPtrMetadataRequest())
	})
	t.Run("bare tokens after handshake v0", func(t *testing.T) {
		for _, password := range []string{"alice-secret", "wrong"} {
			c := dial(t, b, SASLPlaintext)
			req := kmsg.NewPtrSASLHandshakeRequest()
			req.Mechanism = "PLAIN"
			do[*kmsg.SASLHandshakeResponse](c, req)
			c.write(appendBare([]byte("\x00alice\x00" + password)))
			token, err := readFrame(c.in, 100)
			if password == "wrong" {
				if err == nil {
					t.Error("a wrong password was answered")
				}
				continue
			}
			if err != nil || len(token) != 0 {
				t.Fatalf("%v, %d bytes", err, len(token))
			}
			if r := c.create("", -1); r.ErrorCode != 0 || r.PrincipalName != alice {
				t.Errorf("code %d principal %q", r.ErrorCode, r.PrincipalName)
			}
		}
	})
	if n := b.SignIns(); n != 4 {
		t.Errorf("%d sign-ins counted", n)
	}
}
