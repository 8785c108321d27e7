package e2e

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withEnvironments opens dtok on a configuration file with two environments on
// one cluster, whose passwords are asked for. The file is in its folder, where
// everything is looked through.
func withEnvironments(t *testing.T, b *broker, h how) *session {
	t.Helper()
	h.state = t.TempDir()
	var settings strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(b.properties[saslSSL]), "\n") {
		key, value, _ := strings.Cut(line, "=")
		if key != "bootstrap.servers" && key != "sasl.jaas.config" {
			settings.WriteString("      " + key + `: "` + value + `"` + "\n")
		}
	}
	text := "environments:\n"
	for name, user := range map[string]string{"first": "ops", "second": "alice"} {
		text += "  - name: " + name + "\n    bootstrap: " + b.address[saslSSL] + "\n    user: " + user +
			"\n    password_prompt: true\n    settings:\n" + settings.String()
	}
	folder := filepath.Join(h.state, ".config", "dtok")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "config.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--environment", "first", "--user", "ops", "--debug", debugLog(h.state)}
	if h.command != nil {
		h.command = onShell(args)
	} else {
		h.args = args
	}
	s := &session{terminal: start(t, h), broker: b}
	s.see("Sign in to first", "[empty]_")
	return s
}

// signsIn pastes a password with its line end, which presses nothing.
func (s *session) signsIn(password string) {
	s.Helper()
	s.quiet()
	s.paste(password + "\n")
	s.see("characters]_")
	s.quiet()
	s.press("\r")
}

// TestNoPasswordLeaves takes the dialog for a password, and those of the
// environments, every way that they can go, and the rest of what has no field.
func TestNoPasswordLeaves(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	s := withEnvironments(t, b, how{cols: 100, rows: 45})
	s.press("ops-secret")
	s.see("[10 characters]_")
	s.scanShown("with a password in its field")
	s.resize(39, 9)
	s.see("needs 40x10")
	s.resize(100, 45)
	s.see("[empty]_") // what was entered is gone
	s.paste(b.create("ops").text())
	s.see("[88 characters]_")
	s.scanShown("with an HMAC in the password's field")
	s.quiet()
	s.press("\x1b")
	s.gone("Sign in to first")
	s.press("r")
	s.see("Sign in to first")
	s.signsIn("typed-wrong-word")
	s.see("sign in: ")
	s.press("r")
	s.see("[empty]_")
	s.signsIn("ops-secret")
	s.see("Max lifetime")
	s.scanProcess()

	s.quiet()
	s.press("E")
	s.see("enter opens")
	s.paste(b.create("ops").text() + "\n")
	s.see("pasted text was ignored")
	s.press("\x1b")
	s.gone("enter opens")
	s.quiet()
	s.press("E")
	s.see("enter opens")
	s.changes("j")
	s.changes("\r")
	s.see("Sign in to second")
	s.signsIn("alice-secret")
	s.see("dtok second", "1 Tokens")
	s.quiet()
	s.press("E")
	s.see("enter opens")
	s.changes("k")
	s.changes("\r")
	s.see("dtok first", "1 Tokens") // whose password is not asked for again

	s.openCard()
	s.workerFile()
	s.press("d")
	s.closeCard()
	s.quiet()
	s.press("A")
	s.see("Audit trail", "create token")
	s.paste(s.broker.tokens()[0].text())
	s.see("pasted text was ignored")
	s.quiet()
	s.press("\r")
	s.see("audit.jsonl:2", `"kind": "create token"`)
	s.changes("\x1b")
	s.changes("/")
	s.paste(s.broker.tokens()[0].text())
	s.see("looks like an HMAC")
	s.leaves()
	s.nothingTyped()
	s.audited(`"kind":"create token"`, `"outcome":"done"`)
}

// workerFile puts a worker's configuration into a new file, which is for the
// person alone and the only place where it is.
func (s *session) workerFile() {
	s.Helper()
	id := s.cardToken()
	path := filepath.Join(s.TempDir(), "typed-worker.properties")
	s.press("p")
	s.see("> [ Go ]")
	s.changes("\x1b[Z")
	s.paste(s.broker.tokens()[0].text())
	s.see("looks like an HMAC")
	s.quiet()
	s.changes(path)
	s.button("Go")
	s.see("written to")
	text, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		s.Errorf("%v %v", info, err)
	}
	for _, k := range s.broker.tokens() {
		if k.id == id && !strings.Contains(string(text), base64.StdEncoding.EncodeToString(k.hmac)) {
			s.Error("the configuration holds no HMAC")
		}
	}
	s.see("Copy this now")
}
