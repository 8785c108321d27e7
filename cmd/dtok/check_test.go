package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dtok/kafka/demo"
)

// propertiesOf writes a client.properties of ops for a listener of the demo.
func propertiesOf(t *testing.T, b *demo.Broker, l demo.Listener, change ...string) string {
	t.Helper()
	text := strings.NewReplacer(change...).Replace(b.ClientProperties("ops", l))
	path := filepath.Join(t.TempDir(), "client.properties")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func runDtok(args ...string) (string, error) {
	var out bytes.Buffer
	root := rootCommand(newDebugLog())
	root.SetArgs(args)
	root.SetOut(&out)
	err := root.Execute()
	return out.String(), err
}

func TestCheckCommand(t *testing.T) {
	b, err := demo.Start(demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	for name, test := range map[string]struct {
		file   string
		status int
		want   []string
	}{
		"SASL_SSL":       {propertiesOf(t, b, demo.SASLSSL), 0, []string{"\nok       TLS ", "\nok       sign in ", "\nok       result "}},
		"MTLS":           {propertiesOf(t, b, demo.MTLS), 0, []string{"asks for a client certificate and gets", "\nok       tokens "}},
		"one-way TLS":    {propertiesOf(t, b, demo.SSL), 1, []string{"\nfail     tokens ", "\nfail     result "}},
		"wrong password": {propertiesOf(t, b, demo.SASLPlaintext, "ops-secret", "wr0ng-one"), 1, []string{"refuses the sign-in of user ops", "\nfail     result "}},
		"a note":         {propertiesOf(t, b, demo.SASLSSL, "security.protocol", "no.such.key=1\nsecurity.protocol"), 0, []string{"\nnote     ", "none that dtok knows"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := runDtok("check", "--command-config", test.file)
			if got := report(&bytes.Buffer{}, err); got != test.status {
				t.Errorf("status %d: %v", got, err)
			}
			for _, w := range test.want {
				if !strings.Contains(out, w) {
					t.Errorf("no %q in\n%s", w, out)
				}
			}
			asJSON, again := runDtok("check", "--command-config", test.file, "-o", "json")
			var d struct {
				OK    bool
				Steps []struct{ Step, Verdict, Detail string }
			}
			if err := json.Unmarshal([]byte(asJSON), &d); err != nil || d.OK != (test.status == 0) || (again == nil) != d.OK || len(d.Steps) < 3 {
				t.Errorf("%v, %v: %s", err, again, asJSON)
			}
			for _, leak := range []string{"ops-secret", "wr0ng"} {
				if strings.Contains(out+asJSON, leak) {
					t.Errorf("%q in\n%s%s", leak, out, asJSON)
				}
			}
		})
	}
	for _, args := range [][]string{{"check"}, {"check", "--output", "yaml"}, {"check", "now"}} {
		if _, err := runDtok(args...); report(&bytes.Buffer{}, err) != statusUsage {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// fails is a writer to a pipe that nobody reads any more.
type fails struct{}

func (fails) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestCheckToABrokenPipe(t *testing.T) {
	root := rootCommand(newDebugLog())
	root.SetArgs([]string{"check", "--bootstrap-server", "127.0.0.1:1"})
	root.SetOut(fails{})
	if err := root.Execute(); err == nil || !strings.Contains(err.Error(), "broken pipe") {
		t.Errorf("%v", err)
	}
}
