package config

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestSettingsInForce names what a connection is made of, and nothing that is
// passed over, unknown or a value.
func TestSettingsInForce(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"none":                      {"", ""},
		"of no matter, and unknown": {"acks=all\nsasl.jaas.confg=alice-secret\nclient.id=ops\n", "client.id"},
		"a login":                   {plainHead + plainLogin, "sasl.jaas.config sasl.mechanism security.protocol"},
		"another spelling":          {"sasl.mechanisms=PLAIN\nsasl.username=a\nsasl.password=alice-secret\nsecurity.protocol=SASL_PLAINTEXT\n", "sasl.mechanism sasl.password sasl.username security.protocol"},
		"another protocol's":        {"ssl.truststore.type=PEM\n" + plainLogin + "enable.ssl.certificate.verification=true\n", ""},
		"another mechanism's":       {plainHead + plainLogin + "sasl.oauthbearer.scope=\nsasl.kerberos.service.name=kafka\n", "sasl.jaas.config sasl.mechanism security.protocol"},
		"TLS":                       {"security.protocol=SSL\nssl.enabled.protocols=TLSv1.3\n", "security.protocol ssl.enabled.protocols"},
	} {
		if got := strings.Join(mustRead(t, c.file).Settings, " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestARunCommandIsTold with its status and nothing that it is or prints.
func TestARunCommandIsTold(t *testing.T) {
	for script, want := range map[string]int{
		"echo alice-secret":               0,
		"echo alice-secret; exit 3":       3,
		"echo alice-secret; kill -9 $$":   -1,
		"echo alice-secret; echo another": 0, // ran, and gave no password
	} {
		f := mustLoad(t, signIn("    password_command: [sh, -c, '"+script+"']\n"))
		e := f.Environments[0]
		var runs []CommandRun
		e.Ran = func(r CommandRun) { runs = append(runs, r) }
		_, _ = e.Connection(context.Background())
		if len(runs) != 1 || runs[0].Status != want || runs[0].Setting != "password_command" || runs[0].Took <= 0 {
			t.Errorf("%s: %+v, want status %d", script, runs, want)
		}
	}
	f := mustLoad(t, signIn("    password_command: [/no/such/program]\n"))
	var runs []CommandRun
	f.Environments[0].Ran = func(r CommandRun) { runs = append(runs, r) }
	_, _ = f.Environments[0].Connection(context.Background())
	if !slices.ContainsFunc(runs, func(r CommandRun) bool { return r.Status == -1 }) {
		t.Errorf("a command that is not there: %+v", runs)
	}
}
