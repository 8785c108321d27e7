package ui

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

// TestClipboard_secretByTmux: what tmux allows decides where a secret goes and
// what is said of it.
func TestClipboard_secretByTmux(t *testing.T) {
	const text = canaryHMAC
	osc := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x07"
	both := osc + "\x1bPtmux;\x1b" + osc + "\x1b\\"
	for _, c := range []struct {
		set, through string
		deaf         bool
		want         wentTo
		note, err    string
	}{
		{set: "on", through: "0", want: wentTo{tmux: text, terminal: both},
			note: "copied to a tmux buffer, and sent on to the terminal, which may have ignored it; tmux and clipboard managers may keep it"},
		{set: "on", through: "on", deaf: true, want: wentTo{terminal: both},
			note: "sent through tmux to the terminal, which may have ignored it; then select the text; tmux and clipboard managers may keep it"},
		{set: "on", through: "off", deaf: true, want: wentTo{terminal: both},
			err: "no clipboard here: tmux has not taken it, although its set-clipboard is on; select the text instead"},
		{set: "external", through: "0",
			err: "no clipboard here: tmux takes nothing while its set-clipboard is external (tmux set -s set-clipboard on allows it); select the text instead"},
		{set: "off", through: "off",
			err: "no clipboard here: tmux takes nothing while its set-clipboard is off (tmux set -s set-clipboard on allows it); select the text instead"},
		{set: "external", through: "all", want: wentTo{terminal: both},
			note: "sent through tmux to the terminal, which may have ignored it; then select the text; clipboard managers may keep it"},
		{set: "external", through: "", want: wentTo{terminal: both},
			note: "sent through tmux to the terminal, which may have ignored it; then select the text; clipboard managers may keep it"},
	} {
		t.Run(c.set+","+c.through, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				run := &clipboardRun{t: t, set: c.set, through: c.through, deaf: c.deaf}
				clip := clipboardIn(ClipboardEnv{SSH: true, Tmux: true, Pane: "%1", Term: "tmux-256color"}, run)
				copied, err := clip.Copy(t.Context(), []byte(text), true)
				if copied.Note != c.note || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
					t.Errorf("%q, %v", copied.Note, err)
				}
				if got := run.went(); got != c.want {
					t.Errorf("went to %#v, want %#v", got, c.want)
				}
			})
		})
	}
}

