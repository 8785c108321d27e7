package main

import (
	"errors"
	"math"
	"strconv"
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

var errTooLong = errors.New("that is longer than a Kafka timestamp can hold")

func parseLength(s string) (time.Duration, error) {
	if number, ok := strings.CutSuffix(s, "d"); ok {
		return parseDays(number)
	}
	d, err := time.ParseDuration(s)
	switch {
	case err != nil, d < time.Millisecond:
		return 0, errLength
	case d > longest:
		return 0, errTooLong
	}
	return d, nil
}

func parseDays(number string) (time.Duration, error) {
	const day = 24 * time.Hour
	days, err := strconv.ParseFloat(number, 64)
	switch {
	case strings.Trim(number, "0123456789.") != "": // what ParseFloat takes besides
		return 0, errLength
	case days > float64(longest/day):
		return 0, errTooLong // also where ParseFloat says that it is out of range
	case err != nil:
		return 0, errLength
	}
	d := time.Duration(days * float64(day)).Truncate(time.Millisecond)
	if d < time.Millisecond {
		return 0, errLength
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
