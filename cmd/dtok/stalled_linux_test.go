package main

import (
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestATerminalThatTakesNothing is a dead SSH connection that has not timed
// out yet, or ctrl+s: Bubble Tea hangs in a write and does not end by itself.
func TestATerminalThatTakesNothing(t *testing.T) {
	t.Parallel()
	term := onTerminal(t, "demo").read()
	term.await("All tokens")
	if err := unix.IoctlSetInt(int(term.keep.Fd()), unix.TCXONC, unix.TCOOFF); err != nil {
		t.Fatal(err)
	}
	term.press("?") // a frame that does not get out
	if err := term.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := term.status(); got != 143 {
		t.Errorf("status %d, want 143", got)
	}
	if err := unix.IoctlSetInt(int(term.keep.Fd()), unix.TCXONC, unix.TCOON); err != nil {
		t.Fatal(err)
	}
	term.mustHaveItsModes()
}
