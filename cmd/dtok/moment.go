package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parseMoment reads a time that a person typed: a date, a date with a time,
// RFC 3339, or how long before now. Without a zone it is local time. ofDay says
// which moment of a day a bare date stands for.
func parseMoment(s string, now time.Time, ofDay func(time.Time) time.Time) (time.Time, error) {
	s = strings.TrimSpace(s)
	if day, err := time.ParseInLocation("2006-01-02", s, now.Location()); err == nil {
		return ofDay(day), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if at, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return at, nil
		}
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return now.AddDate(0, 0, -int(n)), nil
		}
	}
	if ago, err := time.ParseDuration(s); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	return time.Time{}, fmt.Errorf("%q is no time: write 2026-01-02, \"2026-01-02 15:04\", 2026-01-02T15:04:05Z, or 36h or 7d for so long ago", s)
}
