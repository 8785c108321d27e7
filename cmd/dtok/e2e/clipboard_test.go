package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestClearingInTmux: of tmux's buffers only the one that holds the HMAC goes,
// by the key and in time, and what was copied by others stays.
func TestClearingInTmux(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	for name, drive := range map[string]func(x *tmux, args []string){
		"by the key": func(x *tmux, args []string) {
			x.run(args...)
			x.see("Max lifetime ends")
			x.openCard()
			x.keys("y")
			x.see("copied to a tmux buffer", "Y overwrites it")
			x.isCardsHMAC(b, strings.TrimSpace(x.buffers()))
			x.do("set-buffer", "-b", "mine", "something else")
			x.keys("d")
			x.gone("Copy this now")
			x.see("Y clear clipboard")
			x.keys("Y")
			x.see("deleted the tmux buffer buffer0; the terminal was asked to empty its clipboard")
		},
		"in time": func(x *tmux, args []string) {
			x.run(append(args, "--clipboard-clear", "8s")...)
			x.see("Max lifetime ends")
			x.openCard()
			x.see("after 8 seconds, or when dtok ends, where dtok can see that it is still there")
			x.keys("y")
			x.see("the tmux buffer is deleted in 8 seconds")
			x.do("set-buffer", "-b", "mine", "something else")
			x.see("deleted the tmux buffer buffer0; the terminal's clipboard may still hold it")
		},
		"at the end": func(x *tmux, args []string) {
			x.run(append(args, "--clipboard-clear", "1h")...)
			x.see("Max lifetime ends")
			x.openCard()
			x.keys("y")
			x.see("copied to a tmux buffer")
			x.do("set-buffer", "-b", "mine", "something else")
			x.keys("C-c")
			x.see("dtok: note: the terminal's clipboard may still hold the HMAC of token")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := inTmux(t)
			x.do("set", "-s", "set-clipboard", "on")
			drive(x, append(b.flags(saslSSL, "ops"), "--user", "ops"))
			if left := x.buffers(); left != "something else\n" {
				t.Errorf("tmux holds %d characters in its buffers, want those of the other text alone", len(left))
			}
			x.scan(&session{terminal: &terminal{TB: t, state: x.state}, broker: b})
		})
	}
}

// TestCopyingInTmuxWithItsClipboardOff: nothing arrives, and dtok says so.
func TestCopyingInTmuxWithItsClipboardOff(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	x := inTmux(t)
	x.do("set", "-s", "set-clipboard", "off")
	x.run(append(b.flags(saslSSL, "ops"), "--user", "ops")...)
	x.see("Max lifetime ends")
	x.openCard()
	x.keys("y")
	x.see("tmux takes nothing while its set-clipboard is off")
	x.keys("d")
	x.see("The HMAC has not been copied")
	if got := x.buffers(); got != "" {
		t.Errorf("a buffer has %d characters", len(got))
	}
}

// TestCopyingThroughTmux puts one tmux around another: the outer one is the
// terminal, and takes what the inner one passes on.
func TestCopyingThroughTmux(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	x := inTmux(t)
	x.do("set", "-s", "set-clipboard", "on")
	inner := filepath.Join(filepath.Dir(x.socket), "i")
	x.do("send-keys", "-l", "unset TMUX; tmux -f /dev/null -S '"+inner+"' new-session 'sh -i'")
	x.keys("Enter")
	x.see("[0] 0:sh")
	in := &tmux{TB: t, socket: inner, state: x.state}
	t.Cleanup(func() { in.end() })
	in.do("set", "-g", "allow-passthrough", "on")
	in.run(append(b.flags(saslSSL, "ops"), "--user", "ops")...)
	in.see("Max lifetime ends")
	in.openCard()
	in.keys("y")
	in.see("sent through tmux to the terminal, which may have ignored it")
	in.until("the outer buffer", func(string) bool { return x.buffers() != "" })
	in.isCardsHMAC(b, strings.TrimSpace(x.buffers()))
	if got := in.buffers(); got != "" {
		t.Errorf("the inner tmux keeps %d characters", len(got))
	}
}

// fakeXclip is a clipboard for one: a file, and another with all that it was
// ever given.
const fakeXclip = `#!/bin/sh
case "$*" in
*-out*) cat "$CLIP/text" ;;
*) cat > "$CLIP/text.new" && cat "$CLIP/text.new" >> "$CLIP/all" && mv "$CLIP/text.new" "$CLIP/text" ;;
esac
`

// TestClearingTheClipboardOfTheMachine: in time, by the key and at the end, and
// only while it holds the HMAC.
func TestClearingTheClipboardOfTheMachine(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	for _, c := range []struct {
		name  string
		flags []string
		drive func(s *session, put func(string))
		want  string // "HMAC" for the copy
	}{
		{"by the key", nil, func(s *session, _ func(string)) {
			s.press("Y")
			s.see("the clipboard of this machine still held it and is empty now")
			s.leaves()
		}, ""},
		{"by the key, another text", nil, func(s *session, put func(string)) {
			put("something else")
			s.press("Y")
			s.see("the clipboard of this machine holds something else by now, and was left alone")
			s.leaves()
		}, "something else"},
		{"in time", []string{"--clipboard-clear", "1s"}, func(s *session, _ func(string)) {
			// A key may have taken the sentence off the screen.
			s.until("the clearing", func(string) bool {
				return strings.Contains(flat(ansi.Strip(string(s.stream(0)))), "the clipboard of this machine still held it and is empty now")
			})
			s.leaves()
		}, ""},
		{"at the end", []string{"--clipboard-clear", "1h"}, func(s *session, _ func(string)) {
			s.leaves()
			s.see("dtok: note: the HMAC of token", "on the clipboard:")
		}, ""},
		{"at the end, another text", []string{"--clipboard-clear", "1h"}, func(s *session, put func(string)) {
			put("something else")
			s.leaves()
		}, "something else"},
		{"never", nil, func(s *session, _ func(string)) {
			s.leaves()
			s.see("dtok: note: the clipboard may still hold the HMAC of token")
		}, "HMAC"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bin, clip := t.TempDir(), t.TempDir()
			if err := os.WriteFile(filepath.Join(bin, "xclip"), []byte(fakeXclip), 0o755); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(clip, "text")
			h := how{env: []string{"DISPLAY=:99", "CLIP=" + clip, "PATH=" + bin + ":" + os.Getenv("PATH")}}
			s := withSession(t, b, "ops", h, c.flags...)
			s.openCard()
			s.press("y")
			s.see("copied to the clipboard of this machine")
			copied, err := os.ReadFile(filepath.Join(clip, "all")) // it may be empty again by now
			if err != nil || len(copied) != 88 {
				t.Fatalf("%d bytes were copied, %v", len(copied), err)
			}
			s.press("d")
			s.closeCard()
			c.drive(s, func(text string) {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			})
			left, err := os.ReadFile(file)
			want := c.want
			if want == "HMAC" {
				want = string(copied)
			}
			if err != nil || string(left) != want {
				t.Errorf("%d bytes are left, want %d; %v", len(left), len(want), err)
			}
		})
	}
}
