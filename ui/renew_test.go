package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dtok/kafka"
)

const (
	tok1 = "tok-alice-000000000001"
	tok2 = "tok-alice-000000000002"
	tok3 = "tok-alice-000000000003"
)

func TestRenew(t *testing.T) {
	d := onPage(t)
	d.keys("w")
	d.sees("Renew token", tok1)
	d.golden("renew-80x24")
	d.paste(d.broker.hmacText(tok1))
	d.sees("88 characters, can be an HMAC")
	d.keys("tab", "tab", "enter")
	d.sees("done: token "+tok1+" renewed: expires 2026-03-15 09:26", "was 2026-03-15 07:26:53 UTC")
	d.broker.mustNotHold(t, "model", fmt.Sprintf("%+v", d.m))
	if n := count(d.broker.asked, "renew "); n != 1 {
		t.Errorf("%d renewals", n)
	}
	asked := len(d.broker.asked)
	d.advance(2 * time.Second)
	if got := d.broker.asked[asked:]; len(got) != 1 || got[0] != "tokens User:alice" {
		t.Errorf("asked %v", got)
	}
}

func TestRenew_shortens(t *testing.T) {
	d := onPage(t)
	d.keys("w")
	d.paste(d.broker.hmacText(tok1))
	d.keys("tab")
	d.typed("2")
	d.sees("The token would then expire earlier than now planned", "instead of 2026-03-15 07:26:53 UTC")
	d.keys("tab", "enter")
	d.sees("! token "+tok1+" renewed", "that is earlier than before")
}

// An HMAC of another token changes nothing; the text is the one agreed on.
func TestRenewAndExpire_otherHMAC(t *testing.T) {
	for _, key := range []string{"w", "x"} {
		t.Run(key, func(t *testing.T) {
			d := onPage(t)
			d.keys(key)
			if key == "x" {
				d.keys("tab")
			}
			d.paste(d.broker.hmacText(tok2))
			d.keys("tab")
			d.typed("7")
			d.keys("tab", "enter")
			d.sees("The HMAC given is not the HMAC of token " + tok1)
			if count(d.broker.asked, "renew ")+count(d.broker.asked, "expire ") != 0 {
				t.Errorf("asked %v", d.broker.asked)
			}
			d.sees("[empty]")
		})
	}
}

func TestRenew_refusals(t *testing.T) {
	cases := []struct {
		err  error
		says string
	}{
		{&kafka.RefusedError{Op: kafka.OpRenewToken, Code: kafka.CodeTokenOwnerMismatch, TokenID: tok1},
			"This connection's identity is neither the owner of token " + tok1 + " nor one of its renewers; only they can renew or expire it."},
		{&kafka.RefusedError{Op: kafka.OpRenewToken, Code: kafka.CodeTokenExpired, TokenID: tok1}, "cannot be renewed"},
		{&kafka.GoneError{TokenID: tok1}, tok1},
		{&kafka.ReadOnlyError{Reason: "change freeze"}, "change freeze"},
	}
	for _, c := range cases {
		d := onPage(t)
		d.broker.renewErr = c.err
		d.keys("w")
		d.paste(d.broker.hmacText(tok1))
		d.keys("tab", "tab", "enter")
		d.sees("error:", c.says)
	}
}

// Beforehand the dialog says that a stranger will be refused.
func TestRenew_stranger(t *testing.T) {
	d := onPage(t)
	d.broker.session.Principal = bob
	d.keys("w")
	d.sees("This connection (User:bob) is neither the owner of the token nor one of its renewers")
}

// The requester may see a token but not renew it.
func TestRenew_requester(t *testing.T) {
	d := onPage(t)
	d.broker.session.Principal = ops
	d.keys("j", "w")
	d.sees(tok2)
	d.lacks("neither the owner")
	d.keys("esc", "j", "w")
	d.sees(tok3, "neither the owner", "cannot be renewed; create a new one")
}

