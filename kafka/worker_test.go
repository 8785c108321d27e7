package kafka

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/magiconair/properties"
	"github.com/pelletier/go-toml/v2"
)

// jaasOptions reads a JAAS line as Java's StreamTokenizer would: key="value"
// with backslash escapes.
func jaasOptions(t *testing.T, line string) map[string]string {
	t.Helper()
	options := map[string]string{}
	for _, m := range regexp.MustCompile(`(\w+)="((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(line, -1) {
		v := regexp.MustCompile(`\\(.)`).ReplaceAllStringFunc(m[2], func(e string) string {
			return map[string]string{`\n`: "\n", `\r`: "\r"}[e] + strings.Trim(map[bool]string{true: "", false: e[1:]}[e == `\n` || e == `\r`], "")
		})
		options[m[1]] = v
	}
	return options
}

func TestWorkerConfig(t *testing.T) {
	for _, test := range []struct {
		session  Session
		id       string
		protocol string
		mech     string
		comment  string
	}{
		{Session{Address: "b:9093", Protocol: SASLSSL, Mechanism: MechanismScramSHA256}, "t-1", "SASL_SSL", "SCRAM-SHA-256", ""},
		{Session{Address: "b:9093", Protocol: SASLPlaintext, Mechanism: MechanismPlain}, "mT7hWl4TQNSmFqdn8gnYUA", "SASL_PLAINTEXT", "SCRAM-SHA-512", ""},
		{Session{Address: "b:9093", Protocol: SSL}, "t-1", "SASL_SSL", "SCRAM-SHA-512", "It needs a SASL listener"},
		{Session{Address: "b:9093", Protocol: SASLSSL}, "we\"ird\\id=ä\nx", "SASL_SSL", "SCRAM-SHA-512", ""},
	} {
		hmac := secretOf(hmac1)
		var kept []byte
		WorkerConfig(WorkerJava, test.session, test.id, hmac, func(text []byte) {
			kept = text
			p, err := (&properties.Loader{Encoding: properties.ISO_8859_1, DisableExpansion: true}).LoadBytes(text)
			if err != nil {
				t.Fatal(err)
			}
			for key, want := range map[string]string{"bootstrap.servers": "b:9093", "security.protocol": test.protocol, "sasl.mechanism": test.mech} {
				if got := p.GetString(key, ""); got != want {
					t.Errorf("%s = %q, want %q", key, got, want)
				}
			}
			jaas := p.GetString("sasl.jaas.config", "")
			got := jaasOptions(t, jaas)
			if got["username"] != test.id || got["password"] != hmac1Text || got["tokenauth"] != "true" ||
				!strings.HasPrefix(jaas, "org.apache.kafka.common.security.scram.ScramLoginModule required ") || !strings.HasSuffix(jaas, ";") {
				t.Errorf("%q: options %q", test.id, got["username"])
			}
			if !strings.Contains(string(text), test.comment) || p.Len() != 4 {
				t.Errorf("%d keys, comment %q missing", p.Len(), test.comment)
			}
		})
		if bytes.ContainsFunc(kept, func(r rune) bool { return r != 0 }) || hmac.Len() != 64 {
			t.Error("the text outlives its use, or the HMAC was taken")
		}
	}
}

// TestWorkerConfig_trust: on an encrypted listener each form says where the
// certificate of an authority of one's own goes, as comments.
func TestWorkerConfig_trust(t *testing.T) {
	for form, want := range map[WorkerForm]string{
		WorkerJava:  "\n# ssl.truststore.type=PEM\n# ssl.truststore.location=ca.pem\n",
		WorkerSpark: "\n# kafka.ssl.truststore.type=PEM\n# kafka.ssl.truststore.location=ca.pem\n",
		WorkerKcl:   "\n# ca_cert_path = \"ca.pem\"",
	} {
		for protocol, named := range map[Protocol]bool{SASLSSL: true, SASLPlaintext: false} {
			WorkerConfig(form, Session{Address: "b:9093", Protocol: protocol}, "t-1", secretOf(hmac1), func(text []byte) {
				if bytes.Contains(text, []byte(want)) != named || !named && bytes.Contains(text, []byte("ca.pem")) {
					t.Errorf("%s over %s: the trust store is not as it should be", form, protocol)
				}
			})
		}
	}
}

// TestWorkerConfigForms reads the other forms back: what they hold is what a
// worker signs in with, whatever is in the token's ID.
func TestWorkerConfigForms(t *testing.T) {
	s := Session{Address: "b:9093", Protocol: SASLSSL, Mechanism: MechanismScramSHA256}
	for _, id := range []string{"mT7hWl4TQNSmFqdn8gnYUA", "we\"ird\\id"} {
		for _, form := range WorkerForms() {
			hmac := secretOf(hmac1)
			WorkerConfig(form, s, id, hmac, func(text []byte) {
				if n := bytes.Count(text, []byte(hmac1Text)); n != 1 {
					t.Errorf("%s holds the password %d times", form, n)
				}
				switch form {
				case WorkerSpark:
					_, jaas, _ := strings.Cut(string(text), "kafka.sasl.jaas.config=")
					if got := jaasOptions(t, strings.TrimSpace(jaas)); got["username"] != id || got["tokenauth"] != "true" {
						t.Errorf("options %q", got["username"])
					}
				case WorkerKcl:
					var file struct {
						Seeds []string `toml:"seed_brokers"`
						SASL  struct {
							Method, User, Pass string
							IsToken            bool `toml:"is_token"`
						} `toml:"sasl"`
					}
					if err := toml.Unmarshal(text, &file); err != nil {
						t.Fatal(err)
					}
					if file.SASL.User != id || file.SASL.Pass != hmac1Text || !file.SASL.IsToken || file.SASL.Method != "scram-sha-256" ||
						len(file.Seeds) != 1 || file.Seeds[0] != "b:9093" {
						t.Errorf("%s does not read back", form)
					}
				}
			})
		}
	}
}
