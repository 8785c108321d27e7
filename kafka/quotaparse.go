package kafka

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
)

var errNoKey = errors.New("a quota needs a key")

// CheckQuota says why Kafka would not store the value, or not as it is, nil
// when it would (ClientQuotaControlManager.validateQuotaKeyValue). Of a key
// that dtok does not know it only checks that the value is a number above 0.
func CheckQuota(key string, value float64) error {
	switch {
	case key == "":
		return errNoKey
	case math.IsNaN(value) || math.IsInf(value, 0):
		return errors.New("a quota is a number")
	case value <= 0:
		return errors.New("a quota must be greater than 0; to lift a limit, remove the quota")
	case unitOf(key) != unitBytes:
		return nil
	case value > math.MaxInt64:
		return errors.New("that is more than Kafka can hold, 9223372036854775807 bytes a second")
	case value != math.Trunc(value):
		return errors.New("Kafka takes whole bytes a second only")
	}
	return nil
}

// ParseQuota reads what a person types as the value of a key:
//
//   - bytes a second: 1048576, 1MiB, 1.5 MB/s; k is 1000 and Ki is 1024;
//   - a percentage: 200, 200%;
//   - mutations a second: 10, 2.5/s;
//   - for a key that dtok does not know, a number.
//
// It refuses what Kafka does, and units that could mean two things. Errors
// repeat nothing of the text but its number.
func ParseQuota(key, text string) (float64, error) {
	number, unit := splitQuota(strings.TrimSpace(text))
	if strings.HasPrefix(number, "-") {
		return 0, CheckQuota(key, -1)
	}
	if strings.Contains(number, ",") {
		return 0, errors.New("write the number without separators and with a decimal point, such as 1.5")
	}
	n, ok := rational(number)
	if !ok {
		return 0, errors.New("type a number" + example(key))
	}
	factor, err := factorOf(key, unit)
	if err != nil {
		return 0, err
	}
	n.Mul(n, new(big.Rat).SetInt64(factor))
	value, exact := n.Float64()
	if unitOf(key) == unitBytes {
		switch {
		case n.Cmp(new(big.Rat).SetInt64(math.MaxInt64)) > 0:
			return 0, CheckQuota(key, math.MaxFloat64)
		case !n.IsInt():
			return 0, fmt.Errorf("that is %s bytes a second, and Kafka takes whole bytes only", n.FloatString(3))
		case !exact:
			return 0, fmt.Errorf("quotas are floating-point numbers, which cannot hold that one exactly; the nearest is %.0f", value)
		}
	}
	return value, CheckQuota(key, value)
}

// longestQuota bounds the arithmetic: no quota needs so many characters.
const longestQuota = 64

// splitQuota parts the number from its unit, in which a blank means nothing.
func splitQuota(text string) (number, unit string) {
	if len(text) > longestQuota {
		return "", ""
	}
	i := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789.,-", r) })
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimSpace(text[i:])
}

// rational reads digits with at most one decimal point among them.
func rational(s string) (*big.Rat, bool) {
	whole, fraction, point := strings.Cut(s, ".")
	if whole == "" || point && fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// factorOf is what a number with the unit is multiplied by.
func factorOf(key, unit string) (int64, error) {
	kind := unitOf(key)
	if unit == "" {
		return 1, nil
	}
	perSecond := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(unit, "/s"), "/ s"))
	switch kind {
	case unitPercent:
		if unit == "%" || unit == "percent" {
			return 1, nil
		}
		return 0, errors.New("this quota is a percentage: type a number or, say, 50%")
	case unitMutations:
		if perSecond == "" || perSecond == "mutations" || perSecond == "mutation" {
			return 1, nil
		}
		return 0, errors.New("this quota counts mutations a second: type a number or, say, 10/s")
	case unitBytes:
		return byteFactor(perSecond)
	}
	return 0, errors.New("dtok does not know the unit of this key: type a number alone")
}

func byteFactor(unit string) (int64, error) {
	switch {
	case unit == "%" || unit == "percent":
		return 0, errors.New("this quota is in bytes a second, not a percentage")
	case unit == "" || unit == "bytes" || unit == "byte":
		return 1, nil
	case unit == "KB":
		unit = "kB"
	case unit == "kiB":
		unit = "KiB"
	}
	for _, u := range byteUnits() {
		if u.name == unit {
			return u.size, nil
		}
	}
	if strings.HasSuffix(unit, "b") || strings.HasSuffix(unit, "bit") || strings.HasSuffix(unit, "bps") {
		return 0, errors.New("a unit of bytes has a capital B, such as MB or MiB; b would be bits, which Kafka does not count")
	}
	for _, u := range byteUnits() {
		if strings.EqualFold(strings.TrimSuffix(u.name, "B"), unit) && u.size > 1 {
			return 0, errors.New("say which one: MB is a million bytes and MiB is 1048576")
		}
	}
	return 0, errors.New("the unit is one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, with or without /s")
}

// example is what a value of the key looks like.
func example(key string) string {
	switch unitOf(key) {
	case unitBytes:
		return ", such as 1048576, 1MiB or 1.5 MB/s"
	case unitPercent:
		return ", such as 50 or 50%"
	case unitMutations:
		return ", such as 10 or 10/s"
	}
	return ""
}
