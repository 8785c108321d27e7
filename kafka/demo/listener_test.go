package demo

import (
	"crypto/tls"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestListeners(t *testing.T) {
	b := start(t, Options{Bare: true})
	for _, l := range []Listener{Plaintext, SSL} {
		c := dial(t, b, l)
		if r := c.create("User:bob", -1, "Group:x"); r.ErrorCode != 64 || r.MaxTimestamp != -1 || r.TokenRequesterPrincipalName != "ANONYMOUS" {
			t.Errorf("%s: create: code %d", l, r.ErrorCode)
		}
		if r := c.renew(nil, -1); r.ErrorCode != 64 || r.ExpiryTimestamp != -1 {
			t.Errorf("%s: renew: code %d expiry %d", l, r.ErrorCode, r.ExpiryTimestamp)
		}
		if r := c.expire(nil, -1); r.ErrorCode != 64 || r.ExpiryTimestamp != -1 {
			t.Errorf("%s: expire: code %d expiry %d", l, r.ErrorCode, r.ExpiryTimestamp)
		}
		if r := c.describe(); r.ErrorCode != 64 {
			t.Errorf("%s: describe: code %d", l, r.ErrorCode)
		}
		if code := c.handshake("PLAIN").ErrorCode; code != 34 {
			t.Errorf("%s: handshake: code %d", l, code)
		}
	}
	c := dial(t, b, SASLSSL)
	if code, _, _, _ := c.scram(scramSHA512, alice, "alice-secret", ""); code != 0 {
		t.Errorf("SASL_SSL: code %d", code)
	}
	if r := c.create("", -1); r.ErrorCode != 0 {
		t.Errorf("SASL_SSL: create: code %d", r.ErrorCode)
	}
	for user, principal := range map[string]string{alice: "CN=alice", ledger: ledger, "CN=dave,OU=Ops,O=Acme,C=DE": "CN=dave,OU=Ops,O=Acme,C=DE"} {
		cert, key, err := b.ClientCertificate(user)
		if err != nil {
			t.Fatal(err)
		}
		pair, err := tls.X509KeyPair(cert, key)
		if err != nil {
			t.Fatal(err)
		}
		if r := dial(t, b, MTLS, pair).create("", -1); r.ErrorCode != 0 || r.PrincipalName != principal {
			t.Errorf("MTLS as %s: code %d principal %q", user, r.ErrorCode, r.PrincipalName)
		}
	}
	dial(t, b, MTLS).closed(kmsg.NewPtrApiVersionsRequest())
	for _, user := range []string{"CN=", "X=1,CN=a", "CN=a,,O=b"} {
		if _, _, err := b.ClientCertificate(user); err == nil {
			t.Errorf("a certificate for %q was made", user)
		}
	}
}
