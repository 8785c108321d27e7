package e2e

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tmux is a tmux server of its own with a shell in one pane.
type tmux struct {
	testing.TB
	socket string
	state  string
}

// inTmux starts a shell in tmux, as it comes, 80×24.
func inTmux(t testing.TB) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not on the PATH")
	}
	folder, err := os.MkdirTemp("", "tmux") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	x := &tmux{TB: t, socket: filepath.Join(folder, "s"), state: t.TempDir()}
	t.Cleanup(func() {
		x.end()
		_ = os.RemoveAll(folder)
	})
	x.do("new-session", "-d", "-x", "80", "-y", "24", "env PS1='$ ' ENV= sh -i")
	x.see("$")
	return x
}

// end stops the server.
func (x *tmux) end() {
	// The test's own context has ended by now.
	if err := x.command(context.Background(), "kill-server").Run(); err != nil {
		x.Errorf("tmux kill-server: %v", err)
	}
}

func (x *tmux) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-f", "/dev/null", "-S", x.socket}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + x.state, "LANG=C.UTF-8", "TZ=UTC", "TERM=xterm-256color",
		"SHELL=/bin/sh", // which tmux runs commands with; that of a service's user runs none
		"XDG_STATE_HOME=" + x.state}
	return cmd
}

func (x *tmux) do(args ...string) string {
	x.Helper()
	var trouble bytes.Buffer
	cmd := x.command(x.Context(), args...)
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	if err != nil {
		x.Fatalf("tmux %s: %v %s", args[0], err, trouble.String())
	}
	return string(out)
}

// run types a command into the shell.
func (x *tmux) run(args ...string) {
	x.Helper()
	line := ""
	for _, a := range append([]string{program}, args...) {
		line += "'" + a + "' "
	}
	x.do("send-keys", "-l", line)
	x.keys("Enter")
}

// keys sends keys by tmux's names.
func (x *tmux) keys(names ...string) {
	x.Helper()
	x.do(append([]string{"send-keys"}, names...)...)
}

func (x *tmux) text() string { x.Helper(); return x.do("capture-pane", "-p") }

// history is all that the pane keeps, with its attributes.
func (x *tmux) history() string {
	x.Helper()
	return x.do("capture-pane", "-p", "-e", "-S", "-", "-E", "-")
}

// buffers are the contents of all paste buffers.
func (x *tmux) buffers() string {
	x.Helper()
	var all strings.Builder
	for _, name := range strings.Fields(x.do("list-buffers", "-F", "#{buffer_name}")) {
		all.WriteString(x.do("show-buffer", "-b", name) + "\n")
	}
	return all.String()
}

// until looks at the screen until it is as wanted.
func (x *tmux) until(what string, is func(screen string) bool) {
	x.Helper()
	deadline := time.Now().Add(patience)
	for {
		screen := x.text()
		if is(screen) {
			return
		}
		if time.Now().After(deadline) {
			x.Fatalf("%s did not come; the screen is\n%s", what, screen)
		}
		<-time.After(20 * time.Millisecond)
	}
}

func (x *tmux) see(texts ...string) {
	x.Helper()
	x.until(strings.Join(texts, " and "), func(screen string) bool {
		flat := strings.Join(strings.Fields(screen), " ")
		for _, text := range texts {
			if !strings.Contains(flat, text) {
				return false
			}
		}
		return true
	})
}

func (x *tmux) gone(text string) {
	x.Helper()
	x.until("the end of "+text, func(screen string) bool { return !strings.Contains(screen, text) })
}

// changes sends a key and waits for its effect.
func (x *tmux) changes(key string) {
	x.Helper()
	before := underHeader(x.text())
	x.keys(key)
	x.until("an effect of the key "+key, func(screen string) bool { return underHeader(screen) != before })
}

// insist sends a key again and again until it has its effect: while a paste
// comes in, keys belong to it.
func (x *tmux) insist(key, what string, is func(screen string) bool) {
	x.Helper()
	deadline := time.Now().Add(patience)
	for !is(x.text()) {
		if time.Now().After(deadline) {
			x.Fatalf("%s did not come; the screen is\n%s", what, x.text())
		}
		<-time.After(400 * time.Millisecond)
		x.keys(key)
		<-time.After(50 * time.Millisecond)
	}
}

// paste hands a text to the pane: bracketed as prefix-] does, or not, as
// scripts do.
func (x *tmux) paste(text string, flags ...string) {
	x.Helper()
	file := filepath.Join(x.TempDir(), "text")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		x.Fatal(err)
	}
	x.do("load-buffer", "-b", "test", file)
	x.do(append([]string{"paste-buffer", "-d", "-b", "test"}, flags...)...)
}

// scan looks through what tmux keeps and the files of dtok.
func (x *tmux) scan(s *session) {
	x.Helper()
	s.mustNotBeShown(x, "tmux's history", []byte(x.history()))
	s.mustNotBeIn(x, "tmux's buffers", []byte(x.buffers()))
	s.scanFolder(x.state)
}
