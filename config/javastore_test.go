package config

import (
	"bytes"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pavlo-v-chernykh/keystore-go/v4"
	"software.sslmate.com/src/go-pkcs12"
)

const storesDir = "../testdata/properties/stores"

// storeAnswers is what Kafka 4.4 on JDK 17 makes of the stores; see make.sh
// beside them.
func storeAnswers(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(storesDir + "/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var answers map[string][]string
	if err := json.Unmarshal(data, &answers); err != nil || len(answers) < 200 {
		t.Fatalf("%d answers: %v", len(answers), err)
	}
	return answers
}

// storeQuestion is a properties file for one name in answers.json.
func storeQuestion(t *testing.T, name string) string {
	t.Helper()
	part := strings.Fields(name)
	path, err := filepath.Abs(filepath.Join(storesDir, part[0]))
	if err != nil {
		t.Fatal(err)
	}
	text := "security.protocol=SSL\n"
	for i, key := range []string{"ssl." + part[1] + ".location", "", "ssl." + part[1] + ".type", "ssl." + part[1] + ".password", "ssl.key.password"} {
		switch {
		case i == 0:
			text += key + "=" + path + "\n"
		case i > 1 && part[i] == "''":
			text += key + "=\n"
		case i > 1 && part[i] != "-":
			text += key + "=" + part[i] + "\n"
		}
	}
	return text
}

// storeQuestions are all names that Answers.java asks about.
func storeQuestions(t *testing.T) []string {
	t.Helper()
	var out []string
	files, err := filepath.Glob(storesDir + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !slices.Contains([]string{".jks", ".p12", ".jceks"}, filepath.Ext(f)) {
			continue
		}
		for _, kind := range []string{"-", "pkcs12", "PEM"} {
			for _, password := range []string{"store-secret", "wrong", "''", "-"} {
				head := filepath.Base(f)
				out = append(out, strings.Join([]string{head, "truststore", kind, password, "-"}, " "))
				for _, key := range []string{"-", "store-secret", "other-secret"} {
					out = append(out, strings.Join([]string{head, "keystore", kind, password, key}, " "))
				}
			}
		}
	}
	return out
}

// Every store, in both roles, with every type and password, is accepted or
// refused as Kafka does, trusts whom Kafka trusts and presents what it has.
func TestStoresAsKafkaReadsThem(t *testing.T) {
	answers := storeAnswers(t)
	questions := storeQuestions(t)
	if len(questions) < 1000 {
		t.Fatalf("only %d questions", len(questions))
	}
	path := filepath.Join(t.TempDir(), "client.properties")
	for _, name := range questions {
		want, accepted := answers[name]
		// Kafka starts with a trust store that holds nothing, and fails with
		// the first connection.
		if strings.Contains(name, "truststore") && len(want) == 0 {
			accepted = false
		}
		// Go has no DSA.
		if strings.HasPrefix(name, "key-dsa.p12 keystore") {
			accepted = false
		}
		if err := os.WriteFile(path, []byte(storeQuestion(t, name)), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := ReadProperties(path)
		if (err == nil) != accepted {
			t.Errorf("%s: accepted by Kafka %v, here %v", name, accepted, err)
		}
		if err != nil {
			if text := err.Error(); strings.Contains(text, "-secret") || !strings.Contains(text, "ssl.") || strings.Contains(text, "%!") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !accepted {
			continue
		}
		if got := storeNames(t, c, strings.Contains(name, "truststore")); !slices.Equal(got, want) {
			t.Errorf("%s: %q, Kafka has %q", name, got, want)
		}
	}
}

// storeNames is in the form of answers.json.
func storeNames(t *testing.T, c *Connection, trust bool) []string {
	t.Helper()
	out := []string{}
	if trust {
		for _, raw := range c.TLS.RootCAs.Subjects() { //nolint:staticcheck // no system roots are in it, and nothing else shows a pool's content
			var names pkix.RDNSequence
			if _, err := asn1.Unmarshal(raw, &names); err != nil {
				t.Fatal(err)
			}
			out = append(out, names.String())
		}
	}
	for _, pair := range c.TLS.Certificates {
		var chain []string
		for _, der := range pair.Certificate {
			cert, err := x509.ParseCertificate(der)
			if err != nil {
				t.Fatal(err)
			}
			chain = append(chain, cert.Subject.String())
		}
		out = append(out, strings.Join(chain, " < "))
	}
	slices.Sort(out)
	return out
}

// What is wrong with a store is said in one sentence, which names the setting
// that puts it right.
func TestStoreFaults(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"trust.jks truststore - wrong -", ":2: ssl.truststore.location is a JKS store that does not open with ssl.truststore.password"},
		{"trust.p12 truststore - wrong -", ":2: ssl.truststore.location is a PKCS12 store that does not open with ssl.truststore.password"},
		{"trust.p12 truststore - - -", ":2: ssl.truststore.location is a PKCS12 store that shows no certificate without a password: set ssl.truststore.password"},
		{"trust-unmarked.p12 truststore - store-secret -", "is a PKCS12 store whose certificates are not marked as trusted, so that Kafka's tools take none of them"},
		{"empty.jks truststore - store-secret -", "is a JKS store that holds no certificate"},
		{"empty.p12 truststore - store-secret -", "is a PKCS12 store that holds no certificate"},
		{"trust.jks truststore PEM store-secret -", "is a JKS store, but ssl.truststore.type is PEM: remove the type"},
		{"trust.jceks truststore - store-secret -", "is a JCEKS store, which dtok does not read: make PKCS12 of it with `keytool -importkeystore"},
		{"key.jks keystore - - -", "is a JKS store, which Kafka opens only with a password: set ssl.keystore.password"},
		{"key.p12 keystore - wrong -", "is a PKCS12 store that does not open with ssl.keystore.password"},
		{"key.p12 keystore - store-secret other-secret", "holds a private key that does not open with ssl.key.password"},
		{"key-own-password.jks keystore - store-secret -", "holds a private key with a password of its own: set ssl.key.password"},
		{"key-own-password.p12 keystore - store-secret -", "holds a private key with a password of its own: set ssl.key.password"},
		{"key-dsa.p12 keystore - store-secret -", "holds a private key that cannot be read; RSA, EC and Ed25519 are"},
	} {
		_, err := ReadProperties(writeFile(t, storeQuestion(t, tt.name)))
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s\ngot  %v\nwant …%s", tt.name, err, tt.want)
		}
	}
	for _, tt := range []struct{ name, note string }{
		{"trust.jks truststore - store-secret -", ""},
		{"key-own-password.jks keystore - store-secret other-secret", ""},
		{"trust-expired.jks truststore - store-secret -", "holds no CA certificate that is still valid; the last one ended on 2020-01-0"},
		{"mixed.p12 truststore - store-secret -", "holds one CA certificate that expired"},
		{"key-expired.p12 keystore - store-secret -", "holds a client certificate that expired on 2020-01-0"},
		{"key-missing.jks keystore - store-secret -", "is a JKS store without a private key (it holds one certificate), so no client certificate is presented"},
		{"empty.p12 keystore - store-secret -", "is a PKCS12 store without a private key (it holds 0 certificates)"},
	} {
		c := mustRead(t, storeQuestion(t, tt.name))
		notes := strings.Join(c.Notes, "\n")
		if (tt.note == "") != (notes == "") || !strings.Contains(notes, tt.note) {
			t.Errorf("%s: notes %q, want %q", tt.name, notes, tt.note)
		}
	}
}

