package e2e

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pasted is a text around an HMAC as it lies on clipboards, and what the field
// must say of it.
type pasted struct {
	text string
	note string
	// keys: without brackets these are keys, and what they do is theirs.
	keys bool
}

func pastes(k token, bracketed bool) map[string]pasted {
	text := k.text()
	const alone, within = "can be an HMAC", "with an HMAC in them"
	return map[string]pasted{
		"alone":              {text: text, note: alone},
		"with LF":            {text: text + "\n", note: alone},
		"with CR":            {text: text + "\r", note: alone},
		"with CRLF":          {text: text + "\r\n", note: alone},
		"broken by LF":       {text: text[:64] + "\n" + text[64:] + "\n", note: alone},
		"broken by CRLF":     {text: text[:40] + "\r\n" + text[40:] + "\r\n", note: alone},
		"with blanks":        {text: "  " + text[:20] + " \t" + text[20:] + "  ", note: alone},
		"in quotes":          {text: `"` + text + `"`, note: "an HMAC"},
		"in single quotes":   {text: `'` + text + `'`, note: "an HMAC"},
		"without padding":    {text: strings.TrimRight(text, "="), note: alone},
		"URL-safe":           {text: base64.URLEncoding.EncodeToString(k.hmac), note: alone},
		"password=":          {text: `password="` + text + `"`, note: within},
		"a JAAS line":        {text: jaas(k), note: within},
		"a properties file":  {text: "security.protocol=SASL_SSL\nsasl.jaas.config=" + jaas(k) + "\n", note: within},
		"twice":              {text: text + "\n" + text, note: "an HMAC has 88"},
		"very long":          {text: strings.Repeat(text, veryLong(bracketed)/len(text)), note: "too long: nothing kept"},
		"prose":              {text: "yes\ny\nexpire it\n\n\nq\n", note: "an HMAC has 88"},
		"control characters": {text: text[:30] + "\x00\x01\x0e\x1f" + text[30:], note: alone, keys: true},
		"colours":            {text: "\x1b[31m" + text + "\x1b[0m", note: "characters", keys: true},
	}
}

// veryLong is the size of the longest paste. Bubble Tea takes seconds for a
// megabyte with brackets, because it looks at all of it again after each read,
// and half a minute without, because each read of a few bytes is a key.
func veryLong(bracketed bool) int {
	switch {
	case long() && bracketed:
		return 1 << 20
	case long():
		return 1 << 18
	}
	return 1 << 16
}

func jaas(k token) string {
	return `org.apache.kafka.common.security.scram.ScramLoginModule required username="` + k.id + `" password="` + k.text() + `" tokenauth="true";`
}

// TestPastesInTmux pastes everything into the HMAC field, with and without
// brackets, and with line feeds kept or not: it is taken for what it is, stays in
// its field and presses nothing.
func TestPastesInTmux(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	mine := b.create("ops")
	modes := map[string][]string{"bracketed": {"-p"}, "bare": nil}
	if long() {
		modes["bracketed, LF"], modes["bare, LF"] = []string{"-p", "-r"}, []string{"-r"}
	}
	for mode, flags := range modes {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			x := inTmux(t)
			s := &session{terminal: &terminal{TB: t, state: x.state}, broker: b}
			x.run(append(b.flags(saslSSL, "ops"), "--user", "ops")...)
			x.see("Max lifetime ends", "> "+mine.id)
			bracketed := strings.HasPrefix(mode, "bracketed")
			for name, p := range pastes(mine, bracketed) {
				if p.keys && !bracketed {
					continue
				}
				x.keys("w")
				x.see("> HMAC [empty]_")
				x.paste(p.text, flags...)
				x.see(p.note)
				x.see("> HMAC [") // the focus is where it was
				if screen := x.text(); !strings.Contains(screen, "Renew token") || strings.Contains(screen, "> [ ") {
					t.Errorf("%s: the paste did something\n%s", name, screen)
				}
				x.keys("C-g")
				x.gone("Renew token")
				s.quiet()
			}
			// Where no field is open a paste does nothing.
			for name, p := range pastes(mine, bracketed) {
				if p.keys && !bracketed {
					continue
				}
				x.paste(p.text, flags...)
				x.see("pasted text was ignored", "> "+mine.id)
				// A key is taken once the paste is over, and some time has passed.
				x.insist("Down", "the end of the note after "+name, func(screen string) bool {
					return !strings.Contains(screen, "ignored")
				})
				x.keys("Home")
				x.see("> " + mine.id)
			}
			x.insist("q", "the shell", func(screen string) bool { return !strings.Contains(screen, "Max lifetime") })
			s.knows()
			s.mustNotBeIn(t, "tmux's buffers", []byte(x.buffers()))
			s.mustNotBeShown(t, "tmux's history", []byte(x.history()))
			s.nothingAudited()
		})
	}
}

