package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// writeConfig puts a config file, and beside it other files by name, into a
// folder of its own, mode 0600.
func writeConfig(t *testing.T, content string, beside ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(beside); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, beside[i]), []byte(beside[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustLoad(t *testing.T, content string, beside ...string) *File {
	t.Helper()
	f, err := Load(writeConfig(t, content, beside...))
	if err != nil {
		t.Fatalf("%v\n%s", err, content)
	}
	return f
}

const twoEnvironments = `default: staging
accessible: true
environments:
  - name: staging
    bootstrap: s1:9092
  - name: prod-eu
    bootstrap: [p1:9093, "p2:9093"]
    properties: prod.properties
    color: bright-yellow
    read_only: "changes go through the platform team"
    clipboard_clear: 45s
    audit: {reads: true, file: trail/prod.jsonl}
    timeouts:
      connect: 3s
      read: 1m30s
      change: 80s
`

func TestLoad(t *testing.T) {
	path := writeConfig(t, twoEnvironments, "prod.properties", scramHead+scramLogin+"request.timeout.ms=1\nbootstrap.servers=other:1\n")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if f.Path != path || f.Default != "staging" || !f.Accessible || len(f.Environments) != 2 || len(f.Notes) > 0 {
		t.Fatalf("%+v", f)
	}
	e, err := f.Environment("prod-eu")
	if err != nil {
		t.Fatal(err)
	}
	if e.Color != 11 || e.ReadOnly != "changes go through the platform team" || !e.AuditReads ||
		e.AuditFile != filepath.Join(filepath.Dir(path), "trail/prod.jsonl") || e.ChangeTimeout != 80*time.Second || e.ClipboardClear != 45*time.Second {
		t.Errorf("%+v", e)
	}
	c, err := e.Connection(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := Connection{Bootstrap: "p1:9093,p2:9093", Protocol: "SASL_PLAINTEXT", Mechanism: "SCRAM-SHA-512", User: "alice",
		ConnectTimeout: 3 * time.Second, RequestTimeout: 90 * time.Second, ChangeTimeout: 80 * time.Second,
		Settings: []string{"bootstrap.servers", "request.timeout.ms", "sasl.jaas.config", "sasl.mechanism", "security.protocol"}}
	if reveal(c.Password) != "alice-secret" {
		t.Errorf("password %q", reveal(c.Password))
	}
	c.Password = nil
	if d := cmp.Diff(want, *c); d != "" {
		t.Error(d)
	}
	e, err = f.Environment("")
	if err != nil || e.Name != "staging" || e.Color != NoColor {
		t.Errorf("default: %+v %v", e, err)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Error("the file was changed")
	}
}

func TestFindEnvironment(t *testing.T) {
	f := mustLoad(t, strings.Replace(twoEnvironments, "default: staging\n", "", 1))
	for name, want := range map[string]string{
		"":        "has several environments and no default: name one of staging, prod-eu",
		"prod-us": "has no environment of that name, did you mean prod-eu?",
		"test":    "has no environment of that name; there are staging, prod-eu",
	} {
		if _, err := f.Environment(name); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	f = mustLoad(t, "\ufeffenvironments: [{name: one, bootstrap: a:1}]") // as some editors write it
	if e, err := f.Environment(""); err != nil || e.Name != "one" {
		t.Errorf("only one: %v %v", e, err)
	}
}

func TestColor(t *testing.T) {
	for text, want := range map[string]Color{"black": 0, "RED": 1, "white": 7, "grey": 8, "gray": 8, "bright-black": 8, "bright-red": 9, "bright-white": 15, "0": 0, "15": 15} {
		if c, ok := parseColor(text); !ok || c != want {
			t.Errorf("%s: %d %v", text, c, ok)
		}
	}
	for _, text := range []string{"", "16", "-1", "pink", "bright-", "bright-grey", "brightred", "#ff0000", "1.0"} {
		if c, ok := parseColor(text); ok {
			t.Errorf("%s: %d", text, c)
		}
	}
	for name, want := range map[string]Color{"prod": 1, "Production EU": 1, "eu-PROD-1": 1, "preprod": 1, "nonprod": NoColor, "non-prod-eu": NoColor, "nonprod-to-prod": 1, "test": NoColor} {
		if c := defaultColor(name); c != want {
			t.Errorf("%s: %d", name, c)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	const env = "environments:\n  - name: a\n    bootstrap: a:1\n"
	for _, tt := range []struct{ name, file, want string }{
		{"empty", "", ": is empty: it needs environments"},
		{"comments", "# nothing\n\n", ": is empty"},
		{"no environments", "default: a\n", ": has no environments"},
		{"empty list", "environments: []\n", ": has no environments"},
		{"tab", "environments:\n\t- name: a\n", ":2: the line begins with a tab"},
		{"tab first", "\tenvironments:\n", ":1: the line begins with a tab"},
		{"key twice", env + "    name: b\n", ":4: name stands twice in one place"},
		{"environments twice", env + "environments:\n", ":4: environments stands twice"},
		{"setting twice", env + "    settings:\n      security.protocol: SSL\n      security.protocol: SSL\n", ":6: security.protocol stands twice"},
		{"unknown key twice", env + "    s3cr3t: a\n    s3cr3t: b\n", ":5: the key stands twice in one place"},
		{"name twice", env + "  - name: a\n    bootstrap: b:1\n", `:4: the environment "a" stands on line 2 as well`},
		{"misspelt", "environment:\n", ":1: the file has no key environment, did you mean environments?"},
		{"misspelt below", env + "    readonly: x\n", ":4: an environment has no key readonly, did you mean read_only?"},
		{"colour", env + "    colour: red\n", ":4: an environment has no key colour, did you mean color?"},
		{"Kafka's own word", env + "    bootstrap.servers: a:1\n", ":4: an environment has no key bootstrap.servers, did you mean bootstrap?"},
		{"Kafka's setting", env + "    security.protocol: SSL\n", ":4: security.protocol is a setting of Kafka's clients: put it under settings"},
		{"unknown", env + "    s3cr3t: x\n", ":4: an environment has no such key; there are audit, bootstrap, clipboard_clear, color, name, password, password_command"},
		{"unknown setting", env + "    settings: {sasl.mechanisim: PLAIN}\n", ":4: settings has an unknown key sasl.mechanisim, did you mean sasl.mechanism?"},
		{"setting of no one", env + "    settings: {s3cr3t: PLAIN}\n", ":4: settings has a key that dtok does not know (not shown"},
		{"setting of a broker", env + "    settings: {log.dirs: /x}\n", ":4: log.dirs belongs to a broker's own file"},
		{"bootstrap among settings", env + "    settings: {bootstrap.servers: 'a:1'}\n", ":4: bootstrap.servers stands outside settings, as bootstrap"},
		{"settings a list", env + "    settings: [a]\n", ":4: settings must be a mapping"},
		{"number for a name", "environments:\n  - name: 012\n    bootstrap: a:1\n", ":2: name must be text: put the value in 'single quotes'"},
		{"flag for a password", env + "    password: true\n", ":4: password must be text"},
		{"number for a password", env + "    settings:\n      ssl.key.password: 1234\n", ":5: ssl.key.password must be text: put the value in 'single quotes'"},
		{"alias for a password", env + "    password: *s3cr3t\n", ":4: password begins with *, & or !, which mean something in YAML"},
		{"tag for a password", env + "    password: !s3cr3t x\n", ":4: password begins with *, & or !"},
		{"anchor for a password", env + "    password: &s3cr3t x\n", ":4: password begins with *, & or !"},
		{"reserved character", env + "    password: @s3cr3t\n", ":4: this is no valid YAML; a value with special characters"},
		{"colon in a password", env + "    password: s3cr3t: rest\n", ":4: this is no valid YAML"},
		{"quote not closed", env + "    password: 's3cr3t\n", ":4: a quote is opened here and not closed"},
		{"no value", env + "    password:\n", ":4: password has no value"},
		{"empty value", env + "    read_only: ''\n", ":4: read_only is empty"},
		{"list for text", env + "    user: [a]\n", ":4: user must be text"},
		{"text for a list", env + "    password_command: pass show s3cr3t\n", ":4: password_command must be a list of texts, as in [one, two]"},
		{"empty list for a command", env + "    password_command: []\n", ":4: password_command must be a list of texts"},
		{"number in a list", env + "    password_command: [a, 1]\n", ":4: an entry of password_command must be text"},
		{"two passwords", env + "    password_file: x\n    password: s3cr3t\n", ":5: password stands beside password_file: keep one"},
		{"text for a flag", env + "    audit: {reads: 'yes'}\n", ":4: reads must be true or false"},
		{"time without unit", env + "    timeouts: {read: 10}\n", ":4: read must be a time from 1ms to 1h with its unit"},
		{"time too long", env + "    timeouts: {read: 10h}\n", ":4: read must be a time"},
		{"unknown time", env + "    timeouts: {reed: 10s}\n", ":4: timeouts has no key reed, did you mean read?"},
		{"clipboard without unit", env + "    clipboard_clear: 60\n", ":4: clipboard_clear must be a time from 1ms to 1h with its unit"},
		{"text for accessible", env + "accessible: loud\n", ":4: accessible must be true or false"},
		{"color", env + "    color: pink\n", ":4: color must be a number from 0 to 15, or one of black, red"},
		{"color number", env + "    color: 16\n", ":4: color must be a number from 0 to 15"},
		{"no name", "environments:\n  - bootstrap: a:1\n    color: red\n", ":2: the environment that begins here has no name"},
		{"name with control", "environments:\n  - name: \"a\\e[31m\"\n    bootstrap: a:1\n", ":2: name may have up to 64 printable characters"},
		{"no brokers", "environments:\n  - name: a\n", `:2: the environment "a" needs bootstrap, or properties`},
		{"bootstrap", "environments:\n  - name: a\n    bootstrap: a\n", ":3: bootstrap server 1 (\"a\") has no port"},
		{"environment a text", "environments: [a]\n", ":1: an environment must be a mapping with the keys audit"},
		{"environments a mapping", "environments: {a: {}}\n", ":1: environments must be a list"},
		{"the file a list", "- a\n", ":1: the file must be a mapping with the keys accessible, default, environments"},
		{"default", env + "default: b\n", ":4: default names no environment of the file; there are a"},
		{"two documents", env + "---\n" + env, ":5: a second YAML document begins here"},
		{"merge", env + "  - <<: *a\n", ":4: an environment has a key that is no text"},
		{"binary", "environments:\xff\n", ": is not a text file in UTF-8"},
		{"source for a setting that is no password", env + "    settings: {client.id: {file: x}}\n", ":4: client.id must be text"},
		{"source without a key", env + "    settings: {ssl.key.password: {}}\n", ":4: ssl.key.password needs one of the keys command, file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := writeConfig(t, tt.file)
			f, err := Load(path)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %+v and %v, want an *Error", f, err)
			}
			if !strings.HasPrefix(err.Error(), path+tt.want) || strings.Contains(err.Error(), "s3cr3t") || strings.Contains(err.Error(), "%!") {
				t.Errorf("got  %v\nwant …%s", err, tt.want)
			}
		})
	}
	if _, err := Load("/no/such/config.yaml"); err == nil || err.Error() != "/no/such/config.yaml: no such file or directory" {
		t.Errorf("missing: %v", err)
	}
}

// Settings of an environment are values, not lines of a properties file, and go
// before those of the file.
func TestSettingsOfAnEnvironment(t *testing.T) {
	f := mustLoad(t, `environments:
  - name: one
    bootstrap: a:1
    properties: client.properties
    settings:
      security.protocol: SSL
      request.timeout.ms: 1234
      ssl.truststore.type: PEM
      ssl.truststore.location: ca.pem
      client.id: 'C:\users'
`, "client.properties", plainHead+plainLogin+"client.id=other\nssl.truststore.location=/no/such.jks\n", "ca.pem", (*authority)(nil).issue(t, "root", true).pem)
	c, err := f.Environments[0].Connection(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if c.Protocol != "SSL" || c.RequestTimeout != 1234*time.Millisecond || c.TLS.RootCAs == nil || c.ClientID != `C:\users` || c.Bootstrap != "a:1" {
		t.Errorf("%+v", c)
	}
	for _, tt := range []struct{ settings, want string }{
		{"sasl.mechanism: plain, security.protocol: SASL_SSL", "config.yaml:5: sasl.mechanism must be written in capitals: PLAIN"},
		{"request.timeout.ms: -1", "config.yaml:5: request.timeout.ms must be a whole number"},
		{"ssl.truststore.location: no-such.jks, security.protocol: SSL", "/no-such.jks: no such file or directory"},
		{"sasl.mechanism: PLAIN, sasl.mechanisms: GSSAPI", "config.yaml:5: sasl.mechanisms and sasl.mechanism (line 5) say different things"},
		{"config.providers: x", "config.yaml:5: config.providers is resolved by Kafka Connect"},
	} {
		f := mustLoad(t, "environments:\n  - name: one\n    bootstrap: a:1\n    settings:\n      { "+tt.settings+" }\n")
		if _, err := f.Environments[0].Connection(context.Background()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s\ngot  %v\nwant …%s", tt.settings, err, tt.want)
		}
	}
	f = mustLoad(t, "environments:\n  - name: one\n    properties: gone.properties\n")
	_, err = f.Environments[0].Connection(context.Background())
	if want := f.Path + ":3: properties: " + filepath.Dir(f.Path) + "/gone.properties: no such file or directory"; err == nil || err.Error() != want || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// An Environment can be logged by accident as a Connection can.
func TestEnvironmentPrintsNoPassword(t *testing.T) {
	f := mustLoad(t, "environments:\n  - name: one\n    bootstrap: a:1\n    user: u\n    password: "+markA+"\n    settings:\n      sasl.jaas.config: "+markA+"\n      ssl.key.password: "+markA+"\n")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
		for _, v := range []any{f, *f, f.Environments[0], *f.Environments[0], f.Environments[0].settings} {
			text := fmt.Sprintf(verb, v)
			assertNoMark(t, verb, text)
			if strings.Contains(text, fmt.Sprintf("%x", markA)) {
				t.Errorf("%s shows the password in numbers: %s", verb, text)
			}
		}
	}
}

func TestConfigReadableByOthers(t *testing.T) {
	for content, warn := range map[string]bool{
		"    password: x\n":                                        true,
		"    settings: {ssl.key.password: x}\n":                    true,
		"    settings: {sasl.jaas.config: 'M required;'}\n":        true,
		"    password_file: x\n":                                   false,
		"    password_prompt: true\n":                              false,
		"    settings: {ssl.key.password: {command: [pass, x]}}\n": false,
	} {
		path := writeConfig(t, "environments:\n  - name: a\n    bootstrap: a:1\n"+content)
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(f.Notes, "\n"), "can be read by others (mode 0644): chmod 600 it"); got != warn {
			t.Errorf("%s: %q", content, f.Notes)
		}
	}
}
