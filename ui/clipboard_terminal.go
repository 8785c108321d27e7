package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-osc52/v2"
)

const (
	// osc52Limit bounds the base64 text: what xterm and hterm take at most.
	osc52Limit = 74994
	// osc52Doubt is the length from which terminals are known to cut or drop
	// the text.
	osc52Doubt = 8192
)

var errNoOSC52 = errors.New("this terminal has no way to it")

// copyToTerminal asks the terminal to fill its clipboard.
func (c *Clipboard) copyToTerminal(text []byte, secret bool) (Copied, error) {
	note, err := c.sendOSC52(text)
	if err != nil {
		return Copied{}, err
	}
	return traced(note+keepers(secret, c.env.Tmux || c.tmuxNear()), text, secret, Trace{terminal: true}), nil
}

func (c *Clipboard) sendOSC52(text []byte) (string, error) {
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
	return note, nil
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
			"sent through screen to the terminal, which may have ignored it; then select the text"
	case strings.HasPrefix(c.env.Term, "screen"):
		// GNU screen or tmux on the near side of an SSH connection: its
		// variables do not come along.
		return []osc52.Mode{osc52.DefaultMode, osc52.ScreenMode},
			"sent to the terminal, which may have ignored it (in tmux: tmux set -s set-clipboard on)"
	case slices.Contains([]string{"", "dumb", "unknown", "linux", "vt52", "vt100", "vt102", "vt220"}, c.env.Term):
		// These would print the sequence, and the secret with it.
		return nil, ""
	case c.tmuxNear():
		return []osc52.Mode{osc52.DefaultMode},
			"sent to the terminal, which may have ignored it (in tmux: tmux set -s set-clipboard on)"
	}
	return []osc52.Mode{osc52.DefaultMode}, "sent to the terminal, which may have ignored it; then select the text"
}

// tmuxNear reports whether tmux may run on the near side of an SSH connection.
func (c *Clipboard) tmuxNear() bool {
	return !c.env.Tmux && !c.env.Screen && (strings.HasPrefix(c.env.Term, "screen") || strings.HasPrefix(c.env.Term, "tmux"))
}

// overwriteTerminal asks the terminal for an empty clipboard.
func (c *Clipboard) overwriteTerminal() (string, error) {
	const note = "the terminal was asked to empty its clipboard, which it may have ignored"
	if !c.tmuxNear() {
		_, err := c.sendOSC52(nil)
		return note, err
	}
	// tmux passes no empty text on, and adds a buffer for this one.
	_, err := c.sendOSC52([]byte(" "))
	return note + "; a tmux on your side keeps what was copied: tmux delete-buffer there", err
}
