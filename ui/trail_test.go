package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"dtok/kafka"

	tea "github.com/charmbracelet/bubbletea"
)

// trailRows are what a trail tells in the tests.
func trailRows() []TrailRow {
	row := func(ago time.Duration, kind, outcome, user, token string) TrailRow {
		text := fmt.Sprintf(`{"schema":2,"kind":%q,"outcome":%q,"who":{"os_user":"ann","host":"bastion"},"token":{"id":%q},"reason":"two  blanks"}`,
			kind, outcome, token)
		return TrailRow{Time: start.Add(-ago), Kind: kind, Outcome: outcome, User: user, Token: token, Principal: "User:ops",
			Lines: []TrailLine{{File: "/state/dtok/audit.jsonl", Number: int(1000 - ago/time.Minute), Text: text}}}
	}
	rows := []TrailRow{
		row(400*24*time.Hour, "create token", "done", "alice", tok1),
		row(26*time.Hour, "renew token", "refused", "alice", tok2),
		row(50*time.Minute, "expire token", "unknown", "bob", "tok-bob-00000000000001"),
		row(20*time.Minute, "create token", "no outcome", "carol", ""),
		row(10*time.Minute, "list users", "done", "all", ""),
		row(5*time.Minute, "renew token", "done", "alice", tok1),
		{Kind: "unreadable", Fault: "the line is torn", Lines: []TrailLine{
			{File: "/state/dtok/audit.jsonl", Number: 996, Text: "{\"schema\":2,\"id\":\"\x1b[2J", Fault: "the line is torn"}}},
	}
	rows[5].Fault = "the record has been changed: its hash does not hold"
	rows[5].Lines[0].Fault = rows[5].Fault
	return rows
}

func withTrail(rows *[]TrailRow, err *error) func(*Options) {
	return func(o *Options) {
		o.Environments[0].Trail = func(context.Context) (TrailList, error) {
			list := TrailList{Path: "/state/dtok/audit.jsonl", Rows: *rows, Read: o.Now()}
			for _, r := range *rows {
				if r.Fault != "" {
					list.Faults = append(list.Faults, fmt.Sprintf("audit.jsonl:%d: %s", r.Lines[0].Number, r.Fault))
				}
			}
			return list, *err
		}
	}
}

func TestTrail(t *testing.T) {
	rows, err := trailRows(), error(nil)
	d := newDriver(t, 80, 24, withTrail(&rows, &err))
	d.keys("A")
	d.sees("demo > Audit trail > 7 records", "! fault", "! done", "no outcome", "! audit.jsonl:995: the record has been changed",
		"and 1 fault more")
	d.golden("trail-80x24")
	d.keys("j", "enter")
	d.sees("renew token done", "audit.jsonl:995", "! the record has been changed", `"reason": "two  blanks"`)
	d.golden("record-80x24")
	d.keys("esc", "/")
	d.typed("ann")
	d.sees("/ann_", "carol")
	d.keys("esc", "/")
	d.typed("unknown")
	d.sees("tok-bob")
	d.lacks("carol")
	d.keys("enter", "esc")
	d.sees("carol")
	d.keys("esc")
	d.sees("demo > Users")
	if d.m.trail != nil {
		t.Error("the trail is still open")
	}
}

func TestTrail_sort(t *testing.T) {
	rows, err := trailRows()[:6], error(nil)
	d := newDriver(t, 80, 24, withTrail(&rows, &err))
	d.keys("A")
	order := func(parts ...string) {
		t.Helper()
		last := -1
		for _, p := range parts {
			at := strings.Index(d.screen(), p)
			if at <= last {
				t.Fatalf("%q is not after what stands before it:\n%s", p, d.screen())
			}
			last = at
		}
	}
	order("↓Time", "renew token   ! done", "list users", "no outcome", "tok-bob", "refused")
	d.keys("S")
	order("↑Time", "refused", "tok-bob", "no outcome", "list users")
	d.keys("s")
	order("↑Kind", "no outcome", "tok-bob", "list users", "! done", "refused")
	d.keys("S")
	order("↓Kind", "! done", "refused", "list users", "tok-bob", "no outcome")
}

