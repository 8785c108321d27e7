package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// runTmux runs a tmux command. A secret may be its input and its output, and
// never among its arguments, which everybody can read.
func runTmux(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "tmux", args...) //nolint:gosec // the arguments are dtok's own, and names of buffers
	cmd.Stdin = bytes.NewReader(input)
	cmd.WaitDelay = 100 * time.Millisecond
	return cmd.Output()
}

func (c *Clipboard) askTmux(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	ctx, cancel := c.limit(ctx)
	defer cancel()
	return c.tmux(ctx, input, args...)
}

// loadToTmux works with tmux as it comes, which ignores OSC 52; -w (tmux 3.2)
// passes the text on to the terminal. tmux keeps the buffer, so it is not for
// secrets.
func (c *Clipboard) loadToTmux(ctx context.Context, text []byte) error {
	_, err := c.askTmux(ctx, text, "load-buffer", "-w", "-")
	return err
}

// tmuxLets is what tmux lets a program do with a clipboard.
type tmuxLets struct {
	// takes: tmux keeps the text in a buffer and sends it on. set is the value
	// of set-clipboard, which decides.
	takes bool
	set   string
	// passes: tmux sends a wrapped sequence on as it is.
	passes bool
}

func (c *Clipboard) tmuxLets(ctx context.Context) (tmuxLets, error) {
	args := []string{"display-message", "-p"}
	if c.env.Pane != "" {
		args = append(args, "-t", c.env.Pane)
	}
	out, err := c.askTmux(ctx, nil, append(args, "#{set-clipboard} #{allow-passthrough}")...)
	if err != nil {
		return tmuxLets{}, err
	}
	set, through, ok := strings.Cut(strings.TrimRight(string(out), "\n"), " ")
	if !ok || set == "" {
		return tmuxLets{}, errors.New("this tmux does not tell its options")
	}
	// Before 3.3 there was no allow-passthrough, and everything was passed on.
	return tmuxLets{takes: set == "on", set: set, passes: through != "0" && through != "off"}, nil
}

// copySecretByTmux sends a secret the way that the person has allowed, because
// tmux keeps what it is given, and looks whether tmux has taken it.
func (c *Clipboard) copySecretByTmux(ctx context.Context, text []byte) (Copied, error) {
	lets, err := c.tmuxLets(ctx)
	if err == nil && !lets.takes && !lets.passes {
		return Copied{}, fmt.Errorf("tmux takes nothing while its set-clipboard is %s (tmux set -s set-clipboard on allows it)", lets.set)
	}
	note, sending := c.sendOSC52(text)
	if sending != nil {
		return Copied{}, sending
	}
	copied := traced(note+keepers(true, true), text, true, Trace{tmux: true, terminal: true})
	if err != nil {
		return copied, nil
	}
	taken := lets.takes && c.awaitBuffer(ctx, *copied.Trace)
	switch {
	case taken:
		note = "copied to a tmux buffer, and sent on to the terminal, which may have ignored it"
	case lets.passes:
		note = "sent through tmux to the terminal, which may have ignored it; then select the text"
		copied.Trace.tmux = lets.takes
	default:
		return Copied{}, errors.New("tmux has not taken it, although its set-clipboard is on")
	}
	copied.Note = note + keepers(true, copied.Trace.tmux)
	return copied, nil
}

// tmuxTakes is how long tmux gets to read what it was sent, and between looks.
const (
	tmuxTakes = time.Second
	tmuxLook  = 20 * time.Millisecond
)

// awaitBuffer waits until a buffer holds the secret that was sent.
func (c *Clipboard) awaitBuffer(ctx context.Context, t Trace) bool {
	ctx, cancel := context.WithTimeout(ctx, tmuxTakes)
	defer cancel()
	for {
		if names, err := c.buffersWith(ctx, []Trace{t}); err != nil || len(names) > 0 {
			return err == nil
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(tmuxLook):
		}
	}
}

// buffersWith names the buffers that hold one of the secrets. Only those of the
// right length are read.
func (c *Clipboard) buffersWith(ctx context.Context, traces []Trace) ([]string, error) {
	list, err := c.askTmux(ctx, nil, "list-buffers", "-F", "#{buffer_size} #{buffer_name}")
	if err != nil {
		return nil, tmuxTrouble(err)
	}
	var names []string
	for line := range strings.Lines(string(list)) {
		length, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		size, err := strconv.Atoi(length)
		if err != nil || !sizeOfOne(traces, size) {
			continue
		}
		text, err := c.askTmux(ctx, nil, "save-buffer", "-b", name, "-")
		if err != nil {
			continue // gone since
		}
		if recognised(traces, text) {
			names = append(names, name)
		}
		clear(text)
	}
	return names, nil
}

// clearTmux deletes the buffers that still hold one of the secrets.
func (c *Clipboard) clearTmux(ctx context.Context, traces []Trace) (string, error) {
	names, err := c.buffersWith(ctx, traces)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if _, err := c.askTmux(ctx, nil, "delete-buffer", "-b", name); err != nil {
			return "", tmuxTrouble(err)
		}
	}
	if len(names) == 0 {
		return "no tmux buffer holds it", nil
	}
	if len(names) > 1 {
		return "deleted the tmux buffers " + strings.Join(names, ", "), nil
	}
	return "deleted the tmux buffer " + strings.Join(names, ", "), nil
}

// blankBuffer is a buffer for a moment, to overwrite a terminal's clipboard.
const blankBuffer = "dtok-blank"

// overwriteByTmux overwrites the clipboard of tmux's terminal with a blank: tmux
// sends no empty text.
func (c *Clipboard) overwriteByTmux(ctx context.Context) error {
	if _, err := c.askTmux(ctx, []byte(" "), "load-buffer", "-w", "-b", blankBuffer, "-"); err != nil {
		return tmuxTrouble(err)
	}
	if _, err := c.askTmux(ctx, nil, "delete-buffer", "-b", blankBuffer); err != nil {
		return tmuxTrouble(err)
	}
	return nil
}

func tmuxTrouble(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("tmux did not answer within %v", programLimit)
	}
	return fmt.Errorf("tmux could not be asked: %w", err)
}
