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
		"reason":       {"x", "tab", "tab"},
		"hours":        {"w", "tab"},
		"owner":        {"c", "shift+tab"},
		"renewers":     {"c"},
		"max lifetime": {"c", "tab"},
		"filter":       {"/"},
		"user by name": {"esc", "o"},
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