// r reads again, and the cursor stays on its record.
func TestTrail_follows(t *testing.T) {
	rows, err := trailRows(), error(nil)
	d := newDriver(t, 80, 24, withTrail(&rows, &err))
	d.keys("A", "j", "j")
	before, _ := d.m.trail.current()
	newer := rows[4]
	newer.Lines = []TrailLine{{File: "f", Number: 2000, Text: `{"kind":"expire token"}`}}
	newer.Kind, newer.Time = "expire token", d.now
	rows = append(rows, newer)
	d.keys("r")
	d.sees("8 records")
	if now, _ := d.m.trail.current(); now.Lines[0].Text != before.Lines[0].Text {
		t.Errorf("the cursor went from %v to %v", before, now)
	}
	err = errors.New("the audit trail /state/dtok/audit.jsonl cannot be read: permission denied")
	d.keys("r")
	d.sees("error: the audit trail", "permission denied", "stale", "tok-bob")
}

// A change that ends while the trail is open shows in both.
func TestTrail_changeEndsMeanwhile(t *testing.T) {
	rows, err := trailRows()[:2], error(nil)
	d := onPage(t, withTrail(&rows, &err))
	d.keys("w")
	d.paste(d.broker.hmacText(tok1))
	d.keys("tab", "tab", "enter")
	d.sees("renewed")
	d.keys("A")
	d.sees("2 records")
	rows = trailRows()[:5]
	asked := len(d.broker.asked)
	d.advance(5 * time.Second)
	d.sees("5 records")
	if len(d.broker.asked) == asked {
		t.Error("the tokens were not read again")
	}
}

func TestTrail_emptyAndUnreadable(t *testing.T) {
	var rows []TrailRow
	err := error(nil)
	d := newDriver(t, 80, 24, withTrail(&rows, &err))
	d.keys("A")
	d.sees("Nothing has been recorded for this environment in /state/dtok/audit.jsonl.")
	d.keys("enter")
	d.sees("there is no record under the cursor")
	d.keys("esc")
	err = errors.New("there is no place for an audit trail")
	d.keys("A")
	d.sees("error: there is no place for an audit trail")
	err = nil
	d.keys("r")
	d.sees("Nothing has been recorded")
	d.keys("esc")

	d = newDriver(t, 80, 24)
	d.keys("A")
	d.sees("there is no audit trail here")
}

// The trail needs no connection.
func TestTrail_withoutConnection(t *testing.T) {
	rows, err := trailRows(), error(nil)
	d := newDriver(t, 80, 24, withTrail(&rows, &err), func(o *Options) {
		o.Environments[0].Connect = func(context.Context, *kafka.Secret) (Broker, error) { return nil, errors.New("refused") }
	})
	d.keys("A")
	d.sees("7 records")
	d.keys("esc")
	d.sees("error: refused")
}

// A late answer to a reading of a trail that was closed is dropped.
func TestTrail_late(t *testing.T) {
	rows, err := trailRows(), error(nil)
	d := newDriver(t, 80, 24, withTrail(&rows, &err))
	d.hold = true
	d.keys("A")
	d.sees("reading the audit trail …")
	d.keys("esc", "A")
	d.release()
	d.sees("7 records")
	d.hold = true
	d.keys("r", "esc")
	d.release()
	d.sees("demo > Users")
}

// Every width and height fits, with the list and with a long record.
func TestTrail_sizes(t *testing.T) {
	rows, err := trailRows(), error(nil)
	var tokens []string
	for i := range 3000 {
		tokens = append(tokens, fmt.Sprintf(`{"id":"t-%d","owner":"User:%s"}`, i, strings.Repeat("長", 60)))
	}
	rows[4].Lines[0].Text = `{"kind":"list users","read":{"tokens":[` + strings.Join(tokens, ",") + `]}}`
	d := newDriver(t, 80, 24, withTrail(&rows, &err))
	d.keys("A")
	for _, keys := range [][]string{nil, {"enter"}, {"esc", "j", "j", "enter", "G"}} {
		d.keys(keys...)
		for w := 1; w <= 220; w += 1 + w/10 {
			for h := 1; h <= 60; h += 1 + h/4 {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
			}
		}
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	}
}
