package apache

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dtok/kafka/contract/child"
)

func TestPropertiesAreReplacedAndRemoved(t *testing.T) {
	template, err := os.ReadFile("../../../testdata/kafka/server.properties")
	if err != nil {
		t.Fatal(err)
	}
	ports, err := child.FreePorts(listeners...)
	if err != nil {
		t.Fatal(err)
	}
	n := &Node{Dir: "/dir", ports: ports}
	set := map[string]string{
		"delegation.token.secret.key":   "",
		"super.users":                   "User:a;User:b",
		"connections.max.reauth.ms":     "5000",
		"delegation.token.expiry.check": "", // no line of its own: nothing goes
	}
	text := string(n.properties(string(template), Options{Set: set}))
	for want, times := range map[string]int{
		"\ndelegation.token.secret.key=":                     0,
		"\nsuper.users=User:a;User:b\n":                      1,
		"\nsuper.users=":                                     1,
		"\nconnections.max.reauth.ms=5000\n":                 1,
		"\ndelegation.token.expiry.check.interval.ms=5000\n": 1,
		"\nlog.dirs=/dir/data\n":                             1,
		`user_spark-etl="spark-etl-secret"`:                  2,
		":@":                                                 0,
		"@/":                                                 0,
	} {
		if got := strings.Count(text, want); got != times {
			t.Errorf("%q is there %d times, want %d", want, got, times)
		}
	}
}

func TestSubjects(t *testing.T) {
	a, err := NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	for dn, subject := range map[string]Subject{
		"CN=dave":                     {"CN=dave"},
		"CN=dave,OU=Ops,O=Acme,C=DE":  {"C=DE", "O=Acme", "OU=Ops", "CN=dave"},
		"O=Acme,CN=carol":             {"CN=carol", "O=Acme"},
		`CN=a\, b\+c\;d\"e\<f\>g\\h`:  {`CN=a, b+c;d"e<f>g\h`},
		"CN=spark=etl,OU=a b c,C=DE":  {"C=DE", "OU=a b c", "CN=spark=etl"},
		"CN=twice,OU=one,OU=two,O=ab": {"O=ab", "OU=two", "OU=one", "CN=twice"},
	} {
		if got := subject.DN(); got != dn {
			t.Errorf("DN of %v is %s, want %s", subject, got, dn)
		}
		cert, err := a.ClientTLS(subject)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, name := range cert.Leaf.Subject.Names {
			order = append(order, name.Value.(string))
		}
		for i, part := range subject {
			if _, value, _ := strings.Cut(part, "="); order[i] != value {
				t.Errorf("part %d of the certificate is %q, want %q", i, order[i], value)
			}
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(a.PEM())
		if _, err := cert.Leaf.Verify(x509.VerifyOptions{Roots: pool, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}); err != nil {
			t.Errorf("%s: %v", dn, err)
		}
	}
	if _, err := a.ClientTLS(Subject{"XX=dave"}); err == nil {
		t.Error("a part of an unknown kind is accepted")
	}
}

func TestWithoutJavaOrMaven(t *testing.T) {
	bin := t.TempDir()
	tool := func(name, script string) {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	refused := func(want string) {
		t.Helper()
		// A release that nobody has, so that its jars are not there.
		if _, err := Libs(t.Context(), "0.0.0-none"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	refused("java is missing")
	tool("java", `echo 'openjdk version "11.0.2" 2019-01-15' >&2`)
	refused("needs Java 17 or later")
	tool("java", "echo nonsense >&2")
	refused("names no version")
	tool("java", `echo 'openjdk version "17.0.15" 2025-04-15' >&2`)
	refused("install Maven 3")
	tool("mvn", "echo 'no such artifact'; exit 1")
	refused("no such artifact")
}
