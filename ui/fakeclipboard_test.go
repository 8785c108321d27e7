package ui

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// clipboardRun is the world around a Clipboard: this machine's clipboard, a tmux
// server and a terminal.
type clipboardRun struct {
	t          *testing.T
	machine    string
	machineErr error
	// buffers are tmux's, the oldest first; set and through are its options.
	buffers      []tmuxBuffer
	made         int
	set, through string
	deaf         bool // it reads nothing of what is sent to it
	tmuxErr      error
	terminal     string
	writes       int
}

type tmuxBuffer struct{ name, text string }

// wentTo is where a copy can be afterwards.
type wentTo struct{ native, tmux, terminal string }

func (r *clipboardRun) went() wentTo {
	w := wentTo{native: r.machine, terminal: r.terminal}
	for _, b := range r.buffers {
		w.tmux += b.text
	}
	return w
}

// Write is the terminal, or tmux before it.
func (r *clipboardRun) Write(p []byte) (int, error) {
	r.terminal += string(p)
	r.writes++
	for _, text := range osc52Texts(r.t, string(p)) {
		if r.set == "on" && !r.deaf && text != "" { // tmux passes over an empty one
			r.add("", text)
		}
	}
	return len(p), nil
}

func (r *clipboardRun) add(name, text string) {
	if name == "" {
		name = fmt.Sprintf("buffer%d", r.made)
		r.made++
	}
	r.drop(name)
	r.buffers = append(r.buffers, tmuxBuffer{name, text})
}

func (r *clipboardRun) drop(name string) {
	r.buffers = slices.DeleteFunc(r.buffers, func(b tmuxBuffer) bool { return b.name == name })
}

// tmux answers the commands that dtok uses as tmux 3.3a does.
func (r *clipboardRun) tmux(_ context.Context, input []byte, args ...string) ([]byte, error) {
	if strings.Contains(strings.Join(args, " "), canaryHMAC[:8]) {
		r.t.Errorf("the HMAC is an argument of tmux: %q", args)
	}
	if r.tmuxErr != nil {
		return nil, r.tmuxErr
	}
	option := func(flag string) string {
		if at := slices.Index(args, flag); at >= 0 {
			return args[at+1]
		}
		return ""
	}
	switch args[0] {
	case "display-message":
		return []byte(r.set + " " + r.through + "\n"), nil
	case "load-buffer":
		r.add(option("-b"), string(input))
		if slices.Contains(args, "-w") {
			r.terminal += "[" + string(input) + "]"
		}
		return nil, nil
	case "list-buffers":
		var out strings.Builder
		for _, b := range r.buffers {
			fmt.Fprintf(&out, "%d %s\n", len(b.text), b.name)
		}
		return []byte(out.String()), nil
	case "save-buffer":
		for _, b := range r.buffers {
			if b.name == option("-b") {
				return []byte(b.text), nil
			}
		}
		return nil, errors.New("no buffer")
	case "delete-buffer":
		r.drop(option("-b"))
		return nil, nil
	}
	r.t.Errorf("tmux %q", args)
	return nil, errors.New("unknown command")
}

// osc52Texts are the texts that a program asks tmux to take in the plain form.
func osc52Texts(t *testing.T, stream string) []string {
	var texts []string
	for _, m := range regexp.MustCompile(`(^|[^\x1b])\x1b\]52;c;([A-Za-z0-9+/=]*)\x07`).FindAllStringSubmatch(stream, -1) {
		text, err := base64.StdEncoding.DecodeString(m[2])
		if err != nil {
			t.Errorf("not base64: %v", err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

func newTestClipboard(env ClipboardEnv, machineErr, tmuxErr error) (*Clipboard, *clipboardRun) {
	run := &clipboardRun{machineErr: machineErr, tmuxErr: tmuxErr}
	return clipboardIn(env, run), run
}

func clipboardIn(env ClipboardEnv, run *clipboardRun) *Clipboard {
	c := NewClipboard(env, run)
	c.machine = machineClipboard{
		write: func(_ context.Context, text string) error {
			if run.machineErr == nil {
				run.machine = text
			}
			return run.machineErr
		},
		read: func(context.Context) (string, error) { return run.machine, run.machineErr },
	}
	c.tmux = run.tmux
	return c
}
