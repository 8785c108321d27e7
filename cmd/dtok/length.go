package main

import (
	"errors"
	"math"
	"strings"
	"time"

	"dtok/kafka"
)

// length is the value of a flag that takes a length of time: Go's notation, such
// as 90m or 1h30m, and whole or broken days (7d). A bare number is refused: hours
// in the screens, it could be taken for seconds or milliseconds here.
type length struct{ time.Duration }

// longest keeps a moment that far from now inside a Kafka timestamp.
const longest = time.Duration(math.MaxInt64 / 2)

var errLength = errors.New("write a length of time greater than zero with its unit, such as 24h, 90m or 7d")

func (l *length) Set(s string) error {
	d, err := parseLength(strings.TrimSpace(s))
	l.Duration = d
	return err
}

func parseLength(s string) (time.Duration, error) {
	if number, ok := strings.CutSuffix(s, "d"); ok {
		days, err := kafka.ParseHours(number) // as a number it is the same
		if err != nil || days.IsDefault() {
			return 0, errLength
		}
		if days.Duration() > longest/24 {
			return 0, errors.New("that is longer than a Kafka timestamp can hold")
		}
		return days.Duration() * 24, nil
	}
	d, err := time.ParseDuration(s)
	switch {
	case err != nil, d < time.Millisecond:
		return 0, errLength
	case d > longest:
		return 0, errors.New("that is longer than a Kafka timestamp can hold")
	}
	return d, nil
}

// String is empty for the zero length, which leaves it to the cluster.
func (l *length) String() string {
	if l.Duration == 0 {
		return ""
	}
	return lengthText(l.Duration)
}

// Type is the flag's value in --help.
func (l *length) Type() string { return "LENGTH" }

// period is the length as it goes to Kafka; none is the cluster's default.
func (l *length) period() kafka.Period { return kafka.PeriodOf(l.Duration) }

// lengthText is Go's notation without the zeros at its end: 24h, not 24h0m0s.
func lengthText(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
