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

func TestUsers(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.golden("users-80x24")
	d.keys("t")
	d.sees("All tokens > 4 tokens")
	d.golden("all-tokens-80x24")
	d.keys("esc", "j", "enter")
	d.golden("tokens-80x24")
	d.keys("enter")
	d.golden("details-80x24")
	d.keys("esc", "?")
	d.golden("help-80x24")
}

func TestWide(t *testing.T) {
	d := newDriver(t, 160, 45)
	d.golden("users-160x45")
	d.keys("j", "enter")
	d.golden("tokens-160x45")
	d.keys("esc")
	if d.m.at != onUsers {
		t.Error("esc did not go to the users")
	}
	d.keys("tab")
	if d.m.at != onTokens {
		t.Error("tab did not go to the page")
	}
}

func TestUser_flag(t *testing.T) {
	d := newDriver(t, 80, 24, func(o *Options) { o.User = "bob" })
	d.sees("demo > bob > 1 token")
	if got := fmt.Sprint(d.broker.asked); got != "[tokens User:bob]" {
		t.Errorf("asked %s", got)
	}
	d.keys("esc")
	d.sees("alice")
}

func TestOpen_byName(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.keys("o")
	d.typed("nobody")
	d.keys("enter")
	d.sees("demo > nobody", "No delegation tokens", "Tokens may be hidden", "DescribeTokens on the User resource User:nobody")
}

// A late answer of an earlier user never lands on this one.
func TestLateAnswer(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.hold = true
	d.keys("j", "enter", "esc", "j", "enter")
	d.sees("demo > bob")
	d.release()
	d.sees("demo > bob > 1 token", "tok-bob-00000000000001")
	d.lacks(tok1)
}

// The cursor stays on its token when rows move.
func TestCursor_stays(t *testing.T) {
	d := onPage(t)
	d.keys("j")
	d.broker.add(token("tok-alice-000000000009", alice, alice, 0, time.Hour, 2*time.Hour))
	d.keys("r", "x")
	d.sees("Expire token " + tok2 + "?")
	d.keys("esc")
	d.broker.tokens = nil
	d.keys("r")
	d.sees("No delegation tokens")
	d.broker.add(token("tok-alice-000000000010", alice, alice, 0, time.Hour, 2*time.Hour))
	d.keys("r")
	d.sees("> tok-alice-000000000010")
}

func TestFilterAndSort(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.keys("/")
	d.typed("AL")
	d.sees("/AL_", "> alice")
	d.lacks("bob", "All tokens")
	d.keys("enter", "enter")
	d.sees("demo > alice")
	d.keys("/")
	d.typed("carol")
	d.sees(tok2)
	d.lacks(tok1)
	d.keys("esc")
	d.sees(tok1)
	d.keys("s", "s", "s")
	d.sees("↑Token ID")
	d.keys("S")
	d.sees("↓Token ID")
	first := strings.Index(d.screen(), tok3)
	if second := strings.Index(d.screen(), tok1); first < 0 || first > second {
		t.Errorf("not sorted:\n%s", d.screen())
	}
}

func TestFilter_nothing(t *testing.T) {
	d := onPage(t)
	d.keys("/")
	d.typed("zzz")
	d.sees("no token matches the filter")
	d.keys("enter", "w")
	d.sees("there is no token under the cursor")
}

func TestReadOnly(t *testing.T) {
	d := onPage(t, func(o *Options) { o.Environments[0].ReadOnly = "change freeze until Monday" })
	d.sees("READ-ONLY", "(c create)", "(w renew)", "(x expire)")
	for _, key := range []string{"c", "w", "x"} {
		d.keys(key)
		d.sees("! read-only: change freeze until Monday")
		if d.m.dialog != nil {
			t.Errorf("%s opened a dialog", key)
		}
	}
	d.golden("read-only-80x24")
}

// Why tokens are off is on the list, and the controls say it too.
func TestOff(t *testing.T) {
	for cause := kafka.OffNoAPI; cause <= kafka.OffOther; cause++ {
		off := &kafka.OffError{Cause: cause, Version: "Kafka 3.5", MetadataVersion: 13}
		d := newDriver(t, 80, 24)
		d.broker.tokensErr = off
		d.broker.failed = map[kafka.Source]error{kafka.FromTokens: off}
		d.keys("r", "j", "enter")
		d.sees(off.Error(), "(c create)")
		d.keys("c")
		if d.m.dialog != nil {
			t.Errorf("cause %d: c opened a dialog", cause)
		}
		if cause == kafka.OffNoSecretKey {
			d.sees("This cluster issues no delegation tokens: its brokers have no delegation.token.secret.key to sign them with")
			d.golden("no-secret-key-80x24")
		}
	}
}

func TestSources_failed(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.broker.failed = map[kafka.Source]error{
		kafka.FromACLs: &kafka.RefusedError{Op: kafka.OpListACLs, Code: kafka.CodeClusterAuth}}
	d.keys("r")
	d.sees("? ACL rules:", "Describe")
	d.golden("source-refused-80x24")
}

