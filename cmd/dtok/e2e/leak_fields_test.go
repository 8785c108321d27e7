package e2e

import (
	"strings"
	"testing"
)

// leakFields moves between fields with an HMAC in one, and takes the window
// away from under it.
func leakFields(t *testing.T, b *broker) {
	mine := b.create("ops")
	s := withSession(t, b, "ops", how{})
	s.choose(mine)
	s.press("x")
	s.see("> [ Cancel ]")
	s.press("\t")
	s.see("> HMAC")
	s.paste(`password="` + mine.text() + `"`)
	s.see("with an HMAC in them")
	s.press("\x7f") // backspace empties it
	s.see("[empty]_")
	s.paste("\"" + mine.text()[:40] + "\r\n " + mine.text()[40:] + "\"\n")
	s.see("can be an HMAC")
	s.press("\t")
	s.see("> Reason")
	s.press("\x1b[Z")
	s.see("> HMAC")
	s.resize(200, 50)
	s.see("can be an HMAC")
	s.resize(39, 9)
	s.see("needs 40x10")
	s.resize(80, 24)
	s.see("[empty]_")
	s.pasteHMAC(mine)
	s.press("\x07") // ctrl+g
	s.gone("Expire token " + mine.id + "?")
	s.quiet()
	s.press("x")
	s.see("[empty]")
	s.press("\x1b")
	s.gone("[empty]")
	s.paste(mine.text()) // no field is open for it
	s.see("pasted text was ignored")
	s.leaves()
}

// leakWrongFields pastes an HMAC where it does not belong: a reason would put
// it into the audit trail, any other field onto the screen.
func leakWrongFields(t *testing.T, b *broker) {
	mine := b.create("ops")
	s := withSession(t, b, "ops", how{})
	s.choose(mine)
	s.press("x")
	s.see("> [ Cancel ]")
	s.press("\t\t")
	s.see("> Reason")
	for _, text := range []string{mine.text(), "see " + mine.text(), strings.TrimRight(mine.text(), "=")} {
		s.paste(text)
		s.see("looks like an HMAC")
	}
	s.press(mine.text()) // not bracketed
	s.see("looks like an HMAC")
	s.press("\x1b")
	s.gone("Expire token " + mine.id + "?")
	s.quiet()
	for key, fields := range map[string]int{"w": 1, "c": 3} {
		s.press(key)
		s.see("Renewers")
		for range fields {
			s.changes("\t")
			if strings.Contains(s.text(), "> [ ") {
				s.press("\t\t") // past the buttons, to the first field
				s.see("> Owner")
			}
			s.paste(mine.text())
			s.see("looks like an HMAC")
		}
		s.press("\x1b")
		s.gone("looks like an HMAC")
		s.quiet()
	}
	s.press("/")
	s.see("keep the filter")
	s.paste(mine.text())
	s.see("looks like an HMAC")
	s.changes("\x1b")
	s.changes("\x1b")
	s.see("Next expiry")
	s.press("o")
	s.see("Open a user by name")
	s.paste(mine.text())
	s.see("looks like an HMAC")
	s.leaves()
}

// leakLists opens every list, tab, text and order there is.
func leakLists(t *testing.T, b *broker) {
	s := withSession(t, b, "ops", how{cols: 160, rows: 45})
	s.press("y")
	s.see("token ID: ")
	s.press("\r")
	s.see("Requester")
	s.changes("\x1b")
	for _, key := range []string{"2", "\r", "\x1b", "3", "1", "\x1b"} {
		s.changes(key)
	}
	s.see("Next expiry")
	s.press("t")
	s.see("All tokens >")
	for range 6 {
		s.changes("s")
		s.changes("S")
	}
	s.changes("?")
	s.see("j k scroll")
	s.changes("\x1b")
	// From the first row on, each of these keys changes something.
	s.press("\x1b[H")
	s.until("the first row", func(screen string) bool { return strings.Contains(strings.Split(screen, "\n")[3], "│ > ") })
	for _, key := range []string{"G", "g", "j", "k", "/", "e", "\x1b", "A"} {
		s.changes(key)
	}
	s.see("Audit trail")
	s.leaves()
}
