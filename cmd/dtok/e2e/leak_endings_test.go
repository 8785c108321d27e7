package e2e

import (
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestNoSecretIsLeftBehind ends dtok in every way there is while it holds an
// HMAC: in the field of an open dialog, and on a card.
func TestNoSecretIsLeftBehind(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	mine := b.create("ops")
	endings := map[string]struct {
		env    string
		key    string
		signal syscall.Signal
		status int // as a shell tells it
		crash  bool
	}{
		"ctrl+c":  {key: "\x03"},
		"SIGTERM": {signal: syscall.SIGTERM, status: 143},
		"SIGHUP":  {signal: syscall.SIGHUP, status: 129},
		"SIGINT":  {signal: syscall.SIGINT, status: 130},
		// Go's own crash text, with the stacks of all goroutines.
		"SIGQUIT":       {signal: syscall.SIGQUIT, status: 2, crash: true},
		"SIGSEGV":       {signal: syscall.SIGSEGV, status: 2, crash: true},
		"SIGABRT, core": {env: "GOTRACEBACK=crash", signal: syscall.SIGABRT, crash: true, status: 128 + int(syscall.SIGABRT)},
		"kill -9":       {signal: syscall.SIGKILL, status: 137, crash: true},
	}
	for name, end := range endings {
		for _, holds := range []string{"a field", "a card"} {
			if holds == "a card" && !long() && !slices.Contains([]string{"ctrl+c", "SIGTERM", "kill -9"}, name) {
				continue
			}
			t.Run(name+" with "+holds, func(t *testing.T) {
				t.Parallel()
				s := withSession(t, b, "ops", how{env: []string{end.env}})
				if holds == "a card" {
					s.openCard()
				} else {
					s.choose(mine)
					s.press("w")
					s.see("Renew token")
					s.pasteHMAC(mine)
				}
				if end.key != "" {
					s.press(end.key)
				} else {
					s.signal(end.signal)
				}
				w := s.ended()
				if status := shellStatus(w); status != end.status {
					t.Errorf("status %d, want %d; the screen is\n%s", status, end.status, s.text())
				}
				if w.CoreDump() {
					t.Error("it left a core dump")
				}
				if !end.crash {
					s.restored()
				}
				if len(s.cards) > 0 && !end.crash {
					s.closeCard()
				}
				s.knows()
				s.scanOutput()
				s.scanFolder(s.state)
			})
		}
	}
}

// shellStatus is how a shell tells the end of a process.
func shellStatus(w syscall.WaitStatus) int {
	if w.Signaled() {
		return 128 + int(w.Signal())
	}
	return w.ExitStatus()
}

// onShell runs dtok as a job of a shell, which is told to continue it after it
// has been suspended.
func onShell(args []string) []string {
	const script = `set -m; "$@"; echo "[stopped $?]"; read -r line; fg >/dev/null; echo "[ended $?]"`
	return append([]string{"sh", "-c", script, "sh", program}, args...)
}

// TestNoSecretIsLeftByAnyDialog ends dtok by force, or suspends it, with each
// dialog open and filled. Without DTOK_E2E=long each has one of the endings.
func TestNoSecretIsLeftByAnyDialog(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	endings := []struct {
		name   string
		status int
		crash  bool
	}{{"kill -9", 137, true}, {"a crash", 2, true}, {"suspended", 0, false}}
	cases := append(dialogCases(), dialogCase{name: "password", title: "Sign in to first", fill: keysFor("ops-secret")},
		dialogCase{name: "environments", open: []string{"E"}, title: "enter opens", fill: func(*session, token) {}})
	for i, c := range cases {
		for n, end := range endings {
			if !long() && i%len(endings) != n {
				continue
			}
			t.Run(c.name+", "+end.name, func(t *testing.T) {
				t.Parallel()
				s, mine := c.onPage(t, b, end.name == "suspended")
				c.opened(s)
				c.fill(s, mine)
				switch end.name {
				case "kill -9":
					s.signal(syscall.SIGKILL)
				case "a crash":
					s.signal(syscall.SIGSEGV)
				default:
					s.press("\x1a")
					s.see("[stopped 148]")
					s.hasItsModes()
					s.scan()
					s.press("\n")
					s.see(c.title)
					c.hasNone(s, "after it was suspended")
					if c.name == "password" {
						s.see("[empty]_")
					}
					s.press("\x03")
					s.see("[ended 0]")
				}
				w := s.ended()
				if status := shellStatus(w); status != end.status || w.CoreDump() {
					t.Errorf("status %d, core dump %v", status, w.CoreDump())
				}
				s.scan()
				if strings.Contains(string(s.stream(0)), "goroutine ") != (end.name == "a crash") {
					t.Error("the ending is not the one that was meant")
				}
				if !end.crash {
					s.nothingTyped()
				}
			})
		}
	}
}

// onPage is a session on the page where the dialog is opened, below a shell where
// it is going to be suspended.
func (c dialogCase) onPage(t *testing.T, b *broker, shell bool) (*session, token) {
	t.Helper()
	h := how{cols: 100, rows: 45}
	if c.user == "" { // of an environment
		if shell {
			h.command = onShell(nil)
		}
		s := withEnvironments(t, b, h)
		if len(c.open) > 0 {
			s.signsIn("ops-secret")
			s.see("Max lifetime")
		}
		return s, token{}
	}
	mine := b.create("ops")
	h.state = t.TempDir()
	h.args = append(b.flags(saslSSL, "ops"), "--user", c.user, "--debug", debugLog(h.state))
	if shell {
		h.command = onShell(h.args)
	}
	s := &session{terminal: start(t, h), broker: b}
	s.see("Max lifetime")
	if c.user == "ops" {
		s.choose(mine)
	}
	return s, mine
}

// TestNoSecretWhileSuspended suspends dtok with an HMAC in a field, which is
// wiped, and with a card, which comes back.
func TestNoSecretWhileSuspended(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	mine := b.create("ops")
	args := append(b.flags(saslSSL, "ops"), "--user", "ops")
	s := &session{terminal: start(t, how{command: onShell(args)}), broker: b}
	s.see("Max lifetime")
	s.choose(mine)
	s.press("x")
	s.see("> [ Cancel ]")
	s.press("\t")
	s.see("> HMAC")
	s.pasteHMAC(mine)
	s.press("\x1a")
	s.see("[stopped 148]")
	s.hasItsModes()
	s.scan()
	s.press("\n")
	s.see("[empty]_") // the dialog is there, without the HMAC
	s.pasteHMAC(mine)
	s.changes("\x1b")
	s.press("\x03")
	s.see("[ended 0]")
	s.exits(0)
	s.scan()

	s = &session{terminal: start(t, how{command: onShell(args)}), broker: b}
	s.see("Max lifetime")
	s.openCard()
	s.press("\x1a")
	s.see("[stopped 148]")
	s.hasItsModes()
	s.closeCard()
	s.knows()
	s.mustNotBeShown(t, "the shell's screen", []byte(s.text()))
	from := s.mark()
	s.press("\n")
	s.see("Copy this now")
	s.cards = append(s.cards, card{of: secretName(s.cardToken()), from: from})
	s.press("\x03")
	s.see("[ended 0]")
	s.closeCard()
	s.exits(0)
	s.scan()
}