// TestClipboard_clear: only what still holds the secret is cleared.
func TestClipboard_clear(t *testing.T) {
	const text, other = canaryHMAC, "something else"
	desk := ClipboardEnv{Display: true, Term: "xterm"}
	ssh := ClipboardEnv{SSH: true, Term: "xterm"}
	inTmux := ClipboardEnv{SSH: true, Tmux: true, Term: "tmux-256color"}
	empty := "\x1b]52;c;\x07"
	inBuffer := tmuxBuffer{"buffer0", text}
	mine := tmuxBuffer{"mine", other}
	sameSize := tmuxBuffer{"a b", strings.Repeat("x", len(text))}
	for _, c := range []struct {
		name      string
		env       ClipboardEnv
		asked     bool
		then      func(*clipboardRun) // between the copy and the clearing
		want      wentTo
		left      bool
		note, err string
	}{
		{name: "desktop", env: desk, asked: true, note: "the clipboard of this machine still held it and is empty now"},
		{name: "desktop, in time", env: desk, note: "the clipboard of this machine still held it and is empty now"},
		{name: "desktop, another text", env: desk, asked: true, then: func(r *clipboardRun) { r.machine = other },
			want: wentTo{native: other}, note: "the clipboard of this machine holds something else by now, and was left alone"},
		{name: "desktop, more around it", env: desk, then: func(r *clipboardRun) { r.machine = text + "\n" },
			want: wentTo{native: text + "\n"}, note: "the clipboard of this machine holds something else by now, and was left alone"},
		{name: "desktop, nothing to read", env: desk, then: func(r *clipboardRun) { r.machine, r.machineErr = "", exitStatus1(t) },
			err: "the clipboard of this machine is empty or cannot be read (exit status 1)"},
		{name: "desktop, program gone", env: desk, then: func(r *clipboardRun) { r.machineErr = errNoProgram },
			want: wentTo{native: text}, err: errNoProgram.Error()},
		{name: "terminal, asked", env: ssh, asked: true, want: wentTo{terminal: empty},
			note: "the terminal was asked to empty its clipboard, which it may have ignored"},
		{name: "terminal, in time", env: ssh, left: true,
			note: "the terminal's clipboard may still hold it: Y overwrites it, dtok cannot look"},
		{name: "tmux on the near side", env: ClipboardEnv{SSH: true, Term: "tmux-256color"}, asked: true,
			want: wentTo{terminal: "\x1b]52;c;IA==\x07"},
			note: "the terminal was asked to empty its clipboard, which it may have ignored; a tmux on your side keeps what was copied: tmux delete-buffer there"},
		{name: "tmux, asked", env: inTmux, asked: true, want: wentTo{terminal: "[ ]" + empty + "\x1bPtmux;\x1b" + empty + "\x1b\\"},
			note: "deleted the tmux buffer buffer0; the terminal was asked to empty its clipboard, which it may have ignored"},
		{name: "tmux, in time", env: inTmux, left: true,
			note: "deleted the tmux buffer buffer0; the terminal's clipboard may still hold it: Y overwrites it, dtok cannot look"},
		{name: "tmux, buffers of others", env: inTmux, left: true, then: func(r *clipboardRun) { r.buffers = []tmuxBuffer{mine, inBuffer, sameSize} },
			want: wentTo{tmux: mine.text + sameSize.text},
			note: "deleted the tmux buffer buffer0; the terminal's clipboard may still hold it: Y overwrites it, dtok cannot look"},
		{name: "tmux, the same name", env: inTmux, left: true, then: func(r *clipboardRun) { r.buffers = []tmuxBuffer{{"buffer0", other}} },
			want: wentTo{tmux: other},
			note: "no tmux buffer holds it; the terminal's clipboard may still hold it: Y overwrites it, dtok cannot look"},
		{name: "tmux gone", env: inTmux, asked: true, then: func(r *clipboardRun) { r.tmuxErr = errors.New("no server") },
			want: wentTo{tmux: text, terminal: empty}, err: "tmux could not be asked: no server, and tmux could not be asked: no server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := &clipboardRun{t: t, set: "on", through: "0"}
			if !c.env.Tmux {
				run.set = ""
			}
			clip := clipboardIn(c.env, run)
			copied, err := clip.Copy(t.Context(), []byte(text), true)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(fmt.Sprintf("%v %+v %#v", copied, copied.Trace, *copied.Trace), text[:8]) {
				t.Error("the trace holds the text")
			}
			run.terminal = ""
			if c.then != nil {
				c.then(run)
			}
			cleared, err := clip.Clear(t.Context(), []Trace{*copied.Trace}, c.asked)
			if cleared.Note != c.note || cleared.Left != c.left || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("%+v, %v", cleared, err)
			}
			if c.err != "" {
				c.want.terminal = run.terminal // an error promises nothing of it
			}
			if got := run.went(); got != c.want {
				t.Errorf("left %#v, want %#v", got, c.want)
			}
		})
	}
}

// TestClipboard_clearAll: tmux has a buffer of each copy.
func TestClipboard_clearAll(t *testing.T) {
	run := &clipboardRun{t: t, set: "on", through: "0"}
	clip := clipboardIn(ClipboardEnv{SSH: true, Tmux: true, Term: "tmux-256color"}, run)
	var traces []Trace
	for _, text := range []string{canaryHMAC, "password=\"" + canaryHMAC + "\""} {
		copied, err := clip.Copy(t.Context(), []byte(text), true)
		if err != nil {
			t.Fatal(err)
		}
		traces = append(traces, *copied.Trace)
	}
	run.add("", "kept")
	cleared, err := clip.Clear(t.Context(), traces, false)
	if err != nil || !strings.HasPrefix(cleared.Note, "deleted the tmux buffers buffer0, buffer1;") || run.went().tmux != "kept" {
		t.Errorf("%+v, %v, %q", cleared, err, run.buffers)
	}
}
