package main

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTable(t *testing.T) {
	w := newTable("NAME", "", "WHEN")
	w.grow(3)
	w.add("日本語")
	w.add("")
	w.time(time.Time{})
	w.add("a\nb\x1b[2J\u202e")
	w.add("long enough")
	w.time(time.UnixMilli(1767323045999))
	w.add("x")
	w.add("y")
	w.time(time.Date(2026, 1, 2, 23, 4, 5, 0, time.FixedZone("", 3600)))
	var text strings.Builder
	if err := w.writeTo(&text); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"NAME" + strings.Repeat(" ", 15) + "-" + strings.Repeat(" ", 12) + "WHEN",
		"日本語" + strings.Repeat(" ", 13) + "-" + strings.Repeat(" ", 12) + "-", // six columns wide
		`a\nb\x1b[2J\u202e  long enough  2026-01-02T03:04:05Z`,
		"x" + strings.Repeat(" ", 18) + "y" + strings.Repeat(" ", 12) + "2026-01-02T22:04:05Z",
	}
	if got := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", text.String(), strings.Join(want, "\n"))
	}
}

// TestStamps holds our formatting to that of package time, also where a broker
// gives a moment that no clock has.
func TestStamps(t *testing.T) {
	var s stamps
	for _, ms := range []int64{0, 1, 999, -1, -86400000, -86400001, 86399999, 86400000, 1767323045999, 253402300800000,
		math.MaxInt64 / 1_000_000, 1767323045999} {
		at := time.UnixMilli(ms)
		if got, want := string(s.append(nil, at)), at.UTC().Format("2006-01-02T15:04:05Z"); got != want {
			t.Errorf("%d: got %s, want %s", ms, got, want)
		}
	}
}

func TestLength(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"24h": 24 * time.Hour, "90m": 90 * time.Minute, "1h30m": 90 * time.Minute, "7d": 7 * 24 * time.Hour, "0.5d": 12 * time.Hour,
		" 1h ": time.Hour, "1ms": time.Millisecond, "36500d": 36500 * 24 * time.Hour,
	} {
		var l length
		if err := l.Set(text); err != nil || l.Duration != want {
			t.Errorf("%q: %v, %v", text, l.Duration, err)
		}
	}
	for _, text := range []string{"", "24", "0", "0h", "-1h", "d", "-1d", "0d", "1e3d", "infd", "0x1p4d", "nand", "1,5h", "２４h", "1d12h", "1us",
		"99999d", "9999999d", strings.Repeat("9", 400) + "d", "2562047h47m", "9999999999h", "1w"} {
		var l length
		if err := l.Set(text); err == nil {
			t.Errorf("%.20q is taken as %v", text, l.Duration)
		}
	}
	for d, want := range map[time.Duration]string{24 * time.Hour: "24h", 90 * time.Minute: "1h30m", 30 * time.Second: "30s", time.Hour + time.Second: "1h0m1s", 0: ""} {
		if got := (&length{d}).String(); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestAppendLeft(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "<1m", 59 * time.Second: "<1m", time.Minute: "1m", 59*time.Minute + 59*time.Second: "59m", time.Hour: "1h0m",
		23*time.Hour + 59*time.Minute: "23h59m", 24 * time.Hour: "1d0h", 100*24*time.Hour + 5*time.Hour: "100d5h",
	} {
		if got := string(appendLeft(nil, d)); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
