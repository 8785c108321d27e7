package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sending opens a session on a slow broker and sends an expiry: for a second or
// two the change is on its way.
func sending(t *testing.T, b *broker, mine token) *session {
	t.Helper()
	s := withSession(t, b, "ops", how{})
	s.choose(mine)
	s.press("x")
	s.see("> [ Cancel ]")
	s.press("\t")
	s.see("> HMAC")
	s.pasteHMAC(mine)
	s.press("\tlost")
	s.see("lost_")
	s.button("Expire")
	s.see("asking the cluster")
	return s
}

// outcome is what the audit trail says became of the one change in it.
func (s *session) outcome() string {
	s.Helper()
	data, err := os.ReadFile(filepath.Join(s.state, "dtok", "audit.jsonl"))
	if err != nil {
		s.Fatal(err)
	}
	type record struct{ Kind, Phase, Outcome, ID string }
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var head record
	if err := json.Unmarshal([]byte(lines[0]), &head); err != nil || head.Kind != "head" || len(lines) < 2 {
		s.Fatalf("the trail does not begin with a head: %v %s", err, data)
	}
	lines = lines[1:]
	var intent, end record
	if err := json.Unmarshal([]byte(lines[0]), &intent); err != nil || intent.Phase != "intent" {
		s.Fatalf("the trail does not begin with an intent: %v %s", err, data)
	}
	if len(lines) == 1 {
		return ""
	}
	if err := json.Unmarshal([]byte(lines[1]), &end); err != nil || len(lines) > 2 || end.ID != intent.ID {
		s.Fatalf("the trail is not an intent and its outcome: %v %s", err, data)
	}
	return end.Outcome
}

// TestTheTerminalGoesDuringAChange: dtok ends soon, does not spin, and the
// trail says what became of the change, or that nobody knows.
func TestTheTerminalGoesDuringAChange(t *testing.T) {
	t.Parallel()
	b := serve(t, "slow")
	for name, end := range map[string]struct {
		do     func(*session)
		status int
	}{
		"closed":  {func(s *session) { _ = s.slave.Close(); _ = s.master.Close() }, 129},
		"SIGHUP":  {func(s *session) { s.signal(syscall.SIGHUP) }, 129},
		"SIGTERM": {func(s *session) { s.signal(syscall.SIGTERM) }, 143},
		"blocked": {func(s *session) { s.block(); s.signal(syscall.SIGTERM) }, 143},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mine := b.create("ops")
			s := sending(t, b, mine)
			cpu := s.cpu()
			asked := time.Now()
			end.do(s)
			s.exits(end.status)
			// A change gets 2 s and a terminal that takes nothing 3 s; the rest
			// is for a machine that has other things to do.
			if took := time.Since(asked); took > 10*time.Second {
				t.Errorf("it took %v to end", took)
			}
			if used := s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime() - cpu; used > 2*time.Second {
				t.Errorf("it used %v of processor time to end", used)
			}
			got := s.outcome()
			if got != "done" && got != "unknown" {
				t.Errorf("the outcome is %q", got)
			}
			if got == "done" {
				b.awaitGone(mine.id)
			}
			if name != "closed" && name != "blocked" {
				s.restored()
			}
			s.knows()
			s.scanFolder(s.state)
		})
	}
}

// TestCtrlCDuringAChange warns once, because giving up leaves it open whether
// the change happened.
func TestCtrlCDuringAChange(t *testing.T) {
	t.Parallel()
	b := serve(t, "slow")
	s := sending(t, b, b.create("ops"))
	s.press("\x03")
	s.until("a warning or the end", func(screen string) bool {
		return strings.Contains(screen, "on its way") || strings.Contains(screen, "expired at")
	})
	s.press("\x03")
	s.exits(0)
	s.restored()
	if got := s.outcome(); got != "done" && got != "unknown" {
		t.Errorf("the outcome is %q", got)
	}
}

// TestAReaderThatDoesNotRead is a terminal whose buffer is full.
func TestAReaderThatDoesNotRead(t *testing.T) {
	t.Parallel()
	args := append(serve(t, "standard").flags(saslSSL, "ops"), "--user", "ops")
	x := start(t, how{args: args, unread: true, cols: 200, rows: 50})
	<-time.After(500 * time.Millisecond)
	for range 200 { // each draws a screen, until nothing more fits
		x.press("?")
		<-time.After(time.Millisecond)
	}
	x.signal(syscall.SIGTERM)
	x.exits(143)
	x.hasItsModes()
}

// TestTheInputEnds is a terminal that hangs up only what is typed. Nobody can
// end dtok by a key then, but it must not spin, and a signal ends it.
func TestTheInputEnds(t *testing.T) {
	t.Parallel()
	args := append(serve(t, "standard").flags(saslSSL, "ops"), "--user", "ops")
	x := start(t, how{args: args})
	x.see("Max lifetime")
	x.still(200 * time.Millisecond)
	x.press("\x04") // the end of input in a terminal that is not raw
	x.still(200 * time.Millisecond)
	cpu := x.cpu()
	<-time.After(time.Second)
	if used := x.cpu() - cpu; used > 300*time.Millisecond {
		t.Errorf("%v of processor time in a second", used)
	}
	x.signal(syscall.SIGTERM)
	x.exits(143)
	x.restored()
}

// TestTheTmuxServerGoes takes the whole tmux away.
func TestTheTmuxServerGoes(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	x := inTmux(t)
	x.run(append(b.flags(saslSSL, "ops"), "--user", "ops")...)
	x.see("Max lifetime ends")
	shell := strings.TrimSpace(x.do("display-message", "-p", "#{pane_pid}"))
	pid := childNamed(t, shell, "dtok")
	x.do("new-session", "-d", "-s", "other") // so that the server lives on for the cleanup
	x.do("kill-session", "-t", "0")
	deadline := time.Now().Add(patience)
	for syscall.Kill(pid, 0) == nil {
		if time.Now().After(deadline) {
			t.Fatalf("dtok, process %d, lives on", pid)
		}
		<-time.After(20 * time.Millisecond)
	}
}
