package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"dtok/kafka"
)

// onPage opens alice's tokens.
func onPage(t *testing.T, change ...func(*Options)) *driver {
	t.Helper()
	d := newDriver(t, 80, 24, change...)
	d.keys("j", "enter")
	d.sees("demo > alice > 3 tokens")
	return d
}

func TestCreate(t *testing.T) {
	d := onPage(t)
	d.keys("c")
	d.sees("Create delegation token", "ops is added, so that this connection can renew and expire the token.")
	d.typed("carol")
	d.keys("enter")
	d.typed("User:bob")
	d.keys("enter", "tab")
	d.typed("12")
	d.golden("create-80x24")
	d.keys("tab", "enter")
	if len(d.broker.created) != 1 {
		t.Fatalf("%d create requests", len(d.broker.created))
	}
	req := d.broker.created[0]
	if req.Owner != alice || fmt.Sprint(req.Renewers) != "[User:carol User:bob User:ops]" || req.MaxLifetime.Duration() != 12*time.Hour {
		t.Errorf("asked for %v %v %v", req.Owner, req.Renewers, req.MaxLifetime)
	}
	d.sees("Copy this now", "Delegation token created for alice", "tok-new-00000000000001")
	d.golden("card-80x24")
	text := d.broker.hmacText("tok-new-00000000000001")
	if got := d.m.card.hmacLines(200); len(got) != 1 || got[0] != text {
		t.Errorf("the card shows another HMAC")
	}
	d.keys("y")
	if len(d.copies) != 1 || d.copies[0] != text {
		t.Fatalf("copied %d texts", len(d.copies))
	}
	d.keys("d")
	d.lacks("Copy this now")
	d.broker.mustNotHold(t, "model", fmt.Sprintf("%+v %#v", d.m, d.m.page))
	d.sees("demo > alice > 4 tokens")
}

func TestCreate_renewers(t *testing.T) {
	cases := []struct {
		name      string
		owner     kafka.Principal
		principal kafka.Principal
		typed     []string
		want      string
		says      string
	}{
		{"self is added once", alice, ops, []string{"ops"}, "[User:ops]", ""},
		{"not to one's own token", ops, ops, nil, "[]", "The owner renews and expires its own token."},
		{"unknown principal", alice, kafka.Principal{}, []string{"carol"}, "[User:carol]",
			"The brokers derive this connection's principal themselves"},
		{"twice the same", alice, ops, []string{"carol", "User:carol"}, "[User:carol User:ops]", ""},
		{"a name with commas", alice, ops, []string{"CN=a,OU=b"}, "[User:CN=a,OU=b User:ops]", ""},
		{"a name with a colon", alice, ops, []string{"spiffe://ns/sa"}, "[User:spiffe://ns/sa User:ops]", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := newDriver(t, 80, 24, func(o *Options) { o.User = c.owner.Name })
			d.broker.session.Principal = c.principal
			d.keys("c")
			if c.says != "" {
				d.sees(c.says)
			}
			for _, name := range c.typed {
				d.typed(name)
				d.keys("enter")
			}
			d.keys("tab", "tab", "enter")
			if len(d.broker.created) != 1 || fmt.Sprint(d.broker.created[0].Renewers) != c.want {
				t.Fatalf("asked for %v", d.broker.created)
			}
		})
	}
}

func TestCreate_badInput(t *testing.T) {
	cases := []struct{ renewer, hours, says string }{
		{"user:carol", "", "capital U"},
		{"Group:ops", "", "only principals of type User"},
		{"User:", "", "a name is missing"},
		{"", "0", "greater than zero"},
		{"", "-1", "greater than zero"},
		{"", "1,5", "hours as a number"},
		{"", "99999999999999", "more than a Kafka timestamp can hold"},
		{"", "２４", "hours as a number"},
	}
	for _, c := range cases {
		t.Run(c.renewer+c.hours, func(t *testing.T) {
			d := onPage(t)
			d.keys("c")
			d.typed(c.renewer)
			if c.renewer != "" {
				d.keys("enter")
			} else {
				d.keys("tab")
				d.typed(c.hours)
				d.keys("tab", "enter")
			}
			d.sees(c.says)
			if len(d.broker.created) != 0 {
				t.Error("something was sent")
			}
		})
	}
}

