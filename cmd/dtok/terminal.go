package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	godebug "runtime/debug"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"

	"dtok/ui"
)

// closing is how long dtok waits at the end for a change that is running. It
// is less than hardExit, so that the outcome is written before that.
const closing = 2 * time.Second

// show runs the screens on the terminal until the person quits or a signal
// comes, and sees to it that every change is recorded before dtok ends.
func show(o ui.Options, all *trails, debug *debugLog) error {
	if err := needTerminal(); err != nil {
		return err
	}
	output := ui.NewTerminalOutput(os.Stdout)
	console, err := newConsole(output, o.Accessible)
	if err != nil {
		return err
	}
	signals := untilSignal(context.Background(), false, func(s syscall.Signal) {
		abandon(console.before)
		exit(128 + int(s))
	})
	defer signals.stop()
	debug.signals(signals)
	// Requests outlive the screens for a moment: a change that is on its way
	// when the terminal goes may still get its answer.
	work, stopWork := context.WithCancel(context.Background())
	defer stopWork()

	// A list of 100 000 tokens is garbage after the next reading: collecting it
	// sooner keeps a third of the memory free and costs nothing that one feels.
	if os.Getenv("GOGC") == "" {
		godebug.SetGCPercent(50)
	}
	o.Context = work
	clipboard := ui.NewClipboard(ui.ClipboardEnvFrom(os.Getenv), output)
	o.Copy, o.Clear = clipboard.Copy, clipboard.Clear
	o.Save = func(path string, text []byte) error { return saveSecret(inHome(path), text) }
	o.AuditTrouble = all.trouble
	screen := ui.New(o)
	g := &guard{screen: screen, painter: console.painter, console: console}
	options := append(console.options(), tea.WithOutput(output), tea.WithContext(signals), tea.WithoutSignalHandler())
	program := tea.NewProgram(g, options...)
	g.kill = program.Kill

	console.open(program.Send)
	_, err = program.Run()
	console.close()
	limit, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	unwritten := all.close(limit)
	for _, text := range all.late() {
		_, _ = fmt.Fprintln(os.Stderr, "dtok: note:", printable(text))
	}
	leaveClipboard(os.Stderr, screen)
	stopWork()
	screen.Close()
	return together(howItEnded(err, g.crash, context.Cause(signals)), unwritten)
}

// clipboardClosing is how long clearing the clipboard may take at the end. With
// closing it is less than hardExit.
const clipboardClosing = 700 * time.Millisecond

// leaveClipboard says what of an HMAC is left on the clipboard.
func leaveClipboard(w io.Writer, screen *ui.Model) {
	limit, cancel := context.WithTimeout(context.Background(), clipboardClosing)
	defer cancel()
	if text := screen.LeaveClipboard(limit); text != "" {
		_, _ = fmt.Fprintln(w, "dtok: note:", printable(text))
	}
}

// howItEnded tells a signal and a crash from what Bubble Tea says of both,
// which is that the program was killed.
func howItEnded(err error, c *crash, cause error) error {
	var by *signalled
	switch {
	case c != nil:
		return c
	case errors.As(cause, &by):
		return by
	case err != nil:
		return fmt.Errorf("the terminal cannot be used any more: %w", err)
	}
	return nil
}

// needTerminal refuses to start where nobody could see or type anything.
// Bubble Tea would open /dev/tty for its input instead.
func needTerminal() error {
	what := ""
	switch {
	case !term.IsTerminal(os.Stdin.Fd()):
		what = "standard input"
	case !term.IsTerminal(os.Stdout.Fd()):
		what = "standard output"
	default:
		return nil
	}
	return &hinted{
		errors.New("dtok draws on a terminal, and " + what + " is none"),
		"over ssh add -t, with docker run add -it; dtok tokens, users, create, renew and expire need no terminal, for scripts and cron",
	}
}

// abandon restores what it can of a terminal that takes no more bytes: its
// modes at once, and its screen if it takes the sequence in time.
func abandon(before *term.State) {
	_ = term.Restore(os.Stdin.Fd(), before)
	written := make(chan struct{})
	go func() {
		// The screen wiped, bracketed paste off, cursor on, the normal screen.
		_, _ = os.Stdout.WriteString("\x1b[0m\x1b[2J\x1b[?2004l\x1b[?25h\x1b[?1049l")
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(200 * time.Millisecond):
	}
}
