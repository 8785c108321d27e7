package e2e

import (
	"strings"
	"testing"
	"time"
)

// dialogCase is a dialog: how it is opened on a user's page, and what is entered.
type dialogCase struct {
	name string
	user string // whose page it is opened on
	open []string
	// title is seen while it is open.
	title string
	// shown is how many of its fields show what they hold.
	shown int
	// fill enters what it takes; typed begins with "typed", so that it can be
	// looked for.
	fill func(*session, token)
	// wrong is what makes dtok or the broker refuse it, and what is then seen.
	wrong   func(*session, token)
	refused string
	// button sends it; done is seen afterwards. "" where nothing is sent.
	button, done string
	// holds is seen while it holds an HMAC, which is wiped by what follows.
	holds string
}

// keysFor gives a fill that presses keys one after the other.
func keysFor(keys ...string) func(*session, token) {
	return func(s *session, _ token) {
		for _, key := range keys {
			s.slowly(key)
		}
	}
}

// slowly presses a key that may change nothing, so that it and the next one
// never arrive together.
func (s *session) slowly(key string) {
	s.Helper()
	s.still(60 * time.Millisecond)
	before := s.text()
	s.press(key)
	deadline := time.After(300 * time.Millisecond)
	for s.text() == before {
		select {
		case <-s.arrived:
		case <-deadline:
			return
		}
	}
}

const hmacHeld = "88 characters, can be an HMAC"

// dialogCases are all dialogs that a page opens. The rules and quotas are those
// of the demo's story.
func dialogCases() []dialogCase {
	hmac := func(s *session, mine token) { s.pasteHMAC(mine) }
	onReason := func(keys ...string) func(*session, token) {
		return keysFor(append(keys, "typed reason")...)
	}
	return []dialogCase{
		{name: "create", user: "ops", open: []string{"c"}, title: "Create delegation token", shown: 3, fill: keysFor("typed-renewer\r"),
			wrong: keysFor("\t", "typed"), refused: "type hours as a number", button: "Create"},
		{name: "renew", user: "ops", open: []string{"w"}, title: "Renew token", shown: 1, fill: hmac, holds: hmacHeld,
			wrong: keysFor("\t", "typed"), refused: "type hours as a number", button: "Renew"},
		{name: "expire", user: "ops", open: []string{"x", "\t"}, title: "Expire token", shown: 1, fill: hmac, holds: hmacHeld,
			refused: "say why", button: "Expire"},
		{name: "test sign-in", user: "ops", open: []string{"v"}, title: "Test sign-in", fill: hmac, holds: hmacHeld,
			button: "Test sign-in", done: "sign-in works"},
		{name: "open user", user: "ops", open: []string{"o"}, title: "Open a user by name", shown: 1, fill: keysFor("typed-user"),
			button: "Open", done: "No delegation tokens"},
		{name: "add rule", user: "alice", open: []string{"2", "a"}, title: "Add ACL rule", shown: 4, fill: keysFor("\t", "typed-topic"),
			wrong: keysFor("\x15"), refused: "error: the resource needs a name", button: "Add", done: "added: "},
		{name: "grant", user: "alice", open: []string{"2", "g"}, title: "Grant token rights", shown: 2, fill: keysFor("typed-user"),
			wrong: keysFor("\x15"), refused: "type a name", button: "Grant", done: "granted: "},
		{name: "revoke", user: "alice", open: []string{"2", "R"}, title: "Revoke token rights", shown: 2,
			fill: onReason("\x15", "typed-user", "\t", "\t"), refused: "The cluster removed no rule", button: "Revoke"},
		{name: "delete rule", user: "alice", open: []string{"2", "x", "\t"}, title: "Delete this ACL rule?", shown: 1, fill: onReason(),
			wrong: keysFor("\x15"), refused: "say why", button: "Delete", done: "deleted: "},
		{name: "replace rule", user: "alice", open: []string{"2", "G", "f", "\t"}, title: "Replace this ACL rule?", shown: 1, fill: onReason(),
			wrong: keysFor("\x15"), refused: "say why", button: "Replace", done: "replaced by "},
		{name: "set quota", user: "alice", open: []string{"3", "e"}, title: "Set quota", shown: 4,
			fill:  onReason("\x15", "7MiB", "\t"),
			wrong: keysFor("\x1b[Z", "\x15", "typed"), refused: "type a number", button: "Set", done: "set "},
		{name: "remove quota", user: "alice", open: []string{"3", "x", "\t"}, title: "Remove this quota?", shown: 1, fill: onReason(),
			wrong: keysFor("\x15"), refused: "say why", button: "Remove", done: "removed "},
	}
}

