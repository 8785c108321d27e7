package kafka

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"time"
)

// Period is a length of time sent to Kafka in milliseconds. The zero Period
// means the cluster's own default: delegation.token.max.lifetime.ms for a
// creation and delegation.token.expiry.time.ms for a renewal, which also cap
// any longer value.
type Period struct{ ms int64 }

// maxPeriod keeps now+period inside an int64 of milliseconds, and inside
// what time.Time can add, for any clock before the year 2200: Kafka's renew
// adds without saturating (KAFKA-17415 mended only create and expire).
const maxPeriod = math.MaxInt64 / int64(time.Millisecond) / 2

// PeriodOf returns the Period of d, which is cut to whole milliseconds. A d
// below one millisecond gives the cluster's default.
func PeriodOf(d time.Duration) Period { return Period{ms: max(d.Milliseconds(), 0)} }

// IsDefault reports whether p leaves the length to the cluster.
func (p Period) IsDefault() bool { return p.ms == 0 }

// Duration is p as a time.Duration, and 0 for the cluster's default.
func (p Period) Duration() time.Duration { return time.Duration(p.ms) * time.Millisecond }

// Wire is the value that the protocol carries: milliseconds, or -1 for the
// cluster's default. (0 would mean "now" to brokers in ZooKeeper mode.)
func (p Period) Wire() int64 {
	if p.ms == 0 {
		return -1
	}
	return p.ms
}

// ParseHours reads a number of hours as people type it: "24" or "0.5", blanks
// around it dropped, empty for the cluster's default. A value must be greater
// than zero and not longer than about 146 years.
func ParseHours(s string) (Period, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return Period{}, nil
	}
	if len(s) > 40 { // before big.Rat, whose time grows with the square
		return Period{}, errors.New("that many hours are more than a Kafka timestamp can hold")
	}
	for _, r := range s {
		if (r < '0' || r > '9') && r != '.' {
			return Period{}, errors.New("type hours as a number greater than zero, for example 24 or 0.5")
		}
	}
	hours, ok := new(big.Rat).SetString(s)
	if !ok || strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") {
		return Period{}, errors.New("type hours as a number greater than zero, for example 24 or 0.5")
	}
	if hours.Sign() <= 0 {
		return Period{}, errors.New("the number of hours must be greater than zero")
	}
	ms := hours.Mul(hours, big.NewRat(int64(time.Hour/time.Millisecond), 1))
	if ms.Cmp(big.NewRat(maxPeriod, 1)) > 0 {
		return Period{}, errors.New("that many hours are more than a Kafka timestamp can hold")
	}
	whole := new(big.Int).Quo(ms.Num(), ms.Denom()).Int64()
	if whole == 0 {
		return Period{}, errors.New("that is less than a millisecond")
	}
	return Period{ms: whole}, nil
}
