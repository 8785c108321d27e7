package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// terminal is a pseudo-terminal that answers no query, with dtok on it.
type terminal struct {
	*testing.T
	cmd    *exec.Cmd
	master *os.File
	before *term.State

	mu      sync.Mutex
	output  []byte
	arrived chan struct{} // holds a value whenever output has grown
	// keep is the slave side, held open so that its modes can be read after
	// dtok has ended.
	keep *os.File
}

// limit ends a test that waits for something that never comes.
const limit = 2 * time.Minute

// onTerminal starts the program on an xterm, its state in a folder of the test.
func onTerminal(t *testing.T, args ...string) *terminal {
	return onTerminalWith(t, []string{"TERM=xterm-256color"}, args...)
}

func onTerminalWith(t *testing.T, env []string, args ...string) *terminal {
	t.Helper()
	path := program(t)
	blocking, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(blocking, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	master := interruptible(t, blocking)
	before, err := term.GetState(slave.Fd())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	term := &terminal{T: t, master: master, keep: slave, before: before,
		arrived: make(chan struct{}, 1)}
	term.cmd = exec.CommandContext(ctx, path, args...)
	term.cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir(), "NO_COLOR=1", "TMUX=", "STY=")
	term.cmd.Env = append(term.cmd.Env, env...)
	term.cmd.Stdin, term.cmd.Stdout, term.cmd.Stderr = slave, slave, slave
	term.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := term.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = slave.Close()
		_ = master.Close()
	})
	return term
}

// interruptible gives the file a descriptor whose Close ends a Read that waits,
// as the end of an SSH connection does.
func interruptible(t *testing.T, f *os.File) *os.File {
	t.Helper()
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	syscall.CloseOnExec(fd)
	if err := errors.Join(syscall.SetNonblock(fd, true), f.Close()); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), "pty")
}

// read collects what the program writes, until the terminal is closed.
func (t *terminal) read() *terminal {
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := t.master.Read(buf)
			t.mu.Lock()
			t.output = append(t.output, buf[:n]...)
			t.mu.Unlock()
			select {
			case t.arrived <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	return t
}

func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.output)
}

// shows reports whether the program has written text, or its screen holds it:
// what is on the screen already is not written again.
func (t *terminal) shows(text string) bool {
	out := t.text()
	if strings.Contains(out, text) {
		return true
	}
	screen := vt.NewEmulator(80, 24)
	go func() { _, _ = io.Copy(io.Discard, screen) }()
	defer screen.InputPipe().(io.Closer).Close() // ends the copying; the emulator's own Close races with it
	_, _ = screen.WriteString(out)
	return strings.Contains(screen.String(), text)
}

// await waits until the program has written text.
func (t *terminal) await(text string) {
	t.Helper()
	deadline := time.After(limit)
	for !t.shows(text) {
		select {
		case <-t.arrived:
		case <-deadline:
			t.Fatalf("%q did not come; got %q", text, t.text())
		}
	}
}

// insist presses a key until text comes: dtok takes no enter that follows
// another key as fast as only a paste can.
func (t *terminal) insist(key, text string) {
	t.Helper()
	again := time.NewTicker(300 * time.Millisecond)
	defer again.Stop()
	deadline := time.After(limit)
	t.press(key)
	for !t.shows(text) {
		select {
		case <-t.arrived:
		case <-again.C:
			t.press(key)
		case <-deadline:
			t.Fatalf("%q did not come; got %q", text, t.text())
		}
	}
}

func (t *terminal) press(keys string) {
	t.Helper()
	if _, err := t.master.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// status waits for the end and gives the exit status as a shell does.
func (t *terminal) status() int {
	t.Helper()
	err := t.cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		t.Fatal(err)
	case exit.Sys().(syscall.WaitStatus).Signaled():
		t.Fatalf("killed by a signal: %v", err)
	}
	return exit.ExitCode()
}

// mustBeRestored checks the terminal's modes and the sequences that dtok leaves
// it with.
func (t *terminal) mustBeRestored() {
	t.Helper()
	t.mustHaveItsModes()
	// What dtok wrote last may not have been read yet.
	const mark = "[end of output]"
	if _, err := t.keep.WriteString(mark); err != nil {
		t.Fatal(err)
	}
	t.await(mark)
	for _, mode := range []string{"?1049", "?2004", "?25"} {
		on, off := mode+"h", mode+"l"
		if mode == "?25" {
			on, off = off, on // the cursor: hidden while drawing, shown after
		}
		if out := t.text(); strings.LastIndex(out, "\x1b["+off) < strings.LastIndex(out, "\x1b["+on) {
			t.Errorf("%s is left on: %q", mode, out)
		}
	}
}

func (t *terminal) mustHaveItsModes() {
	t.Helper()
	after, err := term.GetState(t.keep.Fd())
	if err != nil {
		t.Fatal(err)
	}
	if *after != *t.before {
		t.Errorf("the terminal's modes are not restored: %+v, were %+v", after, t.before)
	}
}

// mustAskNothing checks that the program sent no query and took no mouse.
func (t *terminal) mustAskNothing() {
	t.Helper()
	for what, seq := range map[string]string{
		"background": "\x1b]11;", "foreground": "\x1b]10;", "cursor position": "\x1b[6n", "attributes": "\x1b[c",
		"mouse": "\x1b[?1000h", "mouse motion": "\x1b[?1002h", "all motion": "\x1b[?1003h", "mouse coordinates": "\x1b[?1006h",
	} {
		if bytes.Contains([]byte(t.text()), []byte(seq)) {
			t.Errorf("the terminal is asked for %s: %q", what, t.text())
		}
	}
}
