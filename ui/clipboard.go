package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/atotto/clipboard"
	"github.com/aymanbagabas/go-osc52/v2"
)

// ClipboardEnv is what the environment says of where a clipboard can be.
type ClipboardEnv struct {
	// SSH: the person sits at another machine, whose clipboard is meant.
	SSH bool
	// Tmux and Screen: dtok runs inside one of these.
	Tmux, Screen bool
	// Display: this machine has a graphical session to own a clipboard.
	Display bool
	// Term is TERM.
	Term string
}

// ClipboardEnvFrom reads the environment through getenv, such as os.Getenv.
func ClipboardEnvFrom(getenv func(string) string) ClipboardEnv {
	has := func(name string) bool { return getenv(name) != "" }
	return ClipboardEnv{
		SSH:    has("SSH_CONNECTION") || has("SSH_TTY"),
		Tmux:   has("TMUX"),
		Screen: has("STY"),
		Display: has("DISPLAY") || has("WAYLAND_DISPLAY") ||
			runtime.GOOS == "darwin" || runtime.GOOS == "windows",
		Term: getenv("TERM"),
	}
}

const (
	// nativeLimit is how long a clipboard program may take. xclip waits
	// for ever on an X server that does not answer.
	nativeLimit = 2 * time.Second
	// osc52Limit bounds the base64 text: what xterm and hterm take at most.
	osc52Limit = 74994
	// osc52Doubt is the length from which terminals are known to cut or drop
	// the text.
	osc52Doubt = 8192
)

// Clipboard copies text to where the person sits. It never reads a clipboard.
type Clipboard struct {
	env      ClipboardEnv
	terminal io.Writer
	// native fills this machine's clipboard.
	native func(text string) error
	// loadBuffer hands text to tmux, which keeps it.
	loadBuffer func(ctx context.Context, text []byte) error
	// limit gives a context for one call of a program.
	limit func(context.Context) (context.Context, context.CancelFunc)

	// running holds one entry while a clipboard program runs.
	running chan struct{}
}

// NewClipboard returns a Clipboard for env. terminal takes the OSC 52 sequence
// in one Write; it must be the very writer that Bubble Tea draws through (see
// TerminalOutput), or nil where there is no terminal.
func NewClipboard(env ClipboardEnv, terminal io.Writer) *Clipboard {
	return &Clipboard{
		env:      env,
		terminal: terminal,
		native: func(text string) error {
			if clipboard.Unsupported {
				return errNoProgram
			}
			return clipboard.WriteAll(text)
		},
		loadBuffer: tmuxLoadBuffer,
		limit: func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, nativeLimit)
		},
		running: make(chan struct{}, 1),
	}
}

var (
	errNoProgram = errors.New("no clipboard program (wl-copy, xclip or xsel)")
	errNoOSC52   = errors.New("this terminal has no way to it")
)

// Copy puts text on the clipboard and says in words what became of it, to be
// put after what was copied: a terminal never tells whether it obeyed. secret
// is set for an HMAC, which goes nowhere but to a clipboard. The error says why
// nothing was copied. A clipboard program gets two seconds, or until ctx ends; a
// terminal as long as it needs. The caller may overwrite text afterwards.
func (c *Clipboard) Copy(ctx context.Context, text []byte, secret bool) (string, error) {
	if len(text) == 0 {
		return "", errors.New("there is nothing to copy")
	}
	var trouble error
	if c.nativeFirst() {
		if trouble = c.copyNative(ctx, text); trouble == nil {
			return "copied to the clipboard of this machine" + keepers(secret, false), nil
		}
		if ctx.Err() != nil {
			return "", trouble
		}
	}
	if c.env.Tmux && !secret && c.loadToTmux(ctx, text) == nil {
		return "copied to a tmux buffer and sent to the terminal, which may have ignored it", nil
	}
	note, err := c.sendOSC52(text, secret)
	switch {
	case err != nil && trouble != nil:
		return "", fmt.Errorf("no clipboard here: %w, and %w; select the text instead", trouble, err)
	case err != nil:
		return "", fmt.Errorf("no clipboard here: %w; select the text instead", err)
	case trouble != nil:
		note += " (here: " + trouble.Error() + ")"
	}
	return note, nil
}

// nativeFirst reports whether this machine's clipboard is the person's. Over
// SSH it is not. In tmux and screen it is when there is a display: they ignore
// OSC 52 unless they are told to pass it on.
func (c *Clipboard) nativeFirst() bool {
	return !c.env.SSH && (c.env.Display || !c.env.Tmux && !c.env.Screen)
}

