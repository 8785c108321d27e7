//go:build unix

package config

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A command that is ended takes the processes along that it has started: a
// pipe that they hold open gets its end.
func TestPasswordCommandLeavesNothing(t *testing.T) {
	f := mustLoad(t, signIn("    password_command: [sh, script]\n    timeouts: {password: 1h}\n"),
		"script", "exec 3>pipe\nsleep 300 &\necho started >&3\nwait\n")
	t.Chdir(filepath.Dir(f.Path))
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := f.Environments[0].Connection(ctx)
		done <- err
	}()
	pipe, err := os.Open("pipe")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pipe.Close() }()
	r := bufio.NewReader(pipe)
	if line, err := r.ReadString('\n'); line != "started\n" {
		t.Fatalf("%q %v", line, err)
	}
	cancel()
	if err := <-done; err == nil || !strings.HasSuffix(err.Error(), "the command was cancelled") {
		t.Error(err)
	}
	if rest, err := io.ReadAll(r); len(rest) > 0 || err != nil {
		t.Errorf("%q %v", rest, err)
	}
}

// A helper that a command leaves behind, such as an agent, may hold the
// command's output open, and lives on.
func TestPasswordCommandMayLeaveAnAgent(t *testing.T) {
	f := mustLoad(t, signIn("    password_command: [sh, script]\n    timeouts: {password: 1h}\n"), "script", "sh -c 'read line <pipe; echo over >pipe' &\necho agent-secret\n")
	t.Chdir(filepath.Dir(f.Path))
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := f.Environments[0].Connection(context.Background())
	if err != nil || reveal(c.Password) != "agent-secret" {
		t.Fatal(err)
	}
	if err := os.WriteFile("pipe", []byte("go\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if line, err := os.ReadFile("pipe"); string(line) != "over\n" {
		t.Errorf("the agent is gone: %q %v", line, err)
	}
}

// A password file that never answers, such as a pipe without a writer or one on
// a file system that is gone, does not hold dtok for ever.
func TestPasswordFileThatHangs(t *testing.T) {
	f := mustLoad(t, signIn("    password_file: pipe\n    timeouts: {password: 50ms}\n"), "unused", "")
	t.Chdir(filepath.Dir(f.Path))
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := f.Environments[0].Connection(context.Background())
	if err == nil || !strings.HasSuffix(err.Error(), "the file could not be read within 50ms") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	slow := mustLoad(t, signIn("    password_file: "+filepath.Join(filepath.Dir(f.Path), "pipe")+"\n    timeouts: {password: 1h}\n"), "unused", "")
	if _, err := slow.Environments[0].Connection(ctx); err == nil || !strings.HasSuffix(err.Error(), "reading the file was cancelled") {
		t.Error(err)
	}
}
