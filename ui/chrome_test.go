package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// That a list is old is on the screen for as long as it is, however long the
// environment's name: the error below goes away with the next key.
func TestHeader_stale(t *testing.T) {
	for _, name := range []string{"demo", "127.0.0.1:19092", "broker1.kafka.prod.example.com:9093", strings.Repeat("n", 60)} {
		d := newDriver(t, 80, 24, func(o *Options) { o.Environments[0].Name = name })
		d.keys("j", "enter")
		d.broker.tokensErr = errors.New("cannot connect")
		d.keys("r", "j")
		header, _, _ := strings.Cut(d.screen(), "\n")
		if !strings.Contains(strings.ToLower(header), "stale") {
			t.Errorf("%s: %s", name, header)
		}
		d.broker.tokensErr = nil
		d.keys("r")
		d.lacks("STALE", "stale")
	}
}

// Giving up on a connection is no error.
func TestConnecting_givenUp(t *testing.T) {
	d := newDriver(t, 80, 24, func(o *Options) {
		o.Environments[0].Connect = func(context.Context, *kafka.Secret) (Broker, error) {
			return nil, context.Canceled
		}
	})
	d.sees("not connected to demo", "r connects")
	d.lacks("error", "canceled")
}

// After an attempt the HMAC is gone from its field, and the next paste must
// find it again.
func TestDialogs_focusAfterFailure(t *testing.T) {
	for _, key := range []string{"w", "x", "v"} {
		d := onPage(t)
		d.keys(key)
		if key == "x" {
			d.keys("tab")
		}
		d.paste(d.broker.hmacText(tok2))
		d.keys("tab")
		if key != "v" {
			d.typed("7")
			d.keys("tab")
		}
		d.keys("enter")
		d.sees("error: ", "> HMAC", "[empty]_")
		d.paste(d.broker.hmacText(tok1))
		d.sees("can be an HMAC")
	}
}

// A paste that no field takes says so.
func TestDialogs_pasteOnButton(t *testing.T) {
	d := onPage(t)
	d.keys("x")
	d.sees("> [ Cancel ]")
	d.paste(d.broker.hmacText(tok1))
	d.sees("> [ Cancel ]", "[empty]", "pasted text was ignored: a button has the focus")
}

// The HMAC is shown once, so it comes first where the card does not fit.
func TestCard_small(t *testing.T) {
	d := newDriver(t, 40, 10)
	d.keys("j", "enter", "c", "tab", "tab", "enter")
	var text string
	kafka.HMACText(d.m.card.hmac, func(b []byte) { text = string(b) })
	if !strings.Contains(strings.ReplaceAll(d.screen(), "\n", ""), text) {
		t.Errorf("no HMAC on the screen:\n%s", d.screen())
	}
	d.send(tea.WindowSizeMsg{Width: 20, Height: 5})
	d.sees("needs 40x10")
}
