package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The password that must not come out: with a quote, which Java takes for its
// end, so that its rest looks like the name of an option.
const (
	markedPassword = `s3cr3t-part"rest-part`
	markA, markB   = "s3cr3t", "rest-part"
)

func assertNoMark(t *testing.T, where, text string) {
	t.Helper()
	if strings.Contains(text, markA) || strings.Contains(text, markB) {
		t.Errorf("%s shows a piece of the password: %s", where, text)
	}
}

// Every vector and every refused file of the other tests, once more with the
// marked password in place of each value that could be one.
func TestNoErrorHoldsAPassword(t *testing.T) {
	var files []string
	for _, v := range readVectors(t) {
		text := string(v.bytes(t))
		files = append(files, text, plainHead+text, scramHead+text)
		for _, m := range append(v.JAAS, vectorModule{}) {
			for _, value := range m.Options {
				if value != "" {
					files = append(files, plainHead+strings.ReplaceAll(text, value, markedPassword))
				}
			}
		}
	}
	// The kinds of error with the password in each possible place.
	jaas := "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required "
	for _, rest := range []string{
		`clientId="P" clientSecret="P" extension_P="P";`, `clientId="P" clientSecret="P" extension_a="ä P";`,
		`useKeyTab=true principal="P" P="P";`, `useTicketCache=true ticketCache="P:P";`,
		`username="a" password="P";`, `username="a" password="P"`, `username="a" password=P;`, `username="a" password='P`,
		`username="P" password="P" "P";`, `username="a" P="P" password="x";`, `P`, `"P" "P";`, `username="a" password="x"; P required;`,
		`username="a" password="P" tokenauth="P";`, `username="a" \ ` + "\n  password=\"P\";", `username="a"` + "\n  password=\"P\";",
		`username="a" password="P${file:/P:P}";`, `username="a" password="x\u12P";`, "/* P", "// P", "P P P", `username="a" "P`,
		"required username=\"a\"\nP\nP=P\nP:P P\n",
	} {
		for _, password := range []string{markedPassword, markA + "." + markB, markA + "-x", markB} {
			filled := strings.ReplaceAll(rest, "P", password)
			files = append(files, oauthHead+endpoint+"sasl.jaas.config="+oauthModule+" required "+filled+"\n",
				"security.protocol=SASL_SSL\nsasl.mechanism=GSSAPI\nsasl.jaas.config="+kerberosModule+" required "+filled+"\n",
				plainHead+jaas+filled+"\n", "security.protocol=SASL_SSL\n"+jaas+filled+"\n", plainHead+"sasl.jaas.config="+filled+"\n")
		}
	}
	// A value that is wrong for any key that dtok reads.
	for _, key := range keyNames() {
		for _, head := range []string{"", "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n" + plainLogin, "security.protocol=SSL\n",
			oauthHead + oauthLogin, oauthHead + oauthLogin + endpoint, kerberosFile("useTicketCache=true"), "security.protocol=SASL_SSL\nsasl.mechanism=GSSAPI\n",
			"security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\nsasl.oauthbearer.method=oidc\n" + endpoint,
			"security.protocol=SSL\nssl.truststore.type=PEM\nssl.keystore.type=PEM\n"} {
			if !strings.HasSuffix(key, ".location") {
				files = append(files, head+key+"="+markedPassword+"\n", head+key+"=a\n"+key+"="+markedPassword+"\\\n")
			}
		}
	}
	// A private key whose line ends were not escaped.
	files = append(files, "security.protocol=SSL\nssl.keystore.type=PEM\nssl.keystore.key=-----BEGIN PRIVATE KEY-----\n"+
		markA+"AAAA\n"+markB+".x=\n-----END PRIVATE KEY-----\n")
	failed := 0
	path := filepath.Join(t.TempDir(), "client.properties")
	for _, f := range files {
		if err := os.WriteFile(path, []byte(f), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := ReadProperties(path)
		if err != nil {
			failed++
			assertNoMark(t, "error", err.Error())
			assertNoMark(t, "error in full", fmt.Sprintf("%+v %#v", err, err))
			for e := errors.Unwrap(err); e != nil; e = errors.Unwrap(e) {
				assertNoMark(t, "cause", e.Error())
			}
			continue
		}
		for _, n := range c.Notes {
			assertNoMark(t, "note", n)
		}
	}
	if failed < len(files)/4 {
		t.Errorf("only %d of %d files failed, so this test tests little", failed, len(files))
	}
}

// A Connection can be logged by accident in any way that fmt and encoders know.
func TestConnectionPrintsNoPassword(t *testing.T) {
	c := mustRead(t, plainHead+strings.Replace(plainLogin, "alice-secret", markA, 1))
	if reveal(c.Password) != markA {
		t.Fatal("the password was not read")
	}
	type holder struct{ inner Connection }
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, v := range []any{c, *c, c.Password, *c.Password, holder{*c}, &holder{*c}} {
			text := fmt.Sprintf(verb, v)
			assertNoMark(t, verb, text)
			if strings.Contains(text, fmt.Sprintf("%x", markA)) || strings.Contains(text, fmt.Sprintf("%d", []byte(markA))) {
				t.Errorf("%s shows the password in numbers: %s", verb, text)
			}
		}
	}
	b, err := json.Marshal(struct{ P *Secret }{c.Password})
	if err != nil || string(b) != `{"P":"[secret]"}` {
		t.Errorf("%s %v", b, err)
	}
}

// A key store is as secret as a password.
func TestNoErrorHoldsAKey(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range pemCases(t, dir) {
		path := filepath.Join(t.TempDir(), "client.properties")
		if err := os.WriteFile(path, []byte(tt.file+"ssl.key.password="+markA+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadProperties(path)
		if err != nil {
			assertNoMark(t, tt.name, err.Error())
			if strings.Contains(err.Error(), "MIG") || strings.Contains(err.Error(), "MII") {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
	}
}
