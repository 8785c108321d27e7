package ui

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// sampleHMAC is the text of an HMAC with every kind of character in it.
func sampleHMAC() string {
	raw := make([]byte, kafka.HMACSize)
	for i := range raw {
		raw[i] = byte(i*37 + 251)
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func TestWhatLooksLikeAnHMAC(t *testing.T) {
	hmac := sampleHMAC()
	for text, want := range map[string]bool{
		hmac:                         true,
		strings.TrimRight(hmac, "="): true,
		strings.NewReplacer("+", "-", "/", "_").Replace(hmac):  true,
		"see " + hmac + " for it":                              true,
		`password="` + hmac + `";`:                             true,
		hmac[:76] + "\r\n" + hmac[76:]:                         true,
		hmac[:40] + "\n" + hmac[40:]:                           true,
		"":                                                     false,
		"the laptop it was on is lost, ticket OPS-1234":        false,
		"CN=ledger,OU=payments,O=Acme,L=Berlin,ST=Berlin,C=DE": false,
		strings.Repeat("a", 400):                               false,
		strings.Repeat("0123456789abcdef", 4):                  false, // a digest
		"https://example.org/Browse/Team/" + strings.Repeat("incident-", 9): false,
		"dvrDt2JhMKUEkeIQJE0PDA":                          false, // a token ID
		strings.Repeat("Wegen Verlust des Geraets 7 ", 9): false,
	} {
		if got := kafka.HoldsHMAC([]rune(text)); got != want {
			t.Errorf("%d characters from %.12q: %v", len(text), text, got)
		}
	}
}

// TestAnHMACInAnotherField: what is pasted into the wrong field is not shown,
// and a reason with it in is not recorded.
func TestAnHMACInAnotherField(t *testing.T) {
	hmac := sampleHMAC()
	for name, open := range map[string][]string{
		"reason":             {"x", "tab", "tab"},
		"hours":              {"w", "tab"},
		"owner":              {"c", "shift+tab"},
		"renewers":           {"c"},
		"max lifetime":       {"c", "tab"},
		"filter":             {"/"},
		"user by name":       {"esc", "o"},
		"file for a worker":  {"c", "tab", "tab", "enter", "p", "shift+tab"},
		"rule's resource":    {"2", "a", "tab"},
		"rule's principal":   {"2", "a", "tab", "tab", "tab", "tab", "tab"},
		"rule's host":        {"2", "a", "tab", "tab", "tab", "tab", "tab", "tab"},
		"reason to add":      {"2", "a", "shift+tab", "shift+tab", "shift+tab"},
		"reason to delete":   {"2", "x", "tab"},
		"reason to replace":  {"2", "G", "f", "tab"},
		"grant's principal":  {"2", "g"},
		"reason to grant":    {"2", "g", "tab", "tab"},
		"revoke's principal": {"2", "R"},
		"reason to revoke":   {"2", "R", "tab", "tab"},
		"quota's client-id":  {"3", "e", "shift+tab", "shift+tab", "shift+tab"},
		"quota's key":        {"3", "e", "shift+tab"},
		"quota's value":      {"3", "e"},
		"reason to set":      {"3", "e", "tab"},
		"reason to remove":   {"3", "x", "tab"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDriver(t, 80, 24, func(o *Options) { o.User = "alice" })
			d.keys(open...)
			d.paste(hmac)
			d.sees("looks like an HMAC")
			d.lacks(hmac[:12])
			runes := []rune(hmac[50:])
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(hmac[:50])})
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: runes})
			d.lacks(hmac[:12], hmac[60:72])
			if string(runes) == hmac[50:] {
				t.Error("the runes are not overwritten")
			}
			d.typed("ok")
			if name != "hours" && name != "max lifetime" {
				d.sees("ok")
			}
		})
	}
}

// TestAnHMACWhereNoTextGoes: a choice, a button or a list takes none of it, and
// its line end presses nothing.
func TestAnHMACWhereNoTextGoes(t *testing.T) {
	hmac := sampleHMAC()
	for name, open := range map[string][]string{
		"a choice in a rule":       {"2", "a"},
		"a choice of rights":       {"2", "g", "tab"},
		"a choice in a quota":      {"3", "e", "shift+tab", "shift+tab"},
		"a choice for a worker":    {"c", "tab", "tab", "enter", "p", "shift+tab", "shift+tab"},
		"a button":                 {"2", "x"},
		"the list of environments": {"E"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDriver(t, 100, 40, twoEnvironments(otherBroker()), func(o *Options) { o.User = "alice" })
			d.keys(open...)
			before := d.screen()
			runes := []rune(hmac)
			d.advance(time.Second)
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: runes})
			d.sees("pasted text was ignored")
			d.lacks(hmac[:12])
			if string(runes) == hmac {
				t.Error("the runes are not overwritten")
			}
			asked := len(d.broker.asked)
			d.send(keyMsg("enter"))
			if name == "the list of environments" || name == "a button" {
				d.sees("that came right after pasted text")
			}
			if len(d.broker.asked) != asked || d.broker.closed {
				t.Error("the pasted line end did something")
			}
			d.lacks(hmac[:12])
			d.keys("esc")
			if d.screen() == before {
				t.Error("the dialog is still open")
			}
		})
	}
}

// TestAFieldIsLeftAfterAMisplacedHMAC: the list of renewers, too, lets one go on.
func TestAFieldIsLeftAfterAMisplacedHMAC(t *testing.T) {
	d := newDriver(t, 80, 24, func(o *Options) { o.User = "alice" })
	d.keys("c")
	d.paste(sampleHMAC())
	d.sees("looks like an HMAC", "> Renewers")
	d.keys("tab")
	d.sees("> Maximum lifetime")
}

// TestAPasteThatClosesItsDialog: the rest of it is no key of the list.
func TestAPasteThatClosesItsDialog(t *testing.T) {
	d := newDriver(t, 80, 24, func(o *Options) { o.User = "alice" })
	d.keys("w")
	d.advance(time.Second)
	for _, k := range []string{"AAEC", "ctrl+g", "x", "c", "q"} {
		d.send(keyMsg(k))
	}
	d.sees("pasted text was ignored")
	d.lacks("Renew token", "Expire token", "Create delegation token")
	if d.quit {
		t.Error("the paste quit dtok")
	}
	d.keys("w", "esc", "x") // typed, they are keys
	d.sees("Expire token")
}
