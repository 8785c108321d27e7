package ui

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"dtok/kafka"
)

// told are the values of a key in the log's lines with a message.
func (d *driver) told(msg, key string) []string {
	d.t.Helper()
	var all []string
	for _, line := range strings.Split(strings.TrimSpace(d.log.String()), "\n") {
		entry := map[string]any{}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			d.t.Fatalf("%q: %v", line, err)
		}
		if failure, ok := entry["error"].(map[string]any); ok {
			entry[key] = failure[key]
		}
		if value, ok := entry[key].(string); ok && entry["msg"] == msg {
			all = append(all, value)
		}
	}
	return all
}

// TestTheLogNamesEveryScreen: which is shown, in words of the program.
func TestTheLogNamesEveryScreen(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.keys("t", "esc", "j", "enter", "2", "enter", "esc", "a", "esc", "3", "e", "esc", "1", "w")
	d.keys("esc", "?", "esc", "c", "tab", "tab", "enter", "y", "d")
	want := []string{"all tokens", "users", "tokens", "ACL rules", "text: ACL rule", "ACL rules", "dialog: Add ACL rule", "ACL rules",
		"quotas", "dialog: Set quota", "quotas", "tokens", "dialog: Renew token", "tokens", "text: Help", "tokens",
		"dialog: Create delegation token", "a change runs", "card", "tokens"}
	if got := d.told("screen", "shown"); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestTheLogTellsErrorsShown by what they are, and not by their text.
func TestTheLogTellsErrorsShown(t *testing.T) {
	d := newDriver(t, 80, 24, func(o *Options) { o.User = "alice" })
	d.broker.renewErr = &kafka.RefusedError{Op: kafka.OpRenewToken, Code: kafka.CodeTokenExpired, TokenID: "tok-alice-000000000001"}
	d.keys("w")
	d.paste(d.broker.hmacText("tok-alice-000000000001"))
	d.keys("tab", "tab", "enter")
	d.sees("expired")
	d.broker.tokensErr = errors.New("alice and bob")
	d.keys("esc", "r")
	d.sees("alice and bob")
	if got := d.told("error shown", "kafka_error"); !slices.Equal(got, []string{"DELEGATION_TOKEN_EXPIRED (66)"}) {
		t.Errorf("%q", got)
	}
	if got := d.told("error shown", "types"); !slices.Equal(got, []string{"*kafka.RefusedError", "*errors.errorString"}) {
		t.Errorf("%q", got)
	}
	for _, name := range []string{"alice", "bob"} {
		if strings.Contains(d.log.String(), name) {
			t.Errorf("the log names %s:\n%s", name, d.log.String())
		}
	}
}

// TestTheLogTellsOfTheClipboard: where a copy went, and why one went nowhere; of
// a file its name, which was typed, stays out of it.
func TestTheLogTellsOfTheClipboard(t *testing.T) {
	d := onPage(t, func(o *Options) {
		o.Save = func(path string, _ []byte) error { return errors.New(path + " is already there") }
	})
	d.keys("c", "tab", "tab", "enter")
	d.copyIs = errors.New("tmux takes nothing")
	d.keys("y")
	if got := d.told("copy", "text"); !slices.Equal(got, []string{"tmux takes nothing"}) {
		t.Errorf("%q", got)
	}
	d.copyIs = nil
	d.keys("y")
	if lines := strings.Count(d.log.String(), `"msg":"copy"`); lines != 2 {
		t.Errorf("%d lines for two copies", lines)
	}
	d.keys("p", "shift+tab")
	d.typed("typed.toml")
	d.keys("tab", "enter")
	d.sees("not written: typed.toml is already there")
	if text := d.log.String(); strings.Contains(text, "typed") || strings.Count(text, `"msg":"copy"`) != 2 {
		t.Errorf("a file is told of as a copy, or by its name:\n%s", text)
	}
}
