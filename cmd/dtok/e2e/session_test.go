package e2e

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// session is dtok on a terminal, signed in at a served broker whose HMACs the
// test knows, and watched: whatever leaves the process is looked through.
type session struct {
	*terminal
	broker *broker
	secrets
	// cards are the parts of the output in which a card was on the screen.
	cards []card
}

// card is a part of the output in which one HMAC may be shown as base64.
type card struct {
	of       string // the secret's name
	from, to int
}

// withSession signs dtok in as a user, on that user's page.
func withSession(t *testing.T, b *broker, user string, h how, more ...string) *session {
	t.Helper()
	h.state = cmp.Or(h.state, t.TempDir())
	h.args = append(append(b.flags(saslSSL, user), "--user", user, "--debug", debugLog(h.state)), more...)
	s := &session{terminal: start(t, h), broker: b}
	s.see("Max lifetime")
	return s
}

// debugLog is the log for support that each session writes into its folder,
// where it is looked through with everything else.
func debugLog(state string) string { return filepath.Join(state, "debug.jsonl") }

// nothingTyped checks that the log has what the session did, and nothing that
// the test has typed, which begins with "typed".
func (s *session) nothingTyped() {
	s.Helper()
	text, err := os.ReadFile(debugLog(s.state))
	if err != nil {
		s.Fatal(err)
	}
	for _, has := range []string{`"msg":"start"`, `"msg":"window"`, `"msg":"exit"`} {
		if !bytes.Contains(text, []byte(has)) {
			s.Errorf("the log for support lacks %s", has)
		}
	}
	if at := bytes.Index(text, []byte("typed")); at >= 0 {
		s.Errorf("the log for support holds what was typed: %s", text[max(at-200, 0):min(at+40, len(text))])
	}
}

// knows adds what must not be found: all tokens that there are now, and the
// passwords.
func (s *session) knows() {
	s.Helper()
	s.secrets = nil
	for _, k := range s.broker.tokens() {
		s.secrets = append(s.secrets, hmacSecret(secretName(k.id), k.hmac))
	}
	for _, user := range []string{"ops", "alice", "bob", "carol"} {
		s.secrets = append(s.secrets, textSecret("the password of "+user, user+"-secret"))
	}
}

func secretName(id string) string { return "the HMAC of token " + id }

// choose puts the cursor on a token by filtering for it.
func (s *session) choose(k token) {
	s.Helper()
	s.press("/")
	s.see("keep the filter")
	s.press(k.id)
	s.see("/"+k.id+"_", "> "+k.id)
	s.press("\r")
	s.see("(esc clears)")
}

// pasteHMAC pastes into the open dialog's HMAC field.
func (s *session) pasteHMAC(k token) {
	s.Helper()
	s.paste(k.text())
	s.see("88 characters, can be an HMAC")
}

// button moves to a button by tabs and presses it, once no paste is so near
// that dtok would take the key for a part of it.
func (s *session) button(label string) {
	s.Helper()
	for range 12 {
		at := focusedLine(s.text())
		if strings.Contains(s.text(), "> [ "+label+" ]") {
			break
		}
		s.press("\t")
		s.until("the next field", func(screen string) bool { return focusedLine(screen) != at })
	}
	s.see("> [ " + label + " ]")
	s.quiet()
	s.press("\r")
}

// openCard creates a token of the user's own and waits for its card.
func (s *session) openCard() {
	s.Helper()
	s.press("c")
	s.see("Create delegation token")
	from := s.mark()
	s.button("Create")
	s.see("Copy this now")
	id := s.cardToken()
	s.broker.await(id) // so that its HMAC can be looked for
	s.cards = append(s.cards, card{of: secretName(id), from: from})
}

// cardToken is the token ID that the card shows.
func (s *session) cardToken() string {
	s.Helper()
	for _, line := range strings.Split(s.text(), "\n") {
		if rest, ok := strings.CutPrefix(line, "Token ID"); ok {
			return strings.TrimSpace(rest)
		}
	}
	s.Fatalf("no token ID on the screen\n%s", s.text())
	return ""
}

// closeCard checks that the card is gone and ends the part of the output in
// which it may be.
func (s *session) closeCard() {
	s.Helper()
	s.gone("Copy this now")
	s.cards[len(s.cards)-1].to = s.mark()
}

// scan looks through everything that the session has left so far.
func (s *session) scan() {
	s.Helper()
	s.knows()
	s.scanOutput()
	s.scanFolder(s.state)
	s.mustNotBeShown(s, "the screen", []byte(s.text()))
	s.scanProcess()
}

// scanOutput looks through all terminal output. While a card is shown its HMAC
// may be there, in base64 and nothing else, and be sent to the clipboard.
func (s *session) scanOutput() {
	s.Helper()
	at := 0
	out := s.stream(0)
	for _, c := range s.cards {
		if c.to == 0 {
			c.to = len(out)
		}
		s.mustNotBeShown(s, fmt.Sprintf("the terminal output, bytes %d to %d", at, c.from), out[at:c.from])
		shown, _ := osc52(s, out[c.from:c.to])
		where := fmt.Sprintf("the terminal output under a card, bytes %d to %d", c.from, c.to)
		s.without(c.of).mustNotBeShown(s, where, shown)
		for _, k := range s.secrets {
			if k.name != c.of {
				continue
			}
			for _, form := range k.in(shown) {
				if form != "base64" {
					s.Errorf("LEAK: %s is in %s, as %s", k.name, where, form)
				}
			}
		}
		at = c.to
	}
	s.mustNotBeShown(s, fmt.Sprintf("the terminal output from byte %d on", at), out[at:])
}

// scanFolder looks through names and contents of all files below a folder.
func (s *session) scanFolder(folder string) {
	s.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		s.mustNotBeIn(s, "a file name in "+folder, []byte(d.Name()))
		s.mustNotBeIn(s, path, data)
		return err
	})
	if err != nil {
		s.Error(err)
	}
}

// audited checks that the audit trail holds every text, which also shows that
// the scan looked at a trail with something in it.
func (s *session) audited(texts ...string) {
	s.Helper()
	data, err := os.ReadFile(filepath.Join(s.state, "dtok", "audit.jsonl"))
	if err != nil {
		s.Error(err)
	}
	for _, text := range texts {
		if !bytes.Contains(data, []byte(text)) {
			s.Errorf("%s is not in the audit trail %s", text, data)
		}
	}
}

// leaves ends dtok by ctrl+c and looks through what is left.
func (s *session) leaves() {
	s.Helper()
	s.press("\x03")
	s.exits(0)
	s.restored()
	s.scan()
	s.otherScreenIsWiped()
}

// otherScreenIsWiped checks that the alternate screen is erased before it is
// left: terminals keep it, and show it to the next program that switches there
// by mode 47.
func (s *session) otherScreenIsWiped() {
	s.Helper()
	out := string(s.stream(0))
	left := strings.LastIndex(out, "\x1b[?1049l")
	erased := strings.LastIndex(out[:max(left, 0)], "\x1b[2J")
	if erased < 0 || strings.Contains(out[erased:left], "dtok") || strings.Contains(out[erased:left], "H") {
		s.Error("what was drawn last stays on the alternate screen")
	}
}
