package e2e

import (
	"strings"
	"testing"
	"time"
)

// TestNoSecretStaysInTmux: the card is on the alternate screen, which tmux
// keeps no history of, and nothing goes into its paste buffers unasked.
func TestNoSecretStaysInTmux(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	mine := b.create("ops")
	x := inTmux(t)
	s := &session{terminal: &terminal{TB: t, state: x.state}, broker: b}
	x.run(append(b.flags(saslSSL, "ops"), "--user", "ops", "--debug", debugLog(x.state))...)
	x.see("Max lifetime ends", mine.id)
	x.keys("y")
	x.see("copied to a tmux buffer")
	if buffers := x.buffers(); len(strings.TrimSpace(buffers)) != len(mine.id) {
		t.Errorf("the token ID is not in the buffer: %q", buffers)
	}
	for keys, title := range map[string]string{"w": "Renew token", "o": "Open a user by name", "2a": "Add ACL rule",
		"2g": "Grant token rights", "3e": "Set quota"} {
		for _, key := range keys {
			x.until("the page", func(screen string) bool { return !strings.Contains(screen, "reading") })
			x.changes(string(key))
		}
		x.see(title)
		x.paste(mine.text(), "-p")
		x.until("a word on the paste", func(screen string) bool {
			return strings.Contains(screen, "can be an HMAC") || strings.Contains(screen, "was ignored") || strings.Contains(screen, "like an HMAC")
		})
		x.keys("C-g")
		x.gone(title)
		time.Sleep(pasteOver)
		if len(keys) > 1 {
			x.changes("1")
		}
	}
	for _, leave := range []string{"d", "q"} {
		x.openCard()
		x.keys("y")
		x.see("not copied: no clipboard here: tmux takes nothing while its set-clipboard is external (tmux set -s set-clipboard on allows it)")
		s.knows()
		s.mustNotBeIn(t, "tmux's buffers", []byte(x.buffers()))
		x.do("split-window", "-d")
		x.see("Copy this now")
		x.do("kill-pane", "-t", ":.1")
		x.do("resize-window", "-x", "100", "-y", "30")
		x.see("Copy this now")
		x.keys(leave)
		x.see("The HMAC has not been copied")
		x.keys(leave)
		x.gone("Copy this now")
	}
	x.see("$") // the shell again
	s.knows()
	x.scan(s)
	s.nothingTyped()
	if strings.Contains(x.history(), "Copy this now") {
		t.Error("the card is in the history")
	}
}

// pasteOver is how long keys count as a part of a paste after it.
const pasteOver = 350 * time.Millisecond

// TestTmuxWithItsClipboardOn is the one way in which a buffer gets the HMAC:
// the person has allowed it and copies.
func TestTmuxWithItsClipboardOn(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	x := inTmux(t)
	x.do("set", "-s", "set-clipboard", "on")
	x.run(append(b.flags(saslSSL, "ops"), "--user", "ops")...)
	x.see("Max lifetime ends")
	x.openCard()
	x.keys("y")
	x.see("tmux and clipboard managers may keep it")
	x.until("the buffer", func(string) bool { return x.buffers() != "" })
	x.isCardsHMAC(b, strings.TrimSpace(x.buffers()))
}

// isCardsHMAC checks that a text is the HMAC of the token on the card.
func (x *tmux) isCardsHMAC(b *broker, text string) {
	x.Helper()
	id := ""
	for _, line := range strings.Split(x.text(), "\n") {
		if rest, ok := strings.CutPrefix(line, "Token ID"); ok {
			id = strings.TrimSpace(rest)
		}
	}
	b.await(id)
	for _, k := range b.tokens() {
		if k.id == id && k.text() == text {
			return
		}
	}
	x.Errorf("%d characters were copied, which are not the HMAC of token %q", len(text), id)
}

func (x *tmux) openCard() {
	x.Helper()
	x.keys("c")
	x.see("Create delegation token")
	for range 2 {
		x.changes("Tab")
	}
	x.see("> [ Create ]")
	// As a person would: keys that follow each other faster than a hand can press
	// them count as pasted, and Enter right after those presses nothing.
	time.Sleep(time.Second / 2)
	x.keys("Enter")
	x.see("Copy this now")
}
