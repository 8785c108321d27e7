package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNothingIsAskedOfTheTerminal guards dtok/ui/background: without it Bubble
// Tea asks for the background at import time, also for a version, and waits
// five seconds for this terminal, which never answers.
func TestNothingIsAskedOfTheTerminal(t *testing.T) {
	t.Parallel()
	v := onTerminal(t, "version").read()
	v.await("dtok ")
	if status := v.status(); status != 0 {
		t.Errorf("status %d", status)
	}
	v.mustAskNothing()

	screens := onTerminal(t, "demo").read()
	screens.await("All tokens")
	screens.press("q")
	if status := screens.status(); status != 0 {
		t.Errorf("status %d", status)
	}
	screens.mustAskNothing()
	screens.mustBeRestored()
}

func TestSignalsRestoreTheTerminal(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			term := onTerminal(t, "demo").read()
			term.await("All tokens")
			if err := term.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if got := term.status(); got != 128+int(sig) {
				t.Errorf("status %d, want %d", got, 128+int(sig))
			}
			term.mustBeRestored()
		})
	}
}

// TestATerminalThatIsGone is an SSH connection that drops.
func TestATerminalThatIsGone(t *testing.T) {
	t.Parallel()
	term := onTerminal(t, "demo").read()
	term.await("All tokens")
	_ = term.keep.Close()
	if err := term.master.Close(); err != nil {
		t.Fatal(err)
	}
	if got := term.status(); got != 129 {
		t.Errorf("status %d, want 129", got)
	}
}

func TestAnUnreachableClusterIsToldOnTheScreen(t *testing.T) {
	t.Parallel()
	term := onTerminal(t, "--bootstrap-server", "127.0.0.1:1").read()
	term.await("cannot connect to 127.0.0.1:1")
	term.press("q")
	if got := term.status(); got != 0 {
		t.Errorf("status %d", got)
	}
	term.mustBeRestored()
}

// TestAnyTERMStarts: dtok needs no terminfo, and no TERM at all.
func TestAnyTERMStarts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "dumb", "foo", "linux", "vt100", "xterm-kitty", "screen", "tmux-256color"} {
		t.Run("TERM="+name, func(t *testing.T) {
			t.Parallel()
			term := onTerminalWith(t, []string{"TERM=" + name}, "demo").read()
			term.await("All tokens")
			term.press("q")
			if got := term.status(); got != 0 {
				t.Errorf("status %d", got)
			}
			term.mustAskNothing()
			term.mustBeRestored()
		})
	}
}

// TestAWholeChangeLeavesItsTrail creates a token by keyboard.
func TestAWholeChangeLeavesItsTrail(t *testing.T) {
	t.Parallel()
	for scenario, want := range map[string]struct{ screen, outcome string }{
		"standard":    {"Copy this now", "done"},
		"lost-answer": {"unknown", "unknown"},
	} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "audit.jsonl")
			term := onTerminal(t, "demo", "--scenario", scenario, "--user", "alice", "--audit-file", file).read()
			term.await("Token ID")
			term.press("c")
			term.await("Create delegation token")
			term.press("\t\t")
			term.await("> [ Create ]")
			term.insist("\r", want.screen)
			term.press("\x03")
			if got := term.status(); got != 0 {
				t.Errorf("status %d", got)
			}
			term.mustBeRestored()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{`"phase":"intent"`, `"outcome":"` + want.outcome + `"`, `"owner":"User:alice"`,
				`"requester":"User:ops"`, `"environment":"demo"`, `"principal":"User:ops"`} {
				if !strings.Contains(string(text), part) {
					t.Errorf("%s is not in the trail: %s", part, text)
				}
			}
		})
	}
}
