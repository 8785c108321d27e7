package kafka

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// quotaUnit is what the number of a quota counts.
type quotaUnit int

const (
	unitNone quotaUnit = iota // a key that dtok does not know
	unitBytes
	unitPercent
	unitMutations
)

func unitOf(key string) quotaUnit {
	switch key {
	case QuotaProducerBytes, QuotaConsumerBytes:
		return unitBytes
	case QuotaRequestPercent:
		return unitPercent
	case QuotaMutations:
		return unitMutations
	}
	return unitNone
}

// byteUnit is a multiple of bytes that people write.
type byteUnit struct {
	name string
	size int64
}

// byteUnits come from big to small, the powers of 1024 before those of 1000.
func byteUnits() []byteUnit {
	return []byteUnit{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
		{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}
}

// Exact is the value as Kafka has it, without a unit: "1048576".
func (v QuotaValue) Exact() string {
	if a := math.Abs(v.Value); a >= 1e21 || a != 0 && a < 1e-9 || math.IsNaN(a) {
		return strconv.FormatFloat(v.Value, 'g', -1, 64)
	}
	if v.Value == math.Trunc(v.Value) {
		return strconv.FormatFloat(v.Value, 'f', 0, 64) // -1 rounds the digits that a float64 has beyond 17
	}
	return strconv.FormatFloat(v.Value, 'f', -1, 64)
}

// Human is the value with its unit: "1 MiB/s", "1.5 MB/s", "200 %",
// "10 mutations/s". A "~" marks a rounded one. A key that dtok does not know
// has no unit.
func (v QuotaValue) Human() string {
	switch unitOf(v.Key) {
	case unitBytes:
		return humanBytes(v.Value) + "/s"
	case unitPercent:
		return v.Exact() + " %"
	case unitMutations:
		if v.Value == 1 {
			return "1 mutation/s"
		}
		return v.Exact() + " mutations/s"
	}
	return v.Exact()
}

// humanBytes picks the biggest unit in which the value has at most two
// decimals, and otherwise rounds to two.
func humanBytes(v float64) string {
	if v < 1000 || v >= 1<<63 || v != math.Trunc(v) {
		return QuotaValue{Value: v}.Exact() + " B"
	}
	n := int64(v)
	units := byteUnits()
	best := ""
	for _, u := range units {
		if n < u.size || u.size == 1 {
			continue
		}
		hundredths := new(big.Int).Mul(big.NewInt(n), big.NewInt(100))
		whole, rest := hundredths.DivMod(hundredths, big.NewInt(u.size), new(big.Int))
		if rest.Sign() != 0 {
			continue
		}
		text := decimal(whole.Int64()) + " " + u.name
		if best == "" || len(text) < len(best) {
			best = text
		}
	}
	if best != "" {
		return best
	}
	for _, u := range units[:4] {
		if n >= u.size {
			return "~" + strconv.FormatFloat(v/float64(u.size), 'f', 2, 64) + " " + u.name
		}
	}
	return strconv.FormatInt(n, 10) + " B"
}

// decimal writes hundredths without zeros at the end.
func decimal(hundredths int64) string {
	s := strconv.FormatInt(hundredths/100, 10)
	if rest := hundredths % 100; rest != 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(100+rest, 10)[1:], "0")
	}
	return s
}