func TestCreate_cancelled(t *testing.T) {
	d := onPage(t)
	d.keys("c", "esc")
	d.lacks("Create delegation token")
	d.keys("c", "tab", "tab", "tab", "enter")
	d.lacks("Create delegation token")
	if len(d.broker.created) != 0 {
		t.Errorf("asked %v", d.broker.asked)
	}
}

// A refusal brings the dialog back with what was typed, to be mended.
func TestCreate_refused(t *testing.T) {
	d := onPage(t)
	d.broker.createErr = &kafka.RefusedError{Op: kafka.OpCreateToken, Code: kafka.CodeTokenAuthFailed, Owner: alice}
	d.keys("c")
	d.typed("carol")
	d.keys("enter", "tab", "tab", "enter")
	d.sees("Create delegation token", "carol", "This connection's identity may not create tokens for that owner "+
		"(CreateTokens on the user), which issuing a token for another user needs.", "User:alice")
	d.lacks("topic", "Copy this now")
	d.golden("create-refused-80x24")
	d.keys("esc")
	if d.m.dialog != nil {
		t.Error("esc left the dialog open")
	}
}

// The list is read again two seconds after a change, and further while a
// broker does not show it.
func TestCreate_lateBroker(t *testing.T) {
	d := onPage(t)
	d.broker.lag = true
	d.keys("c", "tab", "tab", "enter", "y", "d")
	d.sees("*in 23h 59m", "made a moment ago; the broker does not list it yet")
	asked := len(d.broker.asked)
	d.advance(2 * time.Second)
	if got := d.broker.asked[asked:]; len(got) != 1 || got[0] != "tokens User:alice" {
		t.Fatalf("asked %v", got)
	}
	d.sees("tok-new-00000000000001", "made a moment ago; the broker does not list it yet")
	d.broker.catchUp()
	d.advance(2 * time.Second)
	d.sees("tok-new-00000000000001")
	d.lacks("*", "made a moment ago")
	asked = len(d.broker.asked)
	d.advance(time.Hour)
	if len(d.broker.asked) != asked {
		t.Errorf("still reading: %v", d.broker.asked[asked:])
	}
}

// A creation whose answer was lost is unknown; the token that shows up is
// marked, and nothing is sent again.
func TestCreate_lostAnswer(t *testing.T) {
	d := onPage(t)
	d.broker.createErr = &kafka.UnknownOutcomeError{Op: kafka.OpCreateToken, Err: errors.New("the connection was lost")}
	d.keys("c", "tab", "tab", "enter")
	d.lacks("Copy this now")
	d.sees("error:", "may or may not have")
	d.advance(2 * time.Second)
	d.sees("tok-new-00000000000001", "?in 23h 59m", "It appeared after a creation whose answer was lost")
	d.advance(time.Minute)
	if len(d.broker.created) != 1 {
		t.Errorf("%d create requests", len(d.broker.created))
	}
}

func TestCreate_capped(t *testing.T) {
	d := onPage(t)
	d.broker.capped = true
	d.keys("c", "tab")
	d.typed("1000")
	d.keys("tab", "enter")
	d.sees("capped by the cluster to 168 hours (7 days)", "1000 hours were asked for")
}

// Leaving the card before a copy asks once, whatever the way.
func TestCard_leaving(t *testing.T) {
	for _, key := range []string{"d", "esc", "q"} {
		t.Run(key, func(t *testing.T) {
			d := onPage(t)
			d.keys("c", "tab", "tab", "enter", key)
			d.sees("The HMAC has not been copied. Leave all the same?")
			d.keys("j")
			d.lacks("Leave all the same?")
			d.sees("Copy this now")
			d.keys(key, key)
			d.lacks("Copy this now")
			if d.quit != (key == "q") {
				t.Errorf("quit: %v", d.quit)
			}
		})
	}
}