// nothingAudited checks that no change was as much as intended.
func (s *session) nothingAudited() {
	s.Helper()
	trail, err := os.ReadFile(filepath.Join(s.state, "dtok", "audit.jsonl"))
	if !os.IsNotExist(err) {
		s.Errorf("a change was intended: %v %s", err, trail)
	}
}

// TestAPasteWhileADialogOpens: the key and the paste come in one write, or the
// paste holds the end of a paste and keys that would confirm.
func TestAPasteWhileADialogOpens(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	mine := b.create("ops")
	text := mine.text()
	for name, input := range map[string]string{
		"bracketed, in one write":       "w\x1b[200~" + text + "\n\x1b[201~",
		"bare, in one write":            "w" + text + "\r",
		"expire":                        "x\x1b[200~" + text + "\n\x1b[201~",
		"expire, bare":                  "x" + text + "\r\r",
		"the end mark within":           "w\x1b[200~" + text + "\x1b[201~\t\t\r\r",
		"the end mark within, no focus": "x\x1b[200~" + text + "\x1b[201~\t\tbecause\t\r",
		"fields and lines":              "x" + text + "\tbecause\t\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := withSession(t, b, "ops", how{})
			s.choose(mine)
			s.still(60 * time.Millisecond)
			s.press(input)
			s.still(500 * time.Millisecond)
			s.leaves()
			s.nothingAudited()
			if !b.has(mine.id) {
				t.Error("the token is gone")
			}
		})
	}
}

// TestControlCharactersInABarePaste are keys, as nobody marked the paste: one
// that closes the dialog must not hand the rest to the list.
func TestControlCharactersInABarePaste(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	mine := b.create("ops")
	for name, input := range map[string]string{
		"ctrl+g and a key":    mine.text()[:20] + "\x07x",
		"ctrl+g and two keys": mine.text()[:20] + "\x07xc",
		"escape and a key":    mine.text()[:20] + "\x1b\x1bx\r",
		"key by key":          mine.text()[:20] + "\x07\x07x\x07c",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := withSession(t, b, "ops", how{})
			s.choose(mine)
			s.press("w")
			s.see("> HMAC [empty]_")
			s.press(input)
			s.still(200 * time.Millisecond)
			if screen := s.text(); strings.Contains(screen, "Expire token") || strings.Contains(screen, "Create delegation") {
				t.Errorf("the rest of the paste opened a dialog\n%s", screen)
			}
			s.leaves()
			s.nothingAudited()
		})
	}
}

// TestAPasteWithoutEnd: every key belongs to it, and a signal still ends dtok.
func TestAPasteWithoutEnd(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	mine := b.create("ops")
	s := withSession(t, b, "ops", how{})
	s.choose(mine)
	s.press("w")
	s.see("> HMAC [empty]_")
	s.press("\x1b[200~" + mine.text() + "\r\x03q")
	s.still(200 * time.Millisecond)
	s.signal(syscall.SIGTERM)
	s.exits(143)
	s.restored()
	s.scan()
	s.nothingAudited()
}
