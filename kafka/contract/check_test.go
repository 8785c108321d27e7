package contract

import (
	"slices"
	"strings"
	"testing"

	"dtok/kafka"
	"dtok/kafka/contract/apache"
)

// diagnosed checks a connection and fails unless the diagnosis comes to the
// verdict, with the words somewhere in it. Whatever it says, it has changed
// nothing, and holds nothing of the secrets.
func diagnosed(t *testing.T, s kafka.Settings, ok bool, words ...string) kafka.Diagnosis {
	t.Helper()
	d := kafka.Check(t.Context(), s, nil)
	if d.OK() != ok {
		t.Errorf("the diagnosis is\n%s", d)
	}
	for _, w := range words {
		if !strings.Contains(d.String(), w) {
			t.Errorf("the diagnosis does not say %q:\n%s", w, d)
		}
	}
	for _, secret := range []string{clientSecret, "-secret", "wr0ng", "eyJ"} {
		if strings.Contains(d.String(), secret) {
			t.Errorf("the diagnosis holds %q:\n%s", secret, d)
		}
	}
	return d
}

func passwordSettings(node *apache.Node, listener, user string) kafka.Settings {
	s := kafka.Settings{
		Bootstrap: []string{node.Address(listener)}, Protocol: kafka.SASLPlaintext,
		SASL: &kafka.Credentials{Mechanism: kafka.MechanismScramSHA512, User: user, Password: kafka.NewSecret([]byte(apache.Password(user)))},
	}
	return s
}

func TestCheckOnKafka(t *testing.T) {
	version := strings.Join(strings.Split(needTokens(t).Version(), ".")[:2], ".")
	node := startNode(t, apache.Options{})
	t.Run("ops", func(t *testing.T) {
		d := diagnosed(t, passwordSettings(node, apache.SASLPlaintext, "ops"), true, "Kafka "+version, "signed in as ops with SCRAM-SHA-512")
		if i := slices.IndexFunc(d, func(s kafka.Step) bool {
			return s.Verdict == kafka.VerdictFail || s.Name == "ACL rules" && s.Verdict != kafka.VerdictOK
		}); i >= 0 {
			t.Errorf("%v", d[i])
		}
	})
	t.Run("alice", func(t *testing.T) {
		diagnosed(t, passwordSettings(node, apache.SASLPlaintext, "alice"), true, "may not list ACL rules", "may not list quotas", "may not list SCRAM users", "may list tokens")
	})
	t.Run("wrong password", func(t *testing.T) {
		s := passwordSettings(node, apache.SASLPlaintext, "alice")
		s.SASL.Password = kafka.NewSecret([]byte("wr0ng"))
		diagnosed(t, s, false, "refuses the sign-in of user alice")
	})
	t.Run("no certificate", func(t *testing.T) {
		s := certificateSettings(t, node, apache.MTLS, apache.Subject{"CN=x"})
		s.TLS.Certificates = nil
		diagnosed(t, s, false, "fail     TLS", "Give this connection a client certificate")
	})
	t.Run("certificate", func(t *testing.T) {
		diagnosed(t, certificateSettings(t, node, apache.MTLS, apache.Subject{"CN=x"}), true, `gets certificate "CN=x"`)
	})
	t.Run("another host name", func(t *testing.T) {
		s := certificateSettings(t, node, apache.SSL, apache.Subject{"CN=x"})
		s.TLS.ServerName = "other.example"
		diagnosed(t, s, false, "for another host name", "for localhost, 127.0.0.1")
	})
	t.Run("one-way TLS", func(t *testing.T) {
		s := certificateSettings(t, node, apache.SSL, apache.Subject{"CN=x"})
		s.TLS.Certificates = nil
		diagnosed(t, s, false, "fail     tokens", "one-way TLS listener")
	})
	t.Run("plaintext", func(t *testing.T) {
		diagnosed(t, kafka.Settings{Bootstrap: []string{"127.0.0.1:1", node.Address(apache.Plaintext)}, Protocol: kafka.Plaintext}, false,
			"nothing listens on that port", "it is a PLAINTEXT listener")
	})
	t.Run("TLS spoken in plaintext", func(t *testing.T) {
		diagnosed(t, kafka.Settings{Bootstrap: []string{node.Address(apache.SSL)}, Protocol: kafka.Plaintext}, false, "no bootstrap address can be used")
	})
	t.Run("plaintext to a SASL listener", func(t *testing.T) {
		diagnosed(t, kafka.Settings{Bootstrap: []string{node.Address(apache.SASLPlaintext)}, Protocol: kafka.Plaintext}, false, "as a SASL listener does")
	})
}

func TestCheckOffOnKafka(t *testing.T) {
	needTokens(t)
	node := startNode(t, apache.Options{Set: map[string]string{"delegation.token.secret.key": ""}})
	diagnosed(t, passwordSettings(node, apache.SASLPlaintext, "ops"), false, "no delegation.token.secret.key", "skipped  create tokens")
}
