package e2e

import (
	"strings"
	"testing"
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

// keysFor gives a fill that presses keys one after the other, each of which
// changes something.
func keysFor(keys ...string) func(*session, token) {
	return func(s *session, _ token) {
		for _, key := range keys {
			if key == emptied {
				s.press(key)
			} else {
				s.changes(key)
			}
		}
	}
}

// emptied is the key ctrl+u, for a field that may be empty already. It cannot
// become one text with the key that follows.
const emptied = "\x15"

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
			wrong: keysFor(emptied), refused: "error: the resource needs a name", button: "Add", done: "added: "},
		{name: "grant", user: "alice", open: []string{"2", "g"}, title: "Grant token rights", shown: 2, fill: keysFor("typed-user"),
			wrong: keysFor(emptied), refused: "type a name", button: "Grant", done: "granted: "},
		{name: "revoke", user: "alice", open: []string{"2", "R"}, title: "Revoke token rights", shown: 2,
			fill: onReason(emptied, "typed-user", "\t", "\t"), refused: "The cluster removed no rule", button: "Revoke"},
		{name: "delete rule", user: "alice", open: []string{"2", "x", "\t"}, title: "Delete this ACL rule?", shown: 1, fill: onReason(),
			wrong: keysFor(emptied), refused: "say why", button: "Delete", done: "deleted: "},
		{name: "replace rule", user: "alice", open: []string{"2", lastRow, "f", "\t"}, title: "Replace this ACL rule?", shown: 1, fill: onReason(),
			wrong: keysFor(emptied), refused: "say why", button: "Replace", done: "replaced by "},
		{name: "set quota", user: "alice", open: []string{"3", "e"}, title: "Set quota", shown: 4,
			fill:  onReason(emptied, "7MiB", "\t"),
			wrong: keysFor("\x1b[Z", emptied, "typed"), refused: "type a number", button: "Set", done: "set "},
		{name: "remove quota", user: "alice", open: []string{"3", "x", "\t"}, title: "Remove this quota?", shown: 1, fill: onReason(),
			wrong: keysFor(emptied), refused: "say why", button: "Remove", done: "removed "},
	}
}

// opened opens the dialog on a page that has been read.
func (c dialogCase) opened(s *session) {
	s.Helper()
	s.quiet()
	for _, key := range c.open {
		if n := tabs[key]; n != "" {
			s.tab(key)
			continue
		}
		if key == lastRow { // which may be where the cursor is already
			s.press(key)
			continue
		}
		s.changes(key)
	}
	s.see(c.title)
}

// lastRow is the key end. Unlike G it cannot become one text with the key that
// follows.
const lastRow = "\x1b[F"

// tabs are the tabs of a user's page by their keys.
var tabs = map[string]string{"1": "Tokens", "2": "ACL rules", "3": "Quotas"}

// tab opens a tab, which may be open already, and waits until what is on it has
// been read: its label tells how many there are.
func (s *session) tab(key string) {
	s.Helper()
	open := "[" + key + " " + tabs[key]
	if !strings.Contains(s.text(), open) {
		s.press(key)
	}
	s.see(open + " (")
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
	for _, c := range dialogCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := serve(t, "standard") // its own, since they change each other's rules
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
		before, fields := answers(s.text()), misplaced(s.text())
		s.paste(mine.text())
		// What the first button has said of it stays for the second.
		if !strings.HasPrefix(line, "[ ") || !strings.Contains(flat(s.text()), "a button has the focus") {
			s.until("a word on the paste", func(screen string) bool { return answers(screen) > before })
		}
		if misplaced(s.text()) > fields {
			refused++
		}
		s.press("\t")
		s.until("the next field", func(screen string) bool { return focusedLine(screen) != line })
	}
	if refused != c.shown {
		s.Errorf("%d fields refused an HMAC, want %d\n%s", refused, c.shown, s.text())
	}
	s.scanShown("with an HMAC pasted everywhere")
	c.closed(s)
}

// misplaced is how many fields say that they take no HMAC.
func misplaced(screen string) int { return strings.Count(flat(screen), "looks like an HMAC") }

// answers is how many words on pastes there are.
func answers(screen string) int {
	return misplaced(screen) + strings.Count(flat(screen), hmacHeld) + strings.Count(flat(screen), "pasted text was ignored")
}

// focusedLine is the label or the button that has the keys.
func focusedLine(screen string) string {
	for i, line := range strings.Split(screen, "\n") {
		if i < 2 {
			continue // the header and the breadcrumbs
		}
		if _, rest, ok := strings.Cut(line, "> "); ok {
			label, _, _ := strings.Cut(rest, "  ")
			return label
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
		s.tab(tab)
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
