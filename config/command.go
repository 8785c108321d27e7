package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// askingTime is how long a password file or command may take, when the
// environment does not say.
const askingTime = 10 * time.Second

// maxOutput bounds what such a command may print.
const maxOutput = 64 << 10

// CommandRun is what may be told of a command that was run for a password: not
// what it is, nor what it printed.
type CommandRun struct {
	// Setting is the key that names it, such as "password_command".
	Setting string
	// Status is its exit status, -1 when it has none: it could not be started,
	// or was ended.
	Status int
	Took   time.Duration
}

// runForPassword runs a command, without a shell, and returns what it printed.
// It gets no input and no terminal, since dtok is on it. What it prints is
// part of no message, nor is what it says on its standard error: both can hold
// the password. A command that takes too long is killed with all that it has
// started.
func runForPassword(ctx context.Context, argv []string, limit time.Duration, run *CommandRun) ([]byte, error) {
	if limit == 0 {
		limit = askingTime
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var out limited
	cmd := exec.CommandContext(ctx, expandHome(argv[0]), argv[1:]...) //nolint:gosec // it is what the user's own file names
	cmd.Stdout = &out
	apart(cmd)
	// A helper that it leaves behind may hold its output open.
	cmd.WaitDelay = time.Second
	start := time.Now()
	err := cmd.Run()
	run.Took, run.Status = time.Since(start), cmd.ProcessState.ExitCode()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = problem(fmt.Sprintf("the command took longer than %v and was ended", limit))
	case ctx.Err() != nil:
		err = problem("the command was cancelled")
	case errors.As(err, &exit) && exit.Exited():
		err = problem(fmt.Sprintf("the command failed with status %d (what it printed is not shown)", exit.ExitCode()))
	case errors.As(err, &exit):
		err = problem("the command was ended by a signal (what it printed is not shown)")
	case errors.Is(err, exec.ErrNotFound):
		err = problem("the command is not found in PATH")
	case err != nil:
		err = problem("the command cannot be run: " + cause(err))
	case out.over:
		err = problem("the command prints far more than a password")
	}
	if err != nil {
		clear(out.buf.Bytes())
		return nil, err
	}
	return out.buf.Bytes(), nil
}

// cause is the reason of the operating system, without the argument vector.
func cause(err error) string {
	var e *exec.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return reason(err)
}

// limited keeps the first bytes and forgets the rest, so that the command can
// end.
type limited struct {
	buf  bytes.Buffer
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	if l.buf.Len()+len(p) > maxOutput {
		l.over = true
		return len(p), nil
	}
	return l.buf.Write(p)
}
