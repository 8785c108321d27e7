package e2e

import (
	"errors"
	"os/exec"
	"strings"
	"syscall"

	"github.com/charmbracelet/x/term"
)

// ended waits for the program's end.
func (t *terminal) ended() syscall.WaitStatus {
	t.Helper()
	err := t.cmd.Wait()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		t.Fatal(err)
	}
	return t.cmd.ProcessState.Sys().(syscall.WaitStatus)
}

// exits checks the exit status.
func (t *terminal) exits(want int) {
	t.Helper()
	got := t.ended()
	if !got.Exited() || got.ExitStatus() != want {
		t.Errorf("ended with status %d (%v), want %d; the screen is\n%s", got.ExitStatus(), t.cmd.ProcessState, want, t.text())
	}
}

// restored checks what the terminal is left with: its modes, the cursor, the
// normal screen, no bracketed paste.
func (t *terminal) restored() {
	t.Helper()
	t.hasItsModes()
	const mark = "[end of output]"
	from := t.mark()
	if _, err := t.slave.WriteString(mark); err != nil {
		t.Fatal(err)
	}
	t.until(mark, func(string) bool { return strings.Contains(string(t.stream(from)), mark) })
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.screen.IsAltScreen() || t.screen.CursorHidden() {
		t.Errorf("alternate screen %v, cursor hidden %v", t.screen.IsAltScreen(), t.screen.CursorHidden())
	}
	out := string(t.output)
	if strings.LastIndex(out, "\x1b[?2004l") < strings.LastIndex(out, "\x1b[?2004h") {
		t.Error("bracketed paste is left on")
	}
}

func (t *terminal) hasItsModes() {
	t.Helper()
	after, err := term.GetState(t.slave.Fd())
	if err != nil {
		t.Fatal(err)
	}
	if *after != *t.before {
		t.Errorf("the terminal's modes are %+v, were %+v", after, t.before)
	}
}
