package ui

import (
	"strings"
	"testing"
	"time"
)

// The open trail shows what another dtok records, without a key, and keeps the
// cursor on its record. While nothing is recorded nothing is read or drawn.
func TestTrail_follow(t *testing.T) {
	rows, err := trailRows(), error(nil)
	mark, looks := "1", 0
	d := newDriver(t, 80, 24, withTrail(&rows, &err), func(o *Options) {
		o.Environments[0].TrailMark = func() string { looks++; return mark }
	})
	d.keys("A")
	d.sees("7 records")
	before := d.screen()
	d.advance(10 * time.Second)
	if d.screen() != before || looks < 4 {
		t.Errorf("after %d looks\n%s", looks, d.screen())
	}
	cursor := cursorLine(d.screen())
	added := rows[0]
	added.Time, added.Kind, added.Token = start, "expire token", "tok-new-00000000000001"
	added.Lines = []TrailLine{{File: "/state/dtok/audit.jsonl", Number: 1001, Text: `{"kind":"expire token","n":1}`}}
	rows, mark = append(rows, added), "2"
	d.advance(3 * time.Second)
	d.sees("8 records")
	if got := cursorLine(d.screen()); got != cursor {
		t.Errorf("the cursor went from\n%s\nto\n%s", cursor, got)
	}
	looked := looks
	d.keys("esc")
	d.advance(10 * time.Second)
	if looks != looked {
		t.Error("a closed trail is looked at")
	}
}

func cursorLine(screen string) string {
	for line := range strings.Lines(screen) {
		if strings.HasPrefix(line, "> ") {
			return line
		}
	}
	return ""
}
