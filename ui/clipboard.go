package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"dtok/kafka"
)

// ClipboardEnv is what the environment says of where a clipboard can be.
type ClipboardEnv struct {
	// SSH: the person sits at another machine, whose clipboard is meant.
	SSH bool
	// Tmux and Screen: dtok runs inside one of these.
	Tmux, Screen bool
	// Pane is TMUX_PANE, whose options say what tmux lets through.
	Pane string
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
		Pane:   getenv("TMUX_PANE"),
		Display: has("DISPLAY") || has("WAYLAND_DISPLAY") ||
			runtime.GOOS == "darwin" || runtime.GOOS == "windows",
		Term: getenv("TERM"),
	}
}

// Clipboard copies text to where the person sits, and takes a secret off it
// again. It reads a clipboard for that alone, and keeps nothing of it.
type Clipboard struct {
	env      ClipboardEnv
	terminal io.Writer
	machine  machineClipboard
	// tmux runs a tmux command with a text as its standard input.
	tmux func(ctx context.Context, input []byte, args ...string) ([]byte, error)
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
		machine:  newMachineClipboard(),
		tmux:     runTmux,
		limit: func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, programLimit)
		},
		running: make(chan struct{}, 1),
	}
}

// programLimit is how long a clipboard program, or tmux, may take. xclip waits
// for ever on an X server that does not answer.
const programLimit = 2 * time.Second

// Copied is what became of a copy.
type Copied struct {
	// Note says it in words, to be put after what was copied.
	Note string
	// Trace finds a secret on the clipboard again; nil for other texts.
	Trace *Trace
}

// Trace is where a copied secret went and what recognises it there. It does not
// hold the secret.
type Trace struct {
	print kafka.Fingerprint
	size  int
	// machine: this machine's clipboard took it. tmux: a tmux buffer may have
	// it. terminal: it was sent to the terminal, which tells nothing of its
	// clipboard.
	machine, tmux, terminal bool
}

// unseen reports whether it may be where nobody can look.
func (t *Trace) unseen() bool { return t.terminal }

// traced adds a trace to the note of a secret.
func traced(note string, text []byte, secret bool, t Trace) Copied {
	if !secret {
		return Copied{Note: note}
	}
	t.print, t.size = kafka.NewFingerprint(text), len(text)
	return Copied{Note: note, Trace: &t}
}

// Copy puts text on the clipboard and says in words what became of it: a
// terminal never tells whether it obeyed. secret is set for an HMAC, which goes
// nowhere but to a clipboard. The error says why nothing was copied, and the way
// out. A clipboard program gets two seconds, or until ctx ends; a terminal as
// long as it needs. The caller may overwrite text afterwards.
func (c *Clipboard) Copy(ctx context.Context, text []byte, secret bool) (Copied, error) {
	if len(text) == 0 {
		return Copied{}, errors.New("there is nothing to copy")
	}
	var trouble error
	if c.machineFirst() {
		if trouble = c.copyToMachine(ctx, text); trouble == nil {
			return traced("copied to the clipboard of this machine"+keepers(secret, false), text, secret, Trace{machine: true}), nil
		}
		if ctx.Err() != nil {
			return Copied{}, trouble
		}
	}
	copied, err := c.copyAway(ctx, text, secret)
	switch {
	case err != nil && trouble != nil:
		return Copied{}, fmt.Errorf("no clipboard here: %w, and %w; select the text instead", trouble, err)
	case err != nil:
		return Copied{}, fmt.Errorf("no clipboard here: %w; select the text instead", err)
	case trouble != nil:
		copied.Note += " (here: " + trouble.Error() + ")"
	}
	return copied, nil
}

// copyAway copies to where the terminal is, by way of tmux in tmux.
func (c *Clipboard) copyAway(ctx context.Context, text []byte, secret bool) (Copied, error) {
	switch {
	case c.env.Tmux && secret:
		return c.copySecretByTmux(ctx, text)
	case c.env.Tmux && c.loadToTmux(ctx, text) == nil:
		return Copied{Note: "copied to a tmux buffer and sent to the terminal, which may have ignored it"}, nil
	}
	return c.copyToTerminal(text, secret)
}

// machineFirst reports whether this machine's clipboard is the person's. Over
// SSH it is not. In tmux and screen it is when there is a display: they ignore
// OSC 52 unless they are told to pass it on.
func (c *Clipboard) machineFirst() bool {
	return !c.env.SSH && (c.env.Display || !c.env.Tmux && !c.env.Screen)
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
