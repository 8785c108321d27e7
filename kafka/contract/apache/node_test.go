package apache

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dtok/kafka/contract/child"
)

// written are the lines of server.properties of a release.
func written(t *testing.T, release string, o Options, roles string) string {
	t.Helper()
	r, err := FindRelease(release)
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	n := &Node{Dir: t.TempDir(), Release: r, Authority: a, options: o, id: 1, roles: roles, voters: "1@127.0.0.1:1"}
	if n.ports, err = child.FreePorts(names(o.listeners(), controller, zooKeeper)...); err != nil {
		t.Fatal(err)
	}
	if n.key, n.cert, err = a.Server(); err != nil {
		t.Fatal(err)
	}
	if err := n.writeFiles(); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll("\n"+n.read("server.properties"), n.Dir, "/dir")
}

func TestProperties(t *testing.T) {
	set := map[string]string{
		"delegation.token.secret.key":   "",
		"super.users":                   "User:a;User:b",
		"connections.max.reauth.ms":     "5000",
		"delegation.token.expiry.check": "", // no line of its own: nothing goes
	}
	const both = "broker,controller"
	for _, test := range []struct {
		release, roles string
		options        Options
		times          map[string]int
	}{
		{"", both, Options{Set: set}, map[string]int{
			"\ndelegation.token.secret.key=":                     0,
			"\nsuper.users=User:a;User:b\n":                      1,
			"\nsuper.users=":                                     1,
			"\nconnections.max.reauth.ms=5000\n":                 1,
			"\ndelegation.token.expiry.check.interval.ms=5000\n": 1,
			"\nlog.dirs=/dir/data\n":                             1,
			`user_spark-etl="spark-etl-secret"`:                  2,
			"\nlisteners=CONTROLLER://127.0.0.1:":                1,
			"\nadvertised.listeners=PLAINTEXT://127.0.0.1:":      1,
			"\nbroker.id=":                                       0,
		}},
		{"", "controller", Options{}, map[string]int{
			"\nadvertised.listeners": 0, "PLAINTEXT://": 0, "\nprocess.roles=controller\n": 1, "CONTROLLER:SASL_PLAINTEXT,PLAINTEXT:PLAINTEXT": 1,
		}},
		{"", "broker", Options{}, map[string]int{
			"CONTROLLER://": 0, "\ncontroller.listener.names=CONTROLLER\n": 1, "\nlisteners=PLAINTEXT://": 1,
		}},
		{"3.5.2", both, Options{}, map[string]int{"\ndelegation.token.secret.key": 0, "\nprocess.roles=broker,controller\n": 1}},
		{"2.8.2-zk", "", Options{}, map[string]int{
			"\nprocess.roles": 0, "CONTROLLER": 0, "\nbroker.id=1\n": 1, "\nauthorizer.class.name=kafka.security.authorizer.AclAuthorizer\n": 1,
			"\ndelegation.token.secret.key=test-secret-key\n": 1, "spare-1": 0,
		}},
		{"1.1.1-zk", "", Options{}, map[string]int{
			"\ndelegation.token.master.key=test-secret-key\n": 1, "\ndelegation.token.secret.key": 0, "user_spare-600=": 2,
			"\nauthorizer.class.name=kafka.security.auth.SimpleAclAuthorizer\n": 1, "=PEM\n": 0, "\nssl.keystore.location=/dir/server.jks\n": 1,
		}},
		{"1.1.1-zk", "", Options{Set: set}, map[string]int{"\ndelegation.token.master.key": 0}},
	} {
		text := written(t, test.release, test.options, test.roles)
		for want, times := range test.times {
			if got := strings.Count(text, want); got != times {
				t.Errorf("%s %s: %q is there %d times, want %d in:\n%s", test.release, test.roles, want, got, times, text)
			}
		}
		if mark := regexp.MustCompile(`[^ ]@[A-Z_]+@`).FindString(text); mark != "" {
			t.Errorf("%s: the mark %s is left", test.release, mark)
		}
	}
}

func TestReleases(t *testing.T) {
	newest, err := FindRelease("")
	if err != nil || newest.Name != Releases()[0].Name {
		t.Errorf("%v, %v", newest.Name, err)
	}
	if _, err := FindRelease("3.9"); err == nil || !strings.Contains(err.Error(), "3.9.1, 3.9.1-zk") {
		t.Errorf("an unknown release: %v", err)
	}
	zk, err := FindRelease("2.8.2-zk")
	if err != nil || !zk.ZooKeeper() || zk.Version() != "2.8.2" {
		t.Fatalf("%+v, %v", zk, err)
	}
	for version, since := range map[string]bool{"1.1": true, "2.8": true, "2.8.2": true, "2.8.3": false, "2.10": false, "3.0": false} {
		if zk.Since(version) != since {
			t.Errorf("%s since %s is %v", zk.Name, version, !since)
		}
	}
	if n := zk.Newest(38, 3); n != 2 || zk.Newest(38, 1) != 1 || !zk.Offers(41) {
		t.Errorf("CreateDelegationToken of %s: %d", zk.Name, n)
	}
	if old := Releases()[len(Releases())-1]; old.Offers(38) || old.Newest(38, 3) != -1 {
		t.Errorf("%s offers tokens", old.Name)
	}
	if c := zk.ToolClass("AclCommand"); c != "kafka.admin.AclCommand" {
		t.Error(c)
	}
	if c := newest.ToolClass("AclCommand"); c != "org.apache.kafka.tools.AclCommand" {
		t.Error(c)
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
		if _, err := Libs(t.Context(), Release{Name: "0.0.0"}); err == nil || !strings.Contains(err.Error(), want) {
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