// TestCard_quitFromHelp: the help over the card is no way around the question.
func TestCard_quitFromHelp(t *testing.T) {
	d := onPage(t)
	d.keys("c", "tab", "tab", "enter", "?")
	d.sees("Help")
	d.keys("q")
	d.sees("Copy this now", "The HMAC has not been copied. Leave all the same?")
	if d.quit {
		t.Error("q in the help quit while the HMAC had not been copied")
	}
	d.keys("q")
	if !d.quit {
		t.Error("the second q did not quit")
	}
}

func TestCard_ctrlCWipes(t *testing.T) {
	d := onPage(t)
	d.keys("c", "tab", "tab", "enter")
	hmac := d.m.card.hmac
	d.keys("ctrl+c")
	if !d.quit || hmac.Len() != 0 {
		t.Errorf("quit %v, %d bytes left", d.quit, hmac.Len())
	}
}

func TestCard_notCopied(t *testing.T) {
	d := onPage(t)
	d.copyIs = errors.New("there is no clipboard here")
	d.keys("c", "tab", "tab", "enter", "y")
	d.sees("error: not copied: there is no clipboard here", "Copy this now")
	d.keys("d")
	d.sees("Leave all the same?")
}

func TestCard_configAndSignIn(t *testing.T) {
	d := onPage(t)
	d.keys("c", "tab", "tab", "enter", "v")
	d.sees("done: sign-in works: token tok-new-00000000000001 with SCRAM-SHA-512, as User:alice", "Copy this now")
	d.keys("p")
	d.sees("Client configuration for a worker", "Java or Flink", "cannot send tokenauth")
	d.golden("worker-80x24")
	d.keys("enter")
	if len(d.copies) != 1 || !d.m.card.copied || !strings.Contains(d.copies[0], "ScramLoginModule") {
		t.Errorf("copied %d texts", len(d.copies))
	}
	d.sees("Copy this now")
}

// A configuration can go to a new file; what cannot be written says why.
func TestCard_configToFile(t *testing.T) {
	saved := map[string]string{}
	d := onPage(t, func(o *Options) {
		o.Save = func(path string, text []byte) error {
			if saved[path] != "" {
				return errors.New(path + " is already there")
			}
			saved[path] = string(text)
			return nil
		}
	})
	d.keys("c", "tab", "tab", "enter", "p", "tab", "tab", "right", "right", "tab", "right", "tab", "tab", "enter")
	d.sees("name a new file")
	d.typed("w.toml")
	d.keys("tab", "enter")
	d.sees("client configuration: written to w.toml")
	if !strings.Contains(saved["w.toml"], "is_token = true") || !d.m.card.copied {
		t.Errorf("saved %d files", len(saved))
	}
	d.keys("p", "shift+tab")
	d.typed("w.toml")
	d.sees("a new file") // a name says so
	d.keys("tab", "enter")
	d.sees("not written: w.toml is already there", "Client configuration for a worker", "> File")
	d.keys("ctrl+u")
	d.typed("w2.toml")
	d.keys("tab", "enter")
	d.sees("client configuration: written to w2.toml", "Copy this now")
	if len(saved) != 2 {
		t.Errorf("saved %d files", len(saved))
	}
}

// A creation that was cancelled too late still shows its card: results of
// changes are never dropped.
func TestCreate_resultAfterLeaving(t *testing.T) {
	d := onPage(t)
	d.keys("c", "tab", "tab")
	d.hold = true
	d.keys("enter")
	d.sees("Creating a token for alice")
	d.keys("esc")
	d.release()
	d.sees("Copy this now")
}

// With a change on its way, esc and ctrl+c first say what giving up means.
func TestRunning_givingUp(t *testing.T) {
	d := onPage(t)
	d.keys("c", "tab", "tab")
	d.hold = true
	d.keys("enter")
	d.m.running.progress.Set(kafka.PhaseSent)
	d.keys("esc")
	d.sees("esc again stops waiting")
	d.keys("ctrl+c")
	if !d.quit {
		t.Error("the second ctrl+c did not quit")
	}
	d = onPage(t)
	d.keys("c", "tab", "tab")
	d.hold = true
	d.keys("enter")
	ctx, cancel := context.WithCancel(context.Background())
	d.m.running.cancel = cancel
	d.keys("esc")
	if ctx.Err() == nil {
		t.Error("esc did not cancel what was not sent yet")
	}
}