// copyNative runs the clipboard program, which atotto cannot cancel, in a
// goroutine of its own. However often one hangs, there is one at a time.
func (c *Clipboard) copyNative(ctx context.Context, text []byte) error {
	ctx, cancel := c.limit(ctx)
	defer cancel()
	select {
	case c.running <- struct{}{}:
	case <-ctx.Done():
		return c.nativeTrouble(ctx.Err())
	}
	done := make(chan error, 1)
	copied := string(text)
	go func() {
		err := guardedCopy(c.native, copied)
		<-c.running
		done <- err
	}()
	select {
	case err := <-done:
		return c.nativeTrouble(err)
	case <-ctx.Done():
		return c.nativeTrouble(ctx.Err())
	}
}

// guardedCopy turns a panic, which would end the program with the terminal in
// raw mode, into an error.
func guardedCopy(native func(string) error, text string) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the clipboard program could not be run")
		}
	}()
	return native(text)
}

// nativeTrouble says why in words: atotto drops what the program printed and
// leaves "exit status 1".
func (c *Clipboard) nativeTrouble(err error) error {
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, errNoProgram):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the clipboard program did not answer within %v", nativeLimit)
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

func (c *Clipboard) loadToTmux(ctx context.Context, text []byte) error {
	ctx, cancel := c.limit(ctx)
	defer cancel()
	return c.loadBuffer(ctx, text)
}

// tmuxLoadBuffer works with tmux as it comes, which ignores OSC 52; -w (tmux
// 3.2) passes the text on to the terminal. tmux keeps the buffer, so it is not
// for secrets.
func tmuxLoadBuffer(ctx context.Context, text []byte) error {
	cmd := exec.CommandContext(ctx, "tmux", "load-buffer", "-w", "-")
	cmd.Stdin = bytes.NewReader(text)
	cmd.WaitDelay = 100 * time.Millisecond
	return cmd.Run()
}

// sendOSC52 asks the terminal to fill its clipboard.
func (c *Clipboard) sendOSC52(text []byte, secret bool) (string, error) {
	forms, note := c.osc52Forms()
	if len(forms) == 0 || c.terminal == nil {
		return "", errNoOSC52
	}
	if (len(text)+2)/3*4 > osc52Limit {
		return "", errors.New("the text is too long for a terminal's clipboard")
	}
	sequence := osc52.New(string(text))
	var out []byte
	for _, form := range forms {
		out = append(out, sequence.Mode(form).String()...)
	}
	defer clear(out)
	if _, err := c.terminal.Write(out); err != nil {
		return "", fmt.Errorf("the terminal could not be written to: %w", err)
	}
	if len(text) > osc52Doubt {
		note += "; it is long, and some terminals cut it"
	}
	return note + keepers(secret, c.env.Tmux), nil
}

// osc52Forms are the forms in which the sequence has a chance to arrive, and
// what can be said of it then.
func (c *Clipboard) osc52Forms() ([]osc52.Mode, string) {
	switch {
	case c.env.Tmux:
		// tmux takes the plain form with set-clipboard on, and passes the
		// wrapped one on with allow-passthrough on, as all before 3.3 did.
		return []osc52.Mode{osc52.DefaultMode, osc52.TmuxMode},
			"sent to tmux, which ignores it unless allowed: tmux set -s set-clipboard on"
	case c.env.Screen:
		return []osc52.Mode{osc52.ScreenMode},
			"sent through screen to the terminal, which may have ignored it"
	case strings.HasPrefix(c.env.Term, "screen"):
		// GNU screen or tmux on the near side of an SSH connection: its
		// variables do not come along.
		return []osc52.Mode{osc52.DefaultMode, osc52.ScreenMode},
			"sent to the terminal, which may have ignored it (in tmux: tmux set -s set-clipboard on)"
	case slices.Contains([]string{"", "dumb", "unknown", "linux", "vt52", "vt100", "vt102", "vt220"}, c.env.Term):
		// These would print the sequence, and the secret with it.
		return nil, ""
	}
	return []osc52.Mode{osc52.DefaultMode}, "sent to the terminal, which may have ignored it"
}

// keepers says where a copied secret may stay.
func keepers(secret, tmux bool) string {
	switch {
	case !secret:
		return ""
	case tmux:
		return "; tmux and clipboard managers may keep it"
	}
	return "; clipboard managers may keep it"
}
