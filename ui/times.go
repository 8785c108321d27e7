package ui

import (
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

// untilText says how far away a moment is: "in 3d 4h", "in 5h 12m", "in 42m",
// "in under 1m", and "3h ago" once it has passed. What is left is rounded down,
// so nothing is promised that is not there. At d = 0 the moment has not passed
// yet: brokers accept a token at the very millisecond of its expiry.
func untilText(d time.Duration) string {
	if d < 0 {
		return agoText(-d)
	}
	switch {
	case d >= day:
		return "in " + twoUnits(int64(d/day), "d", int64(d%day/time.Hour), "h")
	case d >= time.Hour:
		return "in " + twoUnits(int64(d/time.Hour), "h", int64(d%time.Hour/time.Minute), "m")
	case d >= time.Minute:
		return "in " + strconv.FormatInt(int64(d/time.Minute), 10) + "m"
	}
	return "in under 1m"
}

func agoText(d time.Duration) string {
	if d < 0 { // the least Duration has no positive counterpart
		d = 1<<63 - 1
	}
	unit, name := agoUnit(d)
	if d < unit {
		return "under 1m ago"
	}
	return strconv.FormatInt(int64(d/unit), 10) + name + " ago"
}

func agoUnit(d time.Duration) (time.Duration, string) {
	switch {
	case d >= day:
		return day, "d"
	case d >= time.Hour:
		return time.Hour, "h"
	}
	return time.Minute, "m"
}

func twoUnits(big int64, bigName string, small int64, smallName string) string {
	s := strconv.FormatInt(big, 10) + bigName
	if small > 0 {
		s += " " + strconv.FormatInt(small, 10) + smallName
	}
	return s
}

// noTime stands where a broker gave no time.
const noTime = "–"

// stampText is a time to the second with its zone: 2026-11-30 19:31:29 UTC.
func stampText(t time.Time, loc *time.Location) string {
	if t.IsZero() {
		return noTime
	}
	return t.In(loc).Format("2006-01-02 15:04:05 MST")
}

// shortStamp is a time to the minute, for tables: 19:31 for today, with the
// date for another day, with the year for another year.
func shortStamp(t, now time.Time, loc *time.Location) string {
	if t.IsZero() {
		return noTime
	}
	t, now = t.In(loc), now.In(loc)
	switch {
	case t.Year() != now.Year():
		return t.Format("Jan 2 2006 15:04")
	case t.YearDay() != now.YearDay():
		return t.Format("Jan 2 15:04")
	}
	return t.Format("15:04")
}

// hoursText is a length of time in the unit people enter one: "24 hours",
// "168 hours (7 days)", "1 hour 30 minutes". It is exact to the millisecond,
// the unit brokers count in.
func hoursText(d time.Duration) string {
	var parts []string
	rest := d.Truncate(time.Millisecond)
	if rest < 0 {
		return "-" + hoursText(-max(rest, -(1<<63-1)))
	}
	for _, unit := range []struct {
		d    time.Duration
		name string
	}{{time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}, {time.Millisecond, "millisecond"}} {
		if n := int64(rest / unit.d); n > 0 {
			parts = append(parts, counted(n, unit.name))
		}
		rest %= unit.d
	}
	switch {
	case len(parts) == 0:
		return "0 hours"
	case d >= 2*day && d%day == 0:
		return parts[0] + " (" + counted(int64(d/day), "day") + ")"
	}
	return strings.Join(parts, " ")
}

// roughly drops from a length of time what people do not read beside the rest.
func roughly(d time.Duration) time.Duration {
	if d >= time.Minute {
		return d.Truncate(time.Minute)
	}
	return d.Truncate(time.Second)
}

func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatInt(n, 10) + " " + noun + "s"
}

// nextChange is when a screen drawn at now must be drawn again because of the
// clock alone: when one of ts passes, which is exact, and otherwise at the full
// minute after the first untilText of any of them changes, so that a hundred
// tokens cost one redrawing a minute and not a hundred. The next midnight of
// now's location always counts, because shortStamp leaves today's date out.
// Zero times do not count.
func nextChange(now time.Time, ts ...time.Time) time.Time {
	y, m, d := now.Date()
	next := time.Date(y, m, d+1, 0, 0, 0, 0, now.Location())
	earlier := func(t time.Time) {
		if t.Before(next) {
			next = t
		}
	}
	for _, t := range ts {
		if t.IsZero() {
			continue
		}
		if passes := t.Add(time.Millisecond); passes.After(now) {
			earlier(passes)
		}
		if change := textChange(t.Sub(now)); change > 0 {
			earlier(fullMinute(now.Add(change)))
		}
	}
	return next
}

// textChange is how long untilText(left) stays as it is when time goes on; 0
// when that ends with the moment itself, or the moment is too far away to matter.
func textChange(left time.Duration) time.Duration {
	const century = 100 * 365 * day
	switch {
	case left > century, left < -century, left >= 0 && left < time.Minute:
		return 0
	case left >= day:
		return left%time.Hour + time.Millisecond
	case left >= 0:
		return left%time.Minute + time.Millisecond
	}
	unit, _ := agoUnit(-left)
	return unit - (-left)%unit
}

// fullMinute is the first full minute that is not before t.
func fullMinute(t time.Time) time.Time {
	full := t.Truncate(time.Minute)
	if full.Before(t) {
		full = full.Add(time.Minute)
	}
	return full
}