func TestExpire(t *testing.T) {
	d := onPage(t)
	d.keys("x")
	d.sees("Expire token "+tok1+"?", "> [ Cancel ]", "this cannot be undone",
		"until its first request after the expiry that was known when it signed in")
	d.lacks("at once loses", "immediately")
	d.golden("expire-80x24")
	d.keys("tab")
	d.paste(d.broker.hmacText(tok1))
	d.keys("tab")
	d.typed("leaked in a chat")
	d.keys("tab", "enter")
	d.sees("done: token "+tok1+" expired", "2 tokens")
	if n := count(d.broker.asked, "expire "+tok1+" because leaked in a chat"); n != 1 {
		t.Errorf("asked %v", d.broker.asked)
	}
	d.advance(2 * time.Second)
	d.sees("2 tokens")
}

// A token that is removed after its expiry would have lived no longer.
func TestExpire_alreadyExpired(t *testing.T) {
	d := onPage(t)
	d.keys("j", "j", "x", "tab")
	d.paste(d.broker.hmacText("tok-alice-000000000003"))
	d.keys("tab")
	d.typed("cleanup")
	d.keys("tab", "enter")
	if got, want := flatten(d.screen()), "done: token tok-alice-000000000003 is removed; it had expired already, at 2026-03-14 06:26:53 UTC"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, d.screen())
	}
	d.lacks("would have lived")
}

func TestExpire_lateBroker(t *testing.T) {
	d := onPage(t)
	d.broker.lag = true
	d.keys("x", "tab")
	d.paste(d.broker.hmacText(tok1))
	d.keys("tab")
	d.typed("x")
	d.keys("tab", "enter")
	d.sees("2 tokens")
	d.advance(2 * time.Second)
	d.sees("3 tokens", "expired a moment ago; the broker still lists it")
	d.broker.tokens = d.broker.tokens[1:]
	d.advance(2 * time.Second)
	d.sees("2 tokens")
	d.lacks("a moment ago")
}

func TestExpire_needsReasonAndHMAC(t *testing.T) {
	d := onPage(t)
	d.keys("x", "tab")
	d.paste(d.broker.hmacText(tok1))
	d.keys("tab")
	d.typed("  ")
	d.keys("tab", "enter")
	d.sees("say why the token is expired", "88 characters, can be an HMAC")
	d.typed("why")
	d.keys("shift+tab")
	d.paste("lAYYSFmLs4bTjf+lTZ1LCHR/ZZFNA==")
	d.keys("backspace")
	d.paste("lAYYSFmLs4bTjf+lTZ1LCHR/ZZFNA==")
	d.keys("tab", "tab", "enter")
	d.sees("that is not")
	d.lacks("lAYYSFmLs4bT")
	if count(d.broker.asked, "expire ") != 0 {
		t.Error("something was sent")
	}
}

// Every way out of a dialog wipes what was pasted.
func TestDialog_wiped(t *testing.T) {
	ways := map[string]func(*driver){
		"esc":     func(d *driver) { d.keys("esc") },
		"cancel":  func(d *driver) { d.keys("tab", "tab", "tab", "enter") },
		"ctrl+c":  func(d *driver) { d.keys("ctrl+c") },
		"suspend": func(d *driver) { d.send(keyMsg("ctrl+z")) },
		"close":   func(d *driver) { d.m.Close() },
		"tiny":    func(d *driver) { d.m.resize(5, 2) },
	}
	for name, leave := range ways {
		t.Run(name, func(t *testing.T) {
			d := onPage(t)
			d.keys("w")
			d.paste(d.broker.hmacText(tok1))
			field := d.m.dialog.(*renewDialog).hmac
			if field.secret.empty() {
				t.Fatal("the paste did not arrive")
			}
			leave(d)
			if !field.secret.empty() {
				t.Error("the field still holds the paste")
			}
		})
	}
}

func count(lines []string, prefix string) int {
	n := 0
	for _, l := range lines {
		if strings.HasPrefix(l, prefix) {
			n++
		}
	}
	return n
}

// What was wrong with an HMAC is not said of the next one.
func TestRenew_problemGoesWithItsHMAC(t *testing.T) {
	d := onPage(t)
	d.keys("w")
	d.typed("QUJD")
	d.keys("tab", "tab", "enter")
	d.sees("that is not an HMAC")
	d.paste(d.broker.hmacText(tok1))
	d.sees("can be an HMAC")
	d.lacks("that is not an HMAC")
}