// opened opens the dialog on a page that has been read.
func (c dialogCase) opened(s *session) {
	s.Helper()
	s.quiet()
	for _, key := range c.open {
		if key == "a" || key == "x" || key == "f" || key == "e" || key == "g" || key == "R" {
			s.until("the page", func(screen string) bool { return !strings.Contains(screen, "reading") })
		}
		s.slowly(key)
	}
	s.see(c.title)
}

// closed leaves the dialog by esc, for the tokens tab.
func (c dialogCase) closed(s *session) {
	s.Helper()
	s.press("\x1b")
	s.gone(c.title)
	s.quiet()
	if c.open[0] == "2" || c.open[0] == "3" {
		s.changes("1")
	}
}

// TestNoSecretLeavesAnyDialog takes every dialog every way that it can go.
func TestNoSecretLeavesAnyDialog(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	for _, c := range dialogCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			mine := b.create("ops")
			s := withSession(t, b, "ops", how{cols: 100, rows: 45}, "--user", c.user)
			if c.user == "ops" {
				s.choose(mine)
			}
			c.pasteEverywhere(s, mine)
			c.comeBack(s, mine)
			c.send(s, mine)
			s.leaves()
			s.nothingTyped()
		})
	}
}

// pasteEverywhere pastes an HMAC into each field and onto each button: what is
// shown takes none.
func (c dialogCase) pasteEverywhere(s *session, mine token) {
	s.Helper()
	c.opened(s)
	first, refused := "", 0
	for at := 0; ; at++ {
		line := focusedLine(s.text())
		if at > 0 && line == first || at > 12 {
			break
		}
		if at == 0 {
			first = line
		}
		before := strings.Count(flat(s.text()), "looks like an HMAC")
		s.slowly("\x1b[200~" + mine.text() + "\x1b[201~")
		s.still(60 * time.Millisecond)
		if strings.Count(flat(s.text()), "looks like an HMAC") > before {
			refused++
		}
		s.slowly("\t")
	}
	if refused != c.shown {
		s.Errorf("%d fields refused an HMAC, want %d\n%s", refused, c.shown, s.text())
	}
	s.scanShown("with an HMAC pasted everywhere")
	c.closed(s)
}

// focusedLine is the label or the button that has the keys.
func focusedLine(screen string) string {
	for i, line := range strings.Split(screen, "\n") {
		if i < 2 {
			continue // the header and the breadcrumbs
		}
		if _, rest, ok := strings.Cut(line, "> "); ok {
			words := strings.Fields(rest)
			return strings.Join(words[:min(2, len(words))], " ")
		}
	}
	return ""
}

func flat(screen string) string { return strings.Join(strings.Fields(screen), " ") }

// scanShown looks for secrets on the screen as it is.
func (s *session) scanShown(when string) {
	s.Helper()
	s.knows()
	s.mustNotBeShown(s, "the screen "+when, []byte(s.text()))
}

// comeBack fills the dialog, leaves it in every way, and finds no HMAC in it.
func (c dialogCase) comeBack(s *session, mine token) {
	s.Helper()
	c.opened(s)
	c.fill(s, mine)
	s.resize(39, 9)
	s.see("needs 40x10")
	s.resize(100, 45)
	s.see(c.title)
	c.hasNone(s, "after the window was too small")
	c.closed(s)
	c.opened(s)
	c.fill(s, mine)
	s.button("Cancel")
	s.gone(c.title)
	s.quiet()
	for _, tab := range []string{"2", "3", "1"} {
		s.slowly(tab)
	}
	c.opened(s)
	c.hasNone(s, "after another tab")
	c.closed(s)
}

func (c dialogCase) hasNone(s *session, when string) {
	s.Helper()
	if c.holds != "" && strings.Contains(flat(s.text()), c.holds) {
		s.Errorf("the dialog still holds an HMAC %s\n%s", when, s.text())
	}
}

// send lets it be refused, and then sends it.
func (c dialogCase) send(s *session, mine token) {
	s.Helper()
	c.opened(s)
	if c.refused != "" {
		c.fill(s, mine)
		if c.wrong != nil {
			c.wrong(s, mine)
		}
		s.button(c.button)
		s.see(c.refused)
		s.scanShown("after a refusal")
		c.closed(s)
	}
	if c.done == "" {
		return
	}
	if c.refused != "" {
		c.opened(s)
	}
	c.fill(s, mine)
	s.button(c.button)
	s.see(c.done)
}
