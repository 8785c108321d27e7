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

// A word that arrives in one read, as over a slow line or from a paste without
// brackets, is text also where it is the name of a key.
func TestPaste_wordsThatNameKeys(t *testing.T) {
	for _, word := range []string{"left", "right", "home", "end", "up", "down", "delete", "backspace", "tab", "enter", "esc"} {
		d := onPage(t)
		d.keys("x", "tab", "tab")
		for _, part := range []tea.KeyMsg{runesKey("the"), plainKey(tea.KeySpace), runesKey(word), plainKey(tea.KeySpace), runesKey("team")} {
			d.send(part)
		}
		d.sees("> Reason  the " + word + " team_")
		d.keys("esc", "/")
		d.send(runesKey(word))
		d.sees("/" + word + "_")
	}
}

// The key that opens a dialog and the line ends after it can be one paste that
// is not bracketed: it creates nothing.
func TestPaste_fromTheKeyThatOpens(t *testing.T) {
	for _, press := range []string{"enter", "tab"} {
		d := onPage(t)
		d.send(runesKey("c"))
		for range 9 {
			if strings.Contains(d.screen(), "> [ Create ]") {
				break
			}
			d.send(keyMsg(press))
		}
		d.send(keyMsg("enter"))
		d.sees("Create delegation token")
		if count(d.broker.asked, "create ") > 0 {
			t.Errorf("c and %s in one paste created a token", press)
		}
		d.keys("enter")
		if count(d.broker.asked, "create ") != 1 {
			t.Error("enter on the button does nothing any more")
		}
	}
}
