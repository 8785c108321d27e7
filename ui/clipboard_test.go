package ui

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// exitStatus1 is the very error a clipboard program without a display leaves.
func exitStatus1(t *testing.T) error {
	err := exec.Command("sh", "-c", "exit 1").Run()
	if err == nil {
		t.Fatal("sh did not fail")
	}
	return err
}

func TestClipboard(t *testing.T) {
	const text = canaryHMAC
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	osc := "\x1b]52;c;" + encoded + "\x07"
	inTmux := "\x1bPtmux;\x1b" + osc + "\x1b\\"
	inScreen := "\x1bP\x1b]52;c;" + encoded[:76] + "\x1b\\\x1bP" + encoded[76:] + "\x07\x1b\\"
	failed := exitStatus1(t)
	desk := ClipboardEnv{Display: true, Term: "xterm-256color"}
	for _, c := range []struct {
		name      string
		env       ClipboardEnv
		secret    bool
		nativeErr error
		tmuxErr   error
		want      wentTo
		note, err string
	}{
		{name: "desktop", env: desk, want: wentTo{native: text},
			note: "copied to the clipboard of this machine"},
		{name: "desktop, secret", env: desk, secret: true, want: wentTo{native: text},
			note: "copied to the clipboard of this machine; clipboard managers may keep it"},
		{name: "SSH fills the near side, not the server", env: ClipboardEnv{SSH: true, Display: true, Term: "xterm-256color"},
			want: wentTo{terminal: osc}, note: "sent to the terminal, which may have ignored it; then select the text"},
		{name: "SSH, secret", env: ClipboardEnv{SSH: true, Term: "xterm"}, secret: true, want: wentTo{terminal: osc},
			note: "sent to the terminal, which may have ignored it; then select the text; clipboard managers may keep it"},
		{name: "tmux on the desktop", env: ClipboardEnv{Tmux: true, Display: true, Term: "tmux-256color"},
			want: wentTo{native: text}, note: "copied to the clipboard of this machine"},
		{name: "tmux over SSH", env: ClipboardEnv{SSH: true, Tmux: true, Term: "screen"},
			want: wentTo{tmux: text, terminal: "[" + text + "]"},
			note: "copied to a tmux buffer and sent to the terminal, which may have ignored it"},
		{name: "a secret in tmux that cannot be asked", env: ClipboardEnv{SSH: true, Tmux: true, Term: "screen"}, secret: true, tmuxErr: failed,
			want: wentTo{terminal: osc + inTmux},
			note: "sent to tmux, which ignores it unless allowed: tmux set -s set-clipboard on; tmux and clipboard managers may keep it"},
		{name: "tmux that is too old", env: ClipboardEnv{Tmux: true, Term: "screen"}, tmuxErr: failed,
			want: wentTo{terminal: osc + inTmux},
			note: "sent to tmux, which ignores it unless allowed: tmux set -s set-clipboard on"},
		{name: "screen", env: ClipboardEnv{Screen: true, Term: "screen.xterm-256color"}, want: wentTo{terminal: inScreen},
			note: "sent through screen to the terminal, which may have ignored it; then select the text"},
		{name: "SSH out of screen or tmux", env: ClipboardEnv{SSH: true, Term: "screen-256color"},
			want: wentTo{terminal: osc + inScreen},
			note: "sent to the terminal, which may have ignored it (in tmux: tmux set -s set-clipboard on)"},
		{name: "no clipboard program", env: ClipboardEnv{Term: "xterm"}, nativeErr: errNoProgram,
			want: wentTo{terminal: osc},
			note: "sent to the terminal, which may have ignored it; then select the text (here: no clipboard program (wl-copy, xclip or xsel))"},
		{name: "no display", env: ClipboardEnv{Term: "xterm"}, nativeErr: failed, want: wentTo{terminal: osc},
			note: "sent to the terminal, which may have ignored it; then select the text (here: no graphical display: DISPLAY and WAYLAND_DISPLAY are not set)"},
		{name: "display out of reach", env: desk, nativeErr: failed, want: wentTo{terminal: osc},
			note: "sent to the terminal, which may have ignored it; then select the text (here: the clipboard program failed, most likely for want of a display it can reach (exit status 1))"},
		{name: "program ends before it reads", env: desk, nativeErr: fmt.Errorf("write |1: %w", syscall.EPIPE), want: wentTo{terminal: osc},
			note: "sent to the terminal, which may have ignored it; then select the text (here: the clipboard program failed, most likely for want of a display it can reach (write |1: broken pipe))"},
		{name: "nowhere", env: ClipboardEnv{Term: "linux"}, nativeErr: failed, secret: true,
			err: "no clipboard here: no graphical display: DISPLAY and WAYLAND_DISPLAY are not set, and this terminal has no way to it; select the text instead"},
		{name: "a console over SSH", env: ClipboardEnv{SSH: true, Term: "dumb"},
			err: "no clipboard here: this terminal has no way to it; select the text instead"},
		{name: "no TERM", env: ClipboardEnv{SSH: true},
			err: "no clipboard here: this terminal has no way to it; select the text instead"},
	} {
		t.Run(c.name, func(t *testing.T) {
			clip, run := newTestClipboard(c.env, c.nativeErr, c.tmuxErr)
			given := []byte(text)
			copied, err := clip.Copy(t.Context(), given, c.secret)
			note := copied.Note
			if (copied.Trace != nil) != (c.secret && err == nil) {
				t.Errorf("trace %v", copied.Trace)
			}
			if note != c.note {
				t.Errorf("note %q, want %q", note, c.note)
			}
			if got := fmt.Sprint(err); c.err == "" != (err == nil) || err != nil && got != c.err {
				t.Errorf("error %q, want %q", got, c.err)
			}
			if strings.Contains(note+fmt.Sprint(err), text[:8]) {
				t.Error("the text is in the answer")
			}
			if string(given) != text {
				t.Error("the caller's text was changed")
			}
			if run.writes > 1 {
				t.Errorf("%d writes to the terminal", run.writes)
			}
			if got := run.went(); got != c.want {
				t.Errorf("went to %#v, want %#v", got, c.want)
			}
		})
	}
}