// Stores written by other modules, which share no code with the readers here.
func TestStoresOfOthers(t *testing.T) {
	root := (*authority)(nil).issue(t, "root", true)
	leaf := root.issue(t, "leaf", false)
	for _, password := range []string{"store-secret", "", "pässwört €𝄞"} {
		for name, encoder := range map[string]*pkcs12.Encoder{"DES": pkcs12.LegacyDES, "RC2": pkcs12.LegacyRC2,
			"2023": pkcs12.Modern2023, "2026": pkcs12.Modern2026, "none": pkcs12.Passwordless} {
			if name == "none" && password != "" {
				continue
			}
			if strings.ContainsRune(password, '𝄞') {
				continue // the module has no characters beyond the first plane
			}
			encoder = encoder.WithIterations(3)
			data, err := encoder.Encode(leaf.key, leaf.cert, []*x509.Certificate{root.cert}, password)
			if err != nil {
				t.Fatal(err)
			}
			checkStore(t, name+" key "+password, data, password, 1, 0)
			if data, err = encoder.EncodeTrustStore([]*x509.Certificate{root.cert, leaf.cert}, password); err != nil {
				t.Fatal(err)
			}
			checkStore(t, name+" trust "+password, data, password, 0, 2)
		}
	}
	der, err := x509.MarshalPKCS8PrivateKey(leaf.key)
	if err != nil {
		t.Fatal(err)
	}
	store, password := keystore.New(), []byte("store-secret")
	if err := store.SetPrivateKeyEntry("leaf", keystore.PrivateKeyEntry{PrivateKey: der,
		CertificateChain: []keystore.Certificate{{Type: "X.509", Content: leaf.cert.Raw}}}, password); err != nil {
		t.Fatal(err)
	}
	if err := store.SetTrustedCertificateEntry("root", keystore.TrustedCertificateEntry{
		Certificate: keystore.Certificate{Type: "X.509", Content: root.cert.Raw}}); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := store.Store(&file, password); err != nil {
		t.Fatal(err)
	}
	checkStore(t, "JKS", file.Bytes(), string(password), 1, 1)
}

// checkStore opens a store and its keys, and tries to damage it by a byte or to
// cut it at many places: an error or a store, never a panic.
func checkStore(t *testing.T, name string, data []byte, password string, keys, trusted int) {
	t.Helper()
	read := readPKCS12
	if sniff(data) == formatJKS {
		read = readJKS
	}
	content, err := read(data, []byte(password))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if len(content.keys) != keys || len(content.trusted) != trusted || content.hidden || content.unread > 0 {
		t.Errorf("%s: %+v", name, content)
	}
	for _, k := range content.keys {
		der, err := k.open([]byte(password))
		if err != nil || k.own == nil {
			t.Errorf("%s: %v, own certificate %v", name, err, k.own != nil)
		}
		if _, err := x509.ParsePKCS8PrivateKey(der); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := read(data, []byte("wrong")); err == nil && !strings.HasPrefix(name, "none") {
		t.Errorf("%s: opens with any password", name)
	}
	for i := 0; i < len(data); i += 3 {
		if _, err := read(data[:i], nil); err == nil {
			t.Errorf("%s: cut at byte %d: no error", name, i)
		}
		damaged := bytes.Clone(data)
		damaged[i] ^= 0x5a
		if c, err := read(damaged, nil); err == nil {
			for _, k := range c.keys {
				_, _ = k.open(nil)
			}
		}
	}
}
