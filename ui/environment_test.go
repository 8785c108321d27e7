package ui

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// twoEnvironments has a second cluster, read-only, with other users.
func twoEnvironments(other *fakeBroker) func(*Options) {
	return func(o *Options) {
		o.Environments[0].Protocol, o.Environments[0].Mechanism, o.Environments[0].User = "SASL_SSL", "SCRAM-SHA-512", "ops"
		o.Environments = append(o.Environments, Environment{Name: "prod-eu", Colour: "1", Protocol: "SASL_SSL", Mechanism: "PLAIN",
			User: "reader", ReadOnly: "only for looking", Connect: func(context.Context, *kafka.Secret) (Broker, error) { return other, nil }})
	}
}

func otherBroker() *fakeBroker {
	b := newFakeBroker()
	b.now = func() time.Time { return start }
	b.session.Principal = kafka.UserPrincipal("reader")
	b.tokens, b.users = nil, []kafka.User{{Principal: kafka.UserPrincipal("dora")}}
	return b
}

func TestEnvironments_switch(t *testing.T) {
	other := otherBroker()
	d := newDriver(t, 80, 24, twoEnvironments(other))
	d.keys("j", "enter", "E")
	d.sees("Environments", "demo", "(open)", "prod-eu", "SASL_SSL/PLAIN", "READ-ONLY: only for looking")
	d.golden("environments-80x24")
	d.keys("j", "enter")
	d.sees("dtok prod-eu READ-ONLY", "dora", "as User:reader")
	d.lacks("alice")
	if !d.broker.closed {
		t.Error("the old connection was left open")
	}
	d.keys("t", "c")
	d.sees("! read-only: only for looking")
}

// Late answers of the old environment never land in the new one, and a
// re-reading that was due there is not done here.
func TestEnvironments_lateAnswers(t *testing.T) {
	other := otherBroker()
	d := newDriver(t, 80, 24, twoEnvironments(other))
	d.keys("j", "enter")
	d.hold = true
	d.keys("r")
	held := append([]tea.Msg(nil), d.held...)
	d.hold, d.held = false, nil
	d.keys("E", "j", "enter")
	asked := len(other.asked)
	for _, msg := range held {
		d.send(msg)
	}
	d.advance(time.Minute)
	d.sees("dora")
	d.lacks("alice", tok1)
	if len(other.asked) != asked {
		t.Errorf("asked %v", other.asked[asked:])
	}
}

func TestEnvironments_onlyOne(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.keys("E")
	d.sees("there is only this environment")
}

// A password that is asked for is kept for the process, wiped at the end, and
// asked for again once it was refused.
func TestEnvironments_password(t *testing.T) {
	var got []string
	var refuse bool
	d := newDriver(t, 80, 24, func(o *Options) {
		connect := o.Environments[0].Connect
		o.Environments[0].Password = "password of ops"
		o.Environments[0].Connect = func(ctx context.Context, p *kafka.Secret) (Broker, error) {
			p.Use(func(b []byte) { got = append(got, string(b)) })
			if refuse {
				return nil, &kafka.SignInError{User: "ops", Mechanism: kafka.MechanismPlain, Code: kafka.CodeSASLFailed}
			}
			return connect(ctx, p)
		}
	})
	d.sees("The password of ops is asked for once.")
	refuse = true
	d.typed("wrong")
	d.sees("[5 characters]")
	d.lacks("wrong")
	d.keys("enter")
	d.sees("error:")
	d.m.envs.all[0].Check = func(_ context.Context, p *kafka.Secret) ([]string, error) {
		return []string{fmt.Sprintf("signed in with %d characters", p.Len())}, nil
	}
	d.keys("d")
	d.sees("The password of ops is asked for once.")
	d.typed("four")
	d.keys("enter")
	d.sees("signed in with 4 characters")
	d.keys("esc")
	d.m.forgetPassword(&kafka.SignInError{})
	refuse = false
	d.keys("r")
	d.sees("The password of ops is asked for once.", "[empty]")
	d.typed("a b")
	d.keys("backspace")
	d.typed("c")
	d.keys("enter")
	d.sees("alice")
	if fmt.Sprint(got) != "[wrong a c]" {
		t.Errorf("signed in with %q", got)
	}
	kept := d.m.envs.passwords[0]
	if kept.Len() != 3 {
		t.Error("the password was not kept")
	}
	d.m.Close()
	if kept.Len() != 0 {
		t.Error("the password was not wiped")
	}
}