func TestClipboard_longText(t *testing.T) {
	env := ClipboardEnv{SSH: true, Term: "xterm"}
	for _, c := range []struct {
		size      int
		note, err string
	}{
		{0, "", "there is nothing to copy"},
		{8192, "sent to the terminal, which may have ignored it; then select the text", ""},
		{8193, "sent to the terminal, which may have ignored it; then select the text; it is long, and some terminals cut it", ""},
		{56244, "sent to the terminal, which may have ignored it; then select the text; it is long, and some terminals cut it", ""},
		{56247, "", "no clipboard here: the text is too long for a terminal's clipboard; select the text instead"},
	} {
		clip, _ := newTestClipboard(env, nil, nil)
		copied, err := clip.Copy(t.Context(), bytes.Repeat([]byte("a"), c.size), false)
		if note := copied.Note; note != c.note || err == nil != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%d bytes: %q, %v", c.size, note, err)
		}
	}
}

// A clipboard program that never comes back costs two seconds, and its text is
// not the caller's, who overwrites it.
func TestClipboard_hangingProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clip, run := newTestClipboard(ClipboardEnv{Display: true, Term: "xterm"}, nil, nil)
		release := make(chan struct{})
		var started atomic.Int32
		var took string
		clip.machine.write = func(_ context.Context, text string) error {
			started.Add(1)
			<-release
			took = text
			return nil
		}
		for range 2 { // the second finds the first one hanging
			start := time.Now()
			text := []byte("t-1")
			copied, err := clip.Copy(t.Context(), text, false)
			clear(text)
			if note := copied.Note; err != nil || !strings.HasSuffix(note, "(here: the clipboard program did not answer within 2s)") {
				t.Errorf("%q, %v", note, err)
			}
			if waited := time.Since(start); waited != programLimit {
				t.Errorf("waited %v", waited)
			}
		}
		if started.Load() != 1 || run.writes != 2 {
			t.Errorf("started %d programs, %d writes", started.Load(), run.writes)
		}

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := clip.Copy(ctx, []byte("t-1"), false); err == nil || err.Error() != "the copy was cancelled" {
			t.Errorf("cancelled: %v", err)
		}

		close(release)
		synctest.Wait()
		if took != "t-1" {
			t.Errorf("the program got %q", took)
		}
		if copied, err := clip.Copy(t.Context(), []byte("t-2"), false); err != nil || !strings.HasPrefix(copied.Note, "copied") {
			t.Errorf("afterwards: %q, %v", copied.Note, err)
		}
	})
}

func TestClipboard_panickingProgram(t *testing.T) {
	clip, _ := newTestClipboard(ClipboardEnv{Term: "dumb"}, nil, nil)
	clip.machine.write = func(_ context.Context, text string) error { panic(text) }
	_, err := clip.Copy(t.Context(), []byte("t-1"), true)
	if err == nil || strings.Contains(err.Error(), "t-1") {
		t.Errorf("%v", err)
	}
}

func TestClipboard_terminalFails(t *testing.T) {
	reader, writer := io.Pipe()
	_ = reader.CloseWithError(errors.New("gone"))
	clip := NewClipboard(ClipboardEnv{SSH: true, Term: "xterm"}, writer)
	_, err := clip.Copy(t.Context(), []byte("t-1"), false)
	if want := "no clipboard here: the terminal could not be written to: gone; select the text instead"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	clip = NewClipboard(ClipboardEnv{SSH: true, Term: "xterm"}, nil)
	if _, err := clip.Copy(t.Context(), []byte("t-1"), false); err == nil {
		t.Error("copied without a terminal")
	}
}

func TestClipboardEnvFrom(t *testing.T) {
	for _, c := range []struct {
		env  string
		want ClipboardEnv
	}{
		{"TERM=xterm DISPLAY=:0", ClipboardEnv{Term: "xterm", Display: true}},
		{"WAYLAND_DISPLAY=wayland-0", ClipboardEnv{Display: true}},
		{"SSH_CONNECTION=10.0.0.1 TERM=tmux TMUX=/tmp/x TMUX_PANE=%3 DISPLAY=:0", ClipboardEnv{SSH: true, Tmux: true, Pane: "%3", Term: "tmux", Display: true}},
		{"SSH_TTY=/dev/pts/1 STY=1.x TERM=screen DISPLAY=:0", ClipboardEnv{SSH: true, Screen: true, Term: "screen", Display: true}},
	} {
		vars := map[string]string{}
		for _, pair := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(pair, "=")
			vars[name] = value
		}
		if got := ClipboardEnvFrom(func(name string) string { return vars[name] }); got != c.want {
			t.Errorf("%s: %+v", c.env, got)
		}
	}
}
