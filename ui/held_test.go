package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// withClipboard runs the screens on a Clipboard in a made-up world.
func withClipboard(t *testing.T, env ClipboardEnv, after time.Duration) (*driver, *clipboardRun) {
	run := &clipboardRun{t: t}
	d := newDriver(t, 80, 24, func(o *Options) {
		clip := clipboardIn(env, run)
		o.Copy, o.Clear = clip.Copy, clip.Clear
		o.Environments[0].ClipboardClear = after
	})
	d.keys("j", "enter", "c")
	d.createNow()
	d.sees("Copy this now")
	return d, run
}

var atDesk = ClipboardEnv{Display: true, Term: "xterm"}

// createNow goes to the button of the open dialog and presses it.
func (d *driver) createNow() {
	for range 10 {
		if strings.Contains(d.screen(), "> [ Create ]") {
			break
		}
		d.keys("tab")
	}
	d.keys("enter")
}

func TestClearClipboardOnRequest(t *testing.T) {
	d, run := withClipboard(t, atDesk, 0)
	d.sees("A copy stays on the clipboard until Y clears it.")
	d.lacks("Y clear clipboard")
	d.keys("Y")
	d.sees("dtok has put no HMAC on the clipboard, or has taken it off")
	d.keys("y")
	d.sees("done: HMAC: copied to the clipboard of this machine; clipboard managers may keep it; Y clears it", "Y clear clipboard")
	if run.machine == "" {
		t.Fatal("nothing was copied")
	}
	// The card is gone, its HMAC with it, and the clipboard can still be cleared.
	d.keys("d")
	d.lacks("Copy this now")
	d.sees("Y clear clipboard")
	for _, key := range []string{"esc", "A", "esc"} {
		d.keys(key)
	}
	d.keys("Y")
	d.sees("done: clipboard: the clipboard of this machine still held it and is empty now")
	d.lacks("Y clear clipboard")
	if run.machine != "" || d.m.held != nil {
		t.Errorf("the clipboard holds %d characters", len(run.machine))
	}
	if d.advance(time.Hour); len(run.machine) > 0 || d.m.LeaveClipboard(t.Context()) != "" {
		t.Error("something is left")
	}
}

func TestClearClipboardInTime(t *testing.T) {
	for _, other := range []string{"", "something else"} {
		d, run := withClipboard(t, atDesk, time.Minute)
		d.sees("A copy is cleared from the clipboard after 1 minute, or when dtok ends, where dtok can see that it is still there")
		d.keys("y")
		d.sees("so does dtok in 1 minute")
		d.advance(30 * time.Second)
		d.keys("y", "d") // the time begins anew
		first := run.machine
		d.advance(58 * time.Second)
		if run.machine != first || first == "" {
			t.Fatal("cleared too early")
		}
		if other != "" {
			run.machine = other
		}
		d.advance(2 * time.Second)
		if run.machine != other {
			t.Errorf("the clipboard holds %q, want %q", run.machine, other)
		}
		d.lacks("Y clear clipboard")
		if other == "" {
			d.sees("still held it and is empty now")
		} else {
			d.sees("holds something else by now, and was left alone")
		}
	}
}

// TestClearClipboardOfATerminal: what cannot be looked at is overwritten only
// by the key.
func TestClearClipboardOfATerminal(t *testing.T) {
	d, run := withClipboard(t, ClipboardEnv{SSH: true, Term: "xterm"}, time.Minute)
	d.keys("y")
	d.sees("Y overwrites it, and nothing else does: dtok cannot look what a terminal's clipboard holds")
	sent := run.terminal
	d.keys("d")
	d.advance(time.Minute)
	d.sees("! clipboard: the terminal's clipboard may still hold it: Y overwrites it, dtok cannot look", "Y clear clipboard")
	if run.terminal != sent {
		t.Errorf("sent %q", strings.TrimPrefix(run.terminal, sent))
	}
	if left := d.m.LeaveClipboard(t.Context()); left != "the terminal's clipboard may still hold the HMAC of token tok-new-00000000000001" {
		t.Errorf("%q", left)
	}
	d.keys("Y")
	d.sees("done: clipboard: the terminal was asked to empty its clipboard, which it may have ignored")
	if run.terminal != sent+"\x1b]52;c;\x07" {
		t.Errorf("sent %q", strings.TrimPrefix(run.terminal, sent))
	}
	d.lacks("Y clear clipboard")
}

func TestClearClipboardFails(t *testing.T) {
	d, run := withClipboard(t, atDesk, 0)
	d.keys("y", "d")
	run.machineErr = errNoProgram
	d.keys("Y")
	d.sees("error: the clipboard was not cleared: no clipboard program", "Y clear clipboard")
	run.machineErr = nil
	d.keys("Y")
	d.sees("is empty now")
}

// TestClearClipboardOnce: while it is being cleared, another Y is none, and a
// copy that comes meanwhile stays known.
func TestClearClipboardOnce(t *testing.T) {
	d, run := withClipboard(t, atDesk, 0)
	d.keys("y")
	d.hold = true
	d.keys("Y", "Y")
	if len(d.held) != 1 {
		t.Fatalf("%d results", len(d.held))
	}
	d.hold = false
	d.keys("y")
	d.release()
	d.sees("Y clear clipboard")
	d.keys("Y")
	if run.machine != "" || d.m.held != nil {
		t.Error("the second copy is left")
	}
}

func TestLeaveClipboard(t *testing.T) {
	for _, c := range []struct {
		after time.Duration
		then  func(*clipboardRun)
		left  string
		want  string
	}{
		{0, nil, "HMAC", "the clipboard may still hold the HMAC of token tok-new-00000000000001"},
		{time.Minute, nil, "", "the HMAC of token tok-new-00000000000001 on the clipboard: the clipboard of this machine still held it and is empty now"},
		{time.Minute, func(r *clipboardRun) { r.machine = "other" }, "other",
			"the HMAC of token tok-new-00000000000001 on the clipboard: the clipboard of this machine holds something else by now, and was left alone"},
		{time.Minute, func(r *clipboardRun) { r.machineErr = errors.New("no pipe") }, "HMAC",
			"the clipboard was not cleared and may still hold the HMAC of token tok-new-00000000000001: the clipboard program could not be run: no pipe"},
	} {
		d, run := withClipboard(t, atDesk, c.after)
		d.keys("y")
		copied := run.machine
		if c.then != nil {
			c.then(run)
		}
		d.keys("q")
		if !d.quit {
			t.Fatal("still there")
		}
		if got := d.m.LeaveClipboard(context.Background()); got != c.want || strings.Contains(got, copied[:8]) {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
		if c.left == "HMAC" {
			c.left = copied
		}
		if run.machine != c.left {
			t.Errorf("%d characters are left", len(run.machine))
		}
	}
}

// TestHeldKeepsNoHMAC: what outlives the card recognises the HMAC and does not
// hold it.
func TestHeldKeepsNoHMAC(t *testing.T) {
	d, run := withClipboard(t, atDesk, 0)
	d.keys("y", "d")
	if text := fmt.Sprintf("%+v", *d.m.held); strings.Contains(text, run.machine[:8]) || !strings.Contains(text, "traces") {
		t.Errorf("%s", text)
	}
}
