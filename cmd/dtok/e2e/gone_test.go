package e2e

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// sending opens a session and sends an expiry, whose answer never comes: the
// change is on its way for as long as dtok waits.
func sending(t *testing.T, b *broker, mine token) *session {
	t.Helper()
	h := how{state: t.TempDir()}
	h.args = append(b.flags(saslPlaintext, "ops"), "--user", "ops", "--bootstrap-server", unanswered(t, b.address[saslPlaintext]))
	s := &session{terminal: start(t, h), broker: b}
	s.see("Max lifetime")
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

// unanswered is the address of a proxy to a broker's listener without TLS. A
// client that has sent an expiry gets nothing more.
func unanswered(t *testing.T, to string) string {
	t.Helper()
	return between(t, to, func(client, broker net.Conn) {
		var sent atomic.Bool
		go passRequests(client, broker, func(apiKey uint16) {
			if apiKey == 40 { // ExpireDelegationToken
				sent.Store(true)
			}
		})
		go passUntil(broker, client, sent.Load)
	})
}

// passRequests passes on whole requests, each after it was told.
func passRequests(from, to net.Conn, tell func(apiKey uint16)) {
	defer from.Close()
	defer to.Close()
	for {
		head := make([]byte, 6) // the size, which does not count itself, and the API key
		if _, err := io.ReadFull(from, head); err != nil {
			return
		}
		rest := make([]byte, max(int(binary.BigEndian.Uint32(head))-2, 0))
		if _, err := io.ReadFull(from, rest); err != nil {
			return
		}
		tell(binary.BigEndian.Uint16(head[4:]))
		if _, err := to.Write(append(head, rest...)); err != nil {
			return
		}
	}
}

// passUntil passes on until it is over, and then loses what comes.
func passUntil(from, to net.Conn, over func() bool) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if !over() {
			_, _ = to.Write(buf[:n])
		}
		if err != nil {
			return
		}
	}
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
	b := serve(t, "standard")
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
			// is for a machine that has other things to do. It is less than the
			// 70 s that a change has otherwise.
			if took := time.Since(asked); took > 40*time.Second {
				t.Errorf("it took %v to end", took)
			}
			if used := s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime() - cpu; used > 2*time.Second {
				t.Errorf("it used %v of processor time to end", used)
			}
			if got := s.outcome(); got != "unknown" {
				t.Errorf("the outcome is %q", got)
			}
			b.awaitGone(mine.id)
			if name != "closed" && name != "blocked" {
				s.restored()
				s.see("expire token "+mine.id+" was under way", "its outcome: unknown")
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
	b := serve(t, "standard")
	s := sending(t, b, b.create("ops"))
	s.press("\x03")
	s.see("on its way")
	s.press("\x03")
	s.exits(0)
	s.restored()
	if got := s.outcome(); got != "unknown" {
		t.Errorf("the outcome is %q", got)
	}
}

// TestAReaderThatDoesNotRead is a terminal whose buffer is full.
func TestAReaderThatDoesNotRead(t *testing.T) {
	t.Parallel()
	args := append(serve(t, "standard").flags(saslSSL, "ops"), "--user", "ops")
	x := start(t, how{args: args, unread: true, cols: 200, rows: 50})
	x.draws()
	for range 200 { // each draws a screen, until nothing more fits
		x.press("?")
		<-time.After(time.Millisecond)
	}
	x.signal(syscall.SIGTERM)
	x.exits(143)
	x.hasItsModes()
}

// draws waits until the program has its terminal and has written to it, where
// nobody reads what it writes.
func (t *terminal) draws() {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		now, err := term.GetState(t.slave.Fd())
		if err != nil {
			t.Fatal(err)
		}
		n, err := unread(t.master)
		if err != nil {
			t.Fatal(err)
		}
		if *now != *t.before && n > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the program does not draw")
		}
		<-time.After(5 * time.Millisecond)
	}
}

// TestTheInputEnds hangs up only what is typed, which comes from a terminal of
// its own. Nobody can end dtok by a key then, but it must not spin, and a signal
// ends it.
func TestTheInputEnds(t *testing.T) {
	t.Parallel()
	args := append(serve(t, "standard").flags(saslSSL, "ops"), "--user", "ops")
	keyboard, input, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	x := start(t, how{args: args, input: input})
	if err := input.Close(); err != nil {
		t.Fatal(err)
	}
	x.see("Max lifetime")
	if _, err := keyboard.WriteString("?"); err != nil {
		t.Fatal(err)
	}
	x.gone("Max lifetime") // the keys do come from there
	x.still(200 * time.Millisecond)
	if err := keyboard.Close(); err != nil {
		t.Fatal(err)
	}
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
	for lives(pid) {
		if time.Now().After(deadline) {
			t.Fatalf("dtok, process %d, lives on", pid)
		}
		<-time.After(20 * time.Millisecond)
	}
}
