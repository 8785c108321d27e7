package ui

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// For screen readers the screens are one column of lines, with words where they
// have signs otherwise, and the terminal's cursor stands where the keys go: a
// reader reads that line, and what changes. Most of it is in the signs that a
// theme has.

// signs are what stands before, around or instead of words.
type signs struct {
	// spoken: the lines are for ears, one thing on each.
	spoken   bool
	row      string // before the row that has the keys
	focus    string // the same for a field or a button
	caret    string // the place in a text where the next character goes
	caretEnd string // the same behind its last character
	warn     string // before a warning
	danger   string // before what must not be overlooked
	unread   string // a number that nobody knows
	source   string // before a source that could not be read
	none     string // no renewers
	// pending and suspect stand before an expiry that a note is about.
	pending, suspect         string
	pendingNote, suspectNote string // before those notes
	deny                     string // before the permission of a rule that denies
	never                    string // before a rule that never matches
	fault                    string // before the outcome of a record that does not verify
	button                   [2]string
	chosen, other            [2]string // around the tab that is shown, and around the others
	off                      [2]string // around a key that does nothing now
	choice                   [2]string // around the value of a choice that has the keys
}

// caretBefore is the place where the next character goes, with text after it.
func (s signs) caretBefore(after string) string {
	if after == "" {
		return s.caretEnd
	}
	return s.caret
}

// drawnSigns are for eyes.
func drawnSigns() signs {
	return signs{
		row: rowMarker, focus: focusMarker, caret: "|", caretEnd: "_", warn: "! ", danger: "!! ", unread: "?", source: "? ", none: "–",
		pending: "*", suspect: "?", pendingNote: "* ", suspectNote: "? ", deny: "!", never: "! ", fault: "! ",
		button: [2]string{"[ ", " ]"}, chosen: [2]string{"[", "]"}, other: [2]string{" ", " "}, off: [2]string{"(", ")"},
		choice: [2]string{"< ", " >"},
	}
}

// spokenSigns are for ears.
func spokenSigns() signs {
	return signs{
		spoken: true,
		row:    caretHere + rowMarker, focus: caretHere + focusMarker, caret: caretHere, caretEnd: caretHere, warn: "warning: ",
		danger: "attention: ", unread: "unread", source: "not read: ", none: "none", pendingNote: "note on ", suspectNote: "doubt about ",
		never: "never: ", fault: "fault, ", button: [2]string{"", " button"}, chosen: [2]string{"open tab ", ","},
		other: [2]string{"", ","}, off: [2]string{"", " (off)"},
	}
}

// caretHere marks, in a view, where the terminal's cursor belongs. It is a
// sequence that takes no room, and a Painter takes it out; a terminal that it
// reaches all the same passes over it (an application program command).
const caretHere = "\x1b_caret\x1b\\"

// takeCaret takes the marks out of the lines of a view and says where the cursor
// belongs, counted from 1: at the last mark of the first line that has one.
func takeCaret(lines []string) (row, column int, found bool) {
	for i, l := range lines {
		at := strings.LastIndex(l, caretHere)
		if at < 0 {
			continue
		}
		lines[i] = strings.ReplaceAll(l, caretHere, "")
		if !found {
			row, column, found = i+1, textWidth(strings.ReplaceAll(l[:at], caretHere, ""))+1, true
		}
	}
	return row, column, found
}

// WithoutCaret is a view for a terminal whose cursor nobody moves.
func WithoutCaret(view string) string { return strings.ReplaceAll(view, caretHere, "") }

// withCaret puts the cursor on the first line of a text where nothing in it has
// the keys.
func (m *Model) withCaret(lines []string) []string {
	if !m.opts.Accessible || m.filter.active {
		return lines
	}
	first := -1
	for i, l := range lines {
		switch {
		case strings.Contains(l, caretHere):
			return lines
		case first < 0 && strings.TrimSpace(l) != "":
			first = i
		}
	}
	if first >= 0 {
		text := strings.TrimLeft(lines[first], " ")
		lines[first] = spaces(len(lines[first])-len(text)) + caretHere + text
	}
	return lines
}

// sortText says in the breadcrumbs what an arrow shows otherwise.
func (m *Model) sortText() string {
	if !m.opts.Accessible || m.card != nil || m.dialog != nil || m.over != nil || m.running != nil {
		return ""
	}
	var cols []column
	switch m.where() {
	case onTrail:
		cols = m.trailColumns()
	case onUsers:
		cols = m.userColumns()
	case onRules:
		cols = m.rules.columns()
	case onQuotas:
		cols = m.quotas.columns()
	default:
		cols = m.open.columns()
	}
	for _, c := range cols {
		switch c.order {
		case ascending:
			return ", by " + c.title
		case descending:
			return ", by " + c.title + ", descending"
		}
	}
	return ""
}

// numbered gives every message its number: a reader passes over a line that has
// not changed, also when the same has happened again.
func (m *Model) numbered(prefix string) string {
	if !m.opts.Accessible {
		return prefix
	}
	return "message " + strconv.Itoa(m.status.number) + ", " + prefix
}

// tells reports whether the texts about time are made anew with a message. For a
// reader they are as of the last answer: a key must not change rows that have
// nothing to do with it.
func (m *Model) tells(msg tea.Msg) bool {
	if !m.opts.Accessible {
		return true
	}
	switch msg.(type) {
	case tea.KeyMsg, clockMsg, trailDueMsg, trailMarkMsg, statusDueMsg, refreshDueMsg, clipboardDueMsg:
		return m.told.IsZero()
	}
	return true
}