func TestConnect_fails(t *testing.T) {
	broken := errors.New("cannot connect to b:9092: connect: connection refused")
	d := newDriver(t, 80, 24, func(o *Options) {
		connect := o.Environments[0].Connect
		o.Environments[0].Connect = func(ctx context.Context, password *kafka.Secret) (Broker, error) {
			if broken != nil {
				return nil, broken
			}
			return connect(ctx, password)
		}
	})
	d.sees("error: cannot connect to b:9092", "r tries again")
	d.keys("d")
	d.sees("there is nothing to diagnose here")
	d.m.envs.all[0].Check = func(context.Context, *kafka.Secret) ([]string, error) {
		return []string{"ok    look up   b", "fail  connect   b:9092: refused\n                Is it started?"}, nil
	}
	d.keys("d")
	d.sees("Diagnosis", "fail connect b:9092: refused", "Is it started?")
	d.lacks(`\n`)
	d.keys("esc")
	broken = nil
	d.keys("r")
	d.sees("All tokens", "alice")
}

func TestReading_fails(t *testing.T) {
	d := onPage(t)
	d.broker.tokensErr = errors.New("the broker did not answer within 10 s")
	d.keys("r")
	d.sees("error: the broker did not answer within 10 s", "stale: read", tok1)
	d.broker.tokensErr = nil
	d.keys("r")
	d.lacks("stale", "error:")
}

// Names from a broker never reach the terminal as they are.
func TestHostileNames(t *testing.T) {
	d := newDriver(t, 80, 24)
	evil := kafka.UserPrincipal("evil\x1b]52;c;AAAA\a\u202e\r\n\x9b31m")
	d.broker.users = append(d.broker.users, kafka.User{Principal: evil})
	hostile := token("tok-\x1b[2Jx", evil, evil, 0, time.Hour, time.Hour, evil)
	d.broker.add(hostile)
	d.keys("r", "t", "enter", "esc", "w", "esc", "x", "esc", "c", "esc", "v", "esc")
	d.keys("esc", "/")
	d.typed("evil")
	d.keys("enter", "enter", "c")
}

// Exactly one row carries the marker, also without colour.
func TestMarker(t *testing.T) {
	d := newDriver(t, 80, 24)
	for range 6 {
		n := 0
		for _, l := range strings.Split(d.screen(), "\n") {
			if strings.HasPrefix(l, "> ") {
				n++
			}
		}
		if n != 1 {
			t.Fatalf("%d rows marked:\n%s", n, d.screen())
		}
		d.keys("j")
	}
}

func TestDisconnectedQuit(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.keys("q")
	if !d.quit {
		t.Error("q did not quit")
	}
	d.m.Close()
	if !d.broker.closed {
		t.Error("the connection was left open")
	}
}

// An idle screen asks for the clock only when a shown text changes.
func TestClock(t *testing.T) {
	d := onPage(t)
	d.advance(time.Minute) // what came with the keys
	d.timers = nil
	d.m.clock = clock{}
	d.send(clockMsg{})
	before := d.screen()
	due := d.m.clock.due.Sub(d.now)
	if due <= 0 || due > 2*time.Minute {
		t.Fatalf("next clock in %s", due)
	}
	d.advance(due - time.Millisecond)
	if d.screen() != before {
		t.Error("the screen changed before the clock")
	}
	d.advance(time.Millisecond)
	if d.screen() == before {
		t.Error("the clock came and nothing changed")
	}
	d.advance(40 * time.Minute)
	d.sees("EXPIRED")
}

// What the audit trail could not write stays on the screen until it is.
func TestAuditTrouble(t *testing.T) {
	trouble := ""
	d := onPage(t, func(o *Options) { o.AuditTrouble = func() string { return trouble } })
	trouble = "the audit trail lacks 1 outcome: no space left on device"
	d.keys("j")
	d.sees("!! the audit trail lacks 1 outcome: no space left on device")
	d.keys("c", "esc", "?", "esc")
	d.sees("!! the audit trail lacks 1 outcome")
	trouble = ""
	d.keys("k")
	d.lacks("audit trail")
}

// Whoever works through the list of all tokens comes back to it, to the same
// token and the same filter.
func TestAllTokens_andBack(t *testing.T) {
	for _, width := range []int{80, 160} {
		d := newDriver(t, width, 24)
		d.keys("t", "/")
		d.typed("alice")
		d.keys("enter", "j")
		before := d.screen()
		d.keys("enter")
		d.sees("[1 Tokens")
		d.keys("2", "esc")
		if d.screen() != before {
			t.Errorf("want\n%s\ngot\n%s", before, d.screen())
		}
		d.keys("esc")
		d.lacks("/alice")
		d.keys("esc")
		if d.m.at != onUsers {
			t.Error("esc does not lead to the users")
		}
		d.keys("j", "enter", "esc")
		if d.m.at != onUsers {
			t.Error("esc from a user that was opened on the user list leads elsewhere")
		}
	}
}

// Users whose names share a beginning can be told apart also where the list
// stands beside the page.
func TestUsers_namesWide(t *testing.T) {
	for _, width := range []int{80, 110, 160} {
		d := newDriver(t, width, 24)
		for _, name := range []string{"team-fraud-scoring", "team-fraud-training"} {
			d.broker.users = append(d.broker.users, kafka.User{Principal: kafka.UserPrincipal(name)})
		}
		d.keys("r")
		d.sees("team-fraud-scoring", "team-fraud-traini")
	}
}
