package main

import (
	"os"
	"path/filepath"
	"testing"

	"dtok/config"
	"dtok/kafka"
)

// TestWorkerConfigReadsBack: dtok itself takes the configuration that it gives
// for a worker, whatever is in the token's ID.
func TestWorkerConfigReadsBack(t *testing.T) {
	hmac := make([]byte, 64)
	for i := range hmac {
		hmac[i] = byte(i * 37) // with + and / in its base64
	}
	session := kafka.Session{Address: "b:9093", Protocol: kafka.SASLSSL, Mechanism: kafka.MechanismScramSHA256}
	for _, id := range []string{"mT7hWl4TQNSmFqdn8gnYUA", `we"ird\\id=ä#;`} {
		file := filepath.Join(t.TempDir(), "client.properties")
		var password string
		secret := kafka.NewSecret(append([]byte(nil), hmac...))
		kafka.HMACText(secret, func(text []byte) { password = string(text) })
		kafka.WorkerConfig(kafka.WorkerJava, session, id, secret, func(text []byte) {
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
		})
		c, err := config.ReadProperties(file)
		if err != nil {
			t.Fatal(err)
		}
		s := settingsOf(c, []string{c.Bootstrap})
		if c.Bootstrap != "b:9093" || s.Protocol != session.Protocol || s.SASL.Mechanism != session.Mechanism || s.SASL.User != id ||
			!s.SASL.TokenAuth || len(c.Notes) > 0 {
			t.Errorf("%q reads back as %s %s %s %q, token %v, notes %q", id, c.Bootstrap, s.Protocol, s.SASL.Mechanism, s.SASL.User, s.SASL.TokenAuth, c.Notes)
		}
		s.SASL.Password.Use(func(text []byte) {
			if string(text) != password {
				t.Errorf("%q: the password reads back as another", id)
			}
		})
	}
}
