package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// Text that is pasted where no field is open does nothing.
func TestPaste_stray(t *testing.T) {
	for _, bracketed := range []bool{true, false} {
		d := onPage(t)
		text := d.broker.hmacText(tok1)
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: bracketed})
		d.send(keyMsg("x"))
		d.send(keyMsg("enter"))
		d.sees("pasted text was ignored")
		if d.m.dialog != nil || d.m.over != nil {
			t.Error("the paste opened something")
		}
		d.keys("j", "x")
		d.sees("Expire token " + tok2)
	}
}

// A paste never presses a button, whatever line ends are in it and whatever
// keys follow at once.
func TestPaste_neverConfirms(t *testing.T) {
	d := onPage(t)
	d.keys("x", "tab", "tab")
	d.typed("why")
	d.keys("tab")
	d.sees("> [ Expire ]")
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(d.broker.hmacText(tok1)), Paste: true})
	d.send(keyMsg("enter"))
	d.sees("> [ Expire ]", "[empty]")
	for _, end := range []string{"\n", "\r\n", "\r"} {
		d = onPage(t)
		d.keys("w")
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(d.broker.hmacText(tok1) + end), Paste: true})
		d.send(keyMsg("enter"))
		d.send(keyMsg("enter"))
		d.send(keyMsg("enter"))
		if d.m.running != nil || count(d.broker.asked, "renew ") > 0 {
			t.Errorf("%q confirmed", end)
		}
	}
}

func TestPaste_huge(t *testing.T) {
	d := onPage(t)
	d.keys("w")
	d.paste(strings.Repeat("A", 1<<20))
	d.sees("too long: nothing kept")
	d.keys("tab", "tab", "enter")
	d.sees("too long for an HMAC")
}
