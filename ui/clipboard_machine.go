package ui

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
)

// machineClipboard is the clipboard of the machine that dtok runs on.
// Where a program does it, the end of ctx ends that.
type machineClipboard struct {
	write func(ctx context.Context, text string) error
	read  func(ctx context.Context) (string, error)
}

var errNoProgram = errors.New("no clipboard program (wl-copy, xclip or xsel)")

func (c *Clipboard) copyToMachine(ctx context.Context, text []byte) error {
	copied := string(text)
	_, err := onMachine(ctx, c, func(ctx context.Context) (string, error) { return "", c.machine.write(ctx, copied) })
	return c.machineTrouble(err)
}

// onMachine uses the clipboard in a goroutine of its own, because a library
// cannot be cancelled. However often that hangs, there is one at a time.
func onMachine(ctx context.Context, c *Clipboard, program func(context.Context) (string, error)) (string, error) {
	ctx, cancel := c.limit(ctx)
	defer cancel()
	select {
	case c.running <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := withoutPanic(func() (string, error) { return program(ctx) })
		<-c.running
		done <- result{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// withoutPanic turns a panic, which would end dtok with the terminal in raw
// mode, into an error.
func withoutPanic(program func() (string, error)) (text string, err error) {
	defer func() {
		if recover() != nil {
			text, err = "", errors.New("the clipboard program could not be run")
		}
	}()
	return program()
}

// machineTrouble says why in words: a program leaves "exit status 1". What it
// printed is not looked at, because the child that owns the clipboard would
// keep that pipe open.
func (c *Clipboard) machineTrouble(err error) error {
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, errNoProgram):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the clipboard program did not answer within %v", programLimit)
	case errors.Is(err, context.Canceled):
		return errors.New("the copy was cancelled")
	case errors.As(err, &exit), errors.Is(err, syscall.EPIPE):
		if !c.env.Display {
			return errors.New("no graphical display: DISPLAY and WAYLAND_DISPLAY are not set")
		}
		return fmt.Errorf("the clipboard program failed, most likely for want of a display it can reach (%w)", err)
	}
	return fmt.Errorf("the clipboard program could not be run: %w", err)
}

// clearMachine empties the clipboard of this machine if it still holds one of
// the secrets, and says what it found.
func (c *Clipboard) clearMachine(ctx context.Context, traces []Trace) (string, error) {
	held, err := onMachine(ctx, c, c.machine.read)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		// The programs end like this too when there is nothing to read.
		return "", fmt.Errorf("the clipboard of this machine is empty or cannot be read (%w)", err)
	case err != nil:
		return "", c.machineTrouble(err)
	case !recognised(traces, []byte(held)):
		return "the clipboard of this machine holds something else by now, and was left alone", nil
	}
	if err := c.copyToMachine(ctx, nil); err != nil {
		return "", err
	}
	return "the clipboard of this machine still held it and is empty now", nil
}
