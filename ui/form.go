package ui

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// fieldKind is what a field takes.
type fieldKind int

const (
	textField     fieldKind = iota
	listField               // enter adds what is typed to items
	secretField             // an HMAC: never shown, never in a lineInput
	choiceField             // one of options
	passwordField           // a password: never shown, never in a lineInput
)

// field is one input of a form.
type field struct {
	label  string
	kind   fieldKind
	input  lineInput
	items  []string
	secret secretInput
	// password is for a passwordField.
	password passwordInput
	// options and chosen are for a choiceField.
	options []option
	chosen  int
	// hint is said below the field; problem replaces it when something typed
	// cannot be used.
	hint    string
	problem string
	// check tests an item before it is added to a listField and may change
	// how it is written.
	check func(string) (string, error)
}

func newTextField(label, value string, limit int) *field {
	return &field{label: label, kind: textField, input: newLineInput(value, limit)}
}

func newListField(label string, check func(string) (string, error)) *field {
	f := newTextField(label, "", 256)
	f.kind, f.check = listField, check
	return f
}

func newSecretField(label string) *field {
	return &field{label: label, kind: secretField, secret: newSecretInput()}
}

// value is the text typed, without blanks around it.
func (f *field) value() string { return strings.TrimSpace(f.input.value()) }

// add moves what is typed into items; it reports whether there was anything.
func (f *field) add() bool {
	typed := f.value()
	if typed == "" {
		f.problem = "" // of what is not there any more
		return false
	}
	item, err := f.check(typed)
	if err != nil {
		f.problem = err.Error()
		return true
	}
	f.problem = ""
	f.input.set("")
	for _, have := range f.items {
		if have == item {
			return true
		}
	}
	f.items = append(f.items, item)
	return true
}

func (f *field) handle(msg tea.KeyMsg, now time.Time) {
	switch f.kind {
	case secretField:
		f.secret.handle(msg, now)
		return
	case choiceField:
		if keyName(msg) == "" {
			clear(msg.Runes) // an HMAC, perhaps
			f.problem = "pasted text was ignored: this field takes no text"
			return
		}
		f.problem = ""
		f.choose(msg)
		return
	case passwordField:
		f.password.handle(msg)
		return
	}
	if f.kind == listField && msg.Type == tea.KeyBackspace && f.input.value() == "" && len(f.items) > 0 {
		f.items = f.items[:len(f.items)-1]
		return
	}
	f.problem = ""
	if f.input.handle(msg, now) {
		f.problem = misplacedText
	}
}

// formResult is what a key did to a form.
type formResult int

const (
	formStays formResult = iota
	formCancelled
	formPressed // the button under the focus, which is not Cancel
)

// cancelLabel is the button that gives a form up.
const cancelLabel = "Cancel"

// focusMarker stands before the field or button that has the keys.
const focusMarker = "> "

// form is the fields and buttons of a dialog and the focus among them.
type form struct {
	fields  []*field
	buttons []string
	focus   int // fields first, then buttons
	guard   pasteGuard
	// enterSubmits lets enter in the last field press the first button, where
	// that changes nothing in the cluster.
	enterSubmits bool
	// problem is why the last attempt failed.
	problem string
}

func (f *form) focusButton(label string) {
	for i, b := range f.buttons {
		if b == label {
			f.focus = len(f.fields) + i
		}
	}
}

// takeHMAC gives the HMAC in the field to the caller, who destroys it. The field
// is wiped in every case; it says why what it held is no HMAC.
func (f *form) takeHMAC(in *field) (*kafka.Secret, bool) {
	hmac, err := in.secret.take()
	if err != nil {
		in.problem, f.focus = err.Error(), slices.Index(f.fields, in)
		return nil, false
	}
	in.problem = ""
	return hmac, true
}

func (f *form) focused() *field {
	if f.focus < len(f.fields) {
		return f.fields[f.focus]
	}
	return nil
}

// wipe overwrites the secrets of the form.
func (f *form) wipe() {
	for _, in := range f.fields {
		in.secret.wipe()
		in.password.wipe()
	}
}

func (f *form) step(by int) {
	n := len(f.fields) + len(f.buttons)
	if in := f.focused(); in != nil && in.kind == listField {
		in.add()
		if in.problem != "" {
			return
		}
	}
	f.focus = (f.focus + by + n) % n
}

// handle takes a key. Whatever was pasted never presses a button: not by the
// line ends in it, and not by keys that follow at once.
func (f *form) handle(msg tea.KeyMsg, now time.Time) formResult {
	in := f.focused()
	f.guard.see(msg, now)
	if in != nil && in.kind == secretField && in.secret.handle(msg, now) {
		f.problem, in.problem = "", ""
		return formStays
	}
	switch keyName(msg) {
	case "esc", "ctrl+g":
		return formCancelled
	case "tab", "down":
		f.step(1)
		return formStays
	case "shift+tab", "up":
		f.step(-1)
		return formStays
	case "enter":
		if in == nil {
			return f.press(now)
		}
		if in.kind == listField && in.add() {
			return formStays
		}
		if f.enterSubmits && f.focus == len(f.fields)-1 {
			f.focus = len(f.fields)
			return f.press(now)
		}
		f.step(1)
		return formStays
	}
	if in != nil {
		if in.kind != secretField {
			in.handle(msg, now)
		}
		return formStays
	}
	switch keyName(msg) {
	case "left", "right":
		f.moveButton(msg.Type == tea.KeyRight)
	case "":
		clear(msg.Runes)
		f.problem = "pasted text was ignored: a button has the focus; tab goes to the fields"
	}
	return formStays
}

func (f *form) moveButton(right bool) {
	by := -1
	if right {
		by = 1
	}
	n := len(f.buttons)
	f.focus = len(f.fields) + (f.focus-len(f.fields)+by+n)%n
}

func (f *form) press(now time.Time) formResult {
	if f.guard.refuses(now) {
		f.problem = "that came right after pasted text, so it pressed nothing; press it again"
		return formStays
	}
	f.problem = ""
	if f.buttons[f.focus-len(f.fields)] == cancelLabel {
		return formCancelled
	}
	for _, in := range f.fields {
		if in.kind == listField {
			in.add()
			if in.problem != "" {
				return formStays
			}
		}
	}
	return formPressed
}
