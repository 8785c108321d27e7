package ui

import (
	"math"
	"testing"
	"time"
)

func TestUntilText(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{3*day + 4*time.Hour + 59*time.Minute, "in 3d 4h"},
		{7 * day, "in 7d"},
		{day, "in 1d"},
		{day - ms, "in 23h 59m"},
		{5*time.Hour + 12*time.Minute + 59*time.Second, "in 5h 12m"},
		{time.Hour, "in 1h"},
		{time.Hour - ms, "in 59m"},
		{42 * time.Minute, "in 42m"},
		{42*time.Minute - ms, "in 41m"},
		{time.Minute, "in 1m"},
		{time.Minute - ms, "in under 1m"},
		{ms, "in under 1m"},
		{0, "in under 1m"}, // still accepted at this millisecond
		{-ms, "under 1m ago"},
		{-time.Minute + ms, "under 1m ago"},
		{-time.Minute, "1m ago"},
		{-42*time.Minute - 30*time.Second, "42m ago"},
		{-3*time.Hour - 59*time.Minute, "3h ago"},
		{-day + ms, "23h ago"},
		{-2 * day, "2d ago"},
		{math.MaxInt64, "in 106751d 23h"},
		{math.MinInt64, "106751d ago"},
	} {
		if got := untilText(c.d); got != c.want {
			t.Errorf("untilText(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}

func TestStamps(t *testing.T) {
	at := func(s string) time.Time {
		when, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	tokyo := time.FixedZone("JST", 9*60*60)
	unnamed := time.FixedZone("", 5*60*60+30*60)
	now := at("2026-11-30T19:31:29Z")
	for _, c := range []struct {
		t           time.Time
		loc         *time.Location
		long, short string
	}{
		{at("2026-11-30T19:31:29Z"), time.UTC, "2026-11-30 19:31:29 UTC", "19:31"},
		{at("2026-11-30T00:00:00Z"), time.UTC, "2026-11-30 00:00:00 UTC", "00:00"},
		{at("2026-11-29T23:59:59Z"), time.UTC, "2026-11-29 23:59:59 UTC", "Nov 29 23:59"},
		{at("2026-12-01T00:00:00Z"), time.UTC, "2026-12-01 00:00:00 UTC", "Dec 1 00:00"},
		{at("2027-11-30T19:31:29Z"), time.UTC, "2027-11-30 19:31:29 UTC", "Nov 30 2027 19:31"},
		{at("2025-11-30T19:31:29Z"), time.UTC, "2025-11-30 19:31:29 UTC", "Nov 30 2025 19:31"},
		// In Tokyo it is the first of December already.
		{at("2026-11-30T15:00:00Z"), tokyo, "2026-12-01 00:00:00 JST", "00:00"},
		{at("2026-11-30T14:59:00Z"), tokyo, "2026-11-30 23:59:00 JST", "Nov 30 23:59"},
		{at("2026-11-30T19:31:29Z"), unnamed, "2026-12-01 01:01:29 +0530", "01:01"},
		{time.Time{}, time.UTC, "–", "–"},
	} {
		if got := stampText(c.t, c.loc); got != c.long {
			t.Errorf("stampText(%v, %v) = %q, want %q", c.t, c.loc, got, c.long)
		}
		if got := shortStamp(c.t, now, c.loc); got != c.short {
			t.Errorf("shortStamp(%v, %v) = %q, want %q", c.t, c.loc, got, c.short)
		}
	}
}

func TestHoursText(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0 hours"},
		{time.Hour, "1 hour"},
		{24 * time.Hour, "24 hours"},
		{48 * time.Hour, "48 hours (2 days)"},
		{7 * day, "168 hours (7 days)"},
		{7*day + time.Hour, "169 hours"},
		{90 * time.Minute, "1 hour 30 minutes"},
		{time.Minute, "1 minute"},
		{45 * time.Second, "45 seconds"},
		{3600500 * time.Millisecond, "1 hour 500 milliseconds"},
		{time.Microsecond, "0 hours"},
		{-90 * time.Minute, "-1 hour 30 minutes"},
		{math.MaxInt64, "2562047 hours 47 minutes 16 seconds 854 milliseconds"},
		{math.MinInt64, "-2562047 hours 47 minutes 16 seconds 854 milliseconds"},
	} {
		if got := hoursText(c.d); got != c.want {
			t.Errorf("hoursText(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}

func TestNextChange(t *testing.T) {
	now := time.Date(2026, 11, 30, 19, 31, 29, 0, time.UTC)
	midnight := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	clock := func(h, m, s, ms int) time.Time {
		return time.Date(2026, 11, 30, h, m, s, ms*1e6, time.UTC)
	}
	in := func(ds ...time.Duration) []time.Time {
		ts := make([]time.Time, len(ds))
		for i, d := range ds {
			ts[i] = now.Add(d)
		}
		return ts
	}
	const ms = time.Millisecond
	for _, c := range []struct {
		name string
		ts   []time.Time
		want time.Time
	}{
		{"nothing shown", nil, midnight},
		{"no time", []time.Time{{}}, midnight},
		{"days change by the hour", in(3*day + 10*time.Minute), clock(19, 42, 0, 0)},
		{"hours change by the minute", in(5*time.Hour + 10*time.Second), clock(19, 32, 0, 0)},
		{"the second past the minute", in(5*time.Hour + 40*time.Second), clock(19, 33, 0, 0)},
		{"an expiry is exact", in(10 * time.Second), clock(19, 31, 39, 1)},
		{"now still counts as before it", in(0), clock(19, 31, 29, 1)},
		{"just expired", in(-ms), clock(19, 33, 0, 0)},
		{"expired minutes ago", in(-5*time.Minute - 40*time.Second), clock(19, 32, 0, 0)},
		{"expired hours ago", in(-3*time.Hour - 30*time.Minute), clock(20, 2, 0, 0)},
		{"expired days ago", in(-3 * day), midnight},
		{"the first of many", in(5*time.Hour+40*time.Second, 3*day+10*time.Minute, 20*time.Second), clock(19, 31, 49, 1)},
		{"far away", []time.Time{time.UnixMilli(math.MaxInt64 / 2)}, midnight},
		{"long ago", []time.Time{time.UnixMilli(math.MinInt64 / 2)}, midnight},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := nextChange(now, c.ts...); !got.Equal(c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// Waiting as nextChange says shows every text no more than a minute late,
// expiries at once, and redraws at most once a minute and once an expiry.
func TestNextChange_followed(t *testing.T) {
	start := time.Date(2026, 11, 30, 19, 31, 29, 123e6, time.UTC)
	var ts []time.Time
	for i := range 40 {
		ts = append(ts, start.Add(time.Duration(i*i*i)*7919*time.Millisecond-2*time.Hour))
	}
	shown := func(now time.Time) (texts []string) {
		for _, when := range ts {
			texts = append(texts, untilText(when.Sub(now)))
		}
		return texts
	}
	end := start.Add(30 * time.Hour)
	draws := 0
	for now := start; now.Before(end); draws++ {
		next := nextChange(now, ts...)
		if !next.After(now) {
			t.Fatalf("at %v the next change is %v", now, next)
		}
		drawn, late := shown(now), shown(next.Add(-time.Minute))
		for i, when := range ts {
			before := next.Add(-time.Millisecond)
			if when.Sub(now) >= 0 != (when.Sub(before) >= 0) {
				t.Fatalf("drawn at %v, %v passes before %v", now, when, next)
			}
			if next.Sub(now) > time.Minute && drawn[i] != late[i] {
				t.Fatalf("drawn at %v, %q is %q long before %v", now, drawn[i], late[i], next)
			}
		}
		now = next
	}
	if most := 30*60 + len(ts) + 2; draws > most {
		t.Errorf("drawn %d times, %d at most", draws, most)
	}
}
