package kafka

import (
	"math"
	"strings"
	"testing"
)

func TestQuotaText(t *testing.T) {
	for _, tc := range []struct {
		key          string
		value        float64
		human, exact string
	}{
		{QuotaProducerBytes, 1048576, "1 MiB/s", "1048576"},
		{QuotaProducerBytes, 1500000, "1.5 MB/s", "1500000"},
		{QuotaConsumerBytes, 1572864, "1.5 MiB/s", "1572864"},
		{QuotaConsumerBytes, 1000, "1 kB/s", "1000"},
		{QuotaConsumerBytes, 999, "999 B/s", "999"},
		{QuotaConsumerBytes, 1, "1 B/s", "1"},
		{QuotaConsumerBytes, 1024, "1 KiB/s", "1024"},
		{QuotaConsumerBytes, 1234567, "~1.18 MiB/s", "1234567"},
		{QuotaConsumerBytes, 1023, "1023 B/s", "1023"},
		{QuotaConsumerBytes, 1 << 40, "1 TiB/s", "1099511627776"},
		{QuotaConsumerBytes, 5e12, "5 TB/s", "5000000000000"},
		{QuotaConsumerBytes, math.MaxInt64, "9223372036854775808 B/s", "9223372036854775808"},
		{QuotaConsumerBytes, 1<<53 - 1, "~8192.00 TiB/s", "9007199254740991"},
		{QuotaConsumerBytes, 1.5, "1.5 B/s", "1.5"},
		{QuotaConsumerBytes, 2000.5, "2000.5 B/s", "2000.5"},
		{QuotaConsumerBytes, -1048576, "-1048576 B/s", "-1048576"},
		{QuotaConsumerBytes, math.NaN(), "NaN B/s", "NaN"},
		{QuotaConsumerBytes, 1e300, "1e+300 B/s", "1e+300"},
		{QuotaRequestPercent, 200, "200 %", "200"},
		{QuotaRequestPercent, 12.5, "12.5 %", "12.5"},
		{QuotaRequestPercent, 1048576, "1048576 %", "1048576"},
		{QuotaMutations, 10, "10 mutations/s", "10"},
		{QuotaMutations, 1, "1 mutation/s", "1"},
		{QuotaMutations, 0.1, "0.1 mutations/s", "0.1"},
		{"fetch_bytes_of_tomorrow", 1048576, "1048576", "1048576"},
		{"", 1e-12, "1e-12", "1e-12"},
		{"", 0, "0", "0"},
	} {
		v := QuotaValue{tc.key, tc.value}
		if v.Human() != tc.human || v.Exact() != tc.exact {
			t.Errorf("%s %v: %q and %q, want %q and %q", tc.key, tc.value, v.Human(), v.Exact(), tc.human, tc.exact)
		}
	}
}

func TestParseQuota(t *testing.T) {
	for _, tc := range []struct {
		key, text string
		want      float64
		err       string
	}{
		{QuotaProducerBytes, "1048576", 1048576, ""},
		{QuotaProducerBytes, " 1MiB ", 1048576, ""},
		{QuotaProducerBytes, "1.5 MB/s", 1500000, ""},
		{QuotaProducerBytes, "1.5MiB / s", 1572864, ""},
		{QuotaProducerBytes, "10 kB", 10000, ""},
		{QuotaProducerBytes, "10KB/s", 10000, ""},
		{QuotaProducerBytes, "10 KiB", 10240, ""},
		{QuotaProducerBytes, "2GiB", 2 << 30, ""},
		{QuotaProducerBytes, "0.5 GB", 5e8, ""},
		{QuotaProducerBytes, "7 TiB/s", 7 << 40, ""},
		{QuotaProducerBytes, "12B", 12, ""},
		{QuotaProducerBytes, "12 bytes/s", 12, ""},
		{QuotaProducerBytes, "12/s", 12, ""},
		{QuotaProducerBytes, "1048576.0", 1048576, ""},
		{QuotaProducerBytes, "007", 7, ""},
		{QuotaProducerBytes, "8388607TiB", 8388607 << 40, ""},

		{QuotaProducerBytes, "", 0, "type a number, such as 1048576, 1MiB or 1.5 MB/s"},
		{QuotaProducerBytes, "0", 0, "greater than 0"},
		{QuotaProducerBytes, "0 MiB", 0, "greater than 0"},
		{QuotaProducerBytes, "-1", 0, "greater than 0"},
		{QuotaProducerBytes, "-5 MiB", 0, "greater than 0"},
		{QuotaProducerBytes, "NaN", 0, "type a number"},
		{QuotaProducerBytes, "Inf", 0, "type a number"},
		{QuotaProducerBytes, "+Inf", 0, "type a number"},
		{QuotaProducerBytes, "1e6", 0, "the unit is one of"},
		{QuotaProducerBytes, "0x10", 0, "the unit is one of"},
		{QuotaProducerBytes, "1_000", 0, "the unit is one of"},
		{QuotaProducerBytes, "1,5 MB", 0, "decimal point"},
		{QuotaProducerBytes, "1,000,000", 0, "without separators"},
		{QuotaProducerBytes, "1.5", 0, "that is 1.500 bytes a second, and Kafka takes whole bytes only"},
		{QuotaProducerBytes, "1.3 GiB", 0, "1395864371.200 bytes a second"},
		{QuotaProducerBytes, "1.2.3", 0, "type a number"},
		{QuotaProducerBytes, ".5MB", 0, "type a number"},
		{QuotaProducerBytes, "5.MB", 0, "type a number"},
		{QuotaProducerBytes, "MiB", 0, "type a number"},
		{QuotaProducerBytes, "２４", 0, "type a number"},
		{QuotaProducerBytes, "1 Mb/s", 0, "b would be bits"},
		{QuotaProducerBytes, "1 mb", 0, "b would be bits"},
		{QuotaProducerBytes, "1 Mbit/s", 0, "b would be bits"},
		{QuotaProducerBytes, "1 Mbps", 0, "b would be bits"},
		{QuotaProducerBytes, "1M", 0, "say which one"},
		{QuotaProducerBytes, "1 G", 0, "say which one"},
		{QuotaProducerBytes, "1 Ki", 0, "say which one"},
		{QuotaProducerBytes, "1 MB/min", 0, "with or without /s"},
		{QuotaProducerBytes, "50%", 0, "not a percentage"},
		{QuotaProducerBytes, "9223372036854775808", 0, "more than Kafka can hold"},
		{QuotaProducerBytes, "8388608 TiB", 0, "more than Kafka can hold"},
		{QuotaProducerBytes, "9007199254740993", 0, "the nearest is 9007199254740992"},
		{QuotaProducerBytes, strings.Repeat("9", 65), 0, "type a number"},

		{QuotaRequestPercent, "200", 200, ""},
		{QuotaRequestPercent, "12.5 %", 12.5, ""},
		{QuotaRequestPercent, "50percent", 50, ""},
		{QuotaRequestPercent, "0.1", 0.1, ""},
		{QuotaRequestPercent, "1MiB", 0, "is a percentage"},
		{QuotaRequestPercent, "50/s", 0, "is a percentage"},
		{QuotaRequestPercent, "0%", 0, "greater than 0"},
		{QuotaMutations, "10", 10, ""},
		{QuotaMutations, "2.5/s", 2.5, ""},
		{QuotaMutations, "10 mutations/s", 10, ""},
		{QuotaMutations, "10%", 0, "counts mutations"},
		{QuotaMutations, "10 MB", 0, "counts mutations"},
		{"tomorrow", "1.25", 1.25, ""},
		{"tomorrow", "1MiB", 0, "does not know the unit"},
		{"tomorrow", "x", 0, "type a number"},
		{"", "1", 0, "needs a key"},
	} {
		got, err := ParseQuota(tc.key, tc.text)
		if got != tc.want && err == nil || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%s %q: %v, %v; want %v, %q", tc.key, tc.text, got, err, tc.want, tc.err)
		}
	}
}

func TestCheckQuota(t *testing.T) {
	for _, v := range []float64{0, -0.5, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)} {
		for _, key := range append(QuotaKeys(), "tomorrow") {
			if CheckQuota(key, v) == nil {
				t.Errorf("%s %v was accepted", key, v)
			}
		}
	}
	if CheckQuota(QuotaProducerBytes, 1e19) == nil || CheckQuota(QuotaProducerBytes, 1.5) == nil || CheckQuota(QuotaRequestPercent, 1e19) != nil {
		t.Error("the bounds are not Kafka's")
	}
}

// FuzzParseQuota checks that what is accepted is a value that Kafka stores, and
// that the exact text of it reads back as the same value.
func FuzzParseQuota(f *testing.F) {
	for _, text := range []string{"1048576", "1MiB", "1.5 MB/s", "200%", "10/s", "-1", "NaN", "1e6", "1,5", "9007199254740993", "0.0000001", "1 Mb", "％", "1\x00"} {
		for i := range 5 {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		key := append(QuotaKeys(), "tomorrow")[uint(i)%5]
		v, err := ParseQuota(key, text)
		if err != nil {
			if len(text) > 8 && strings.Trim(text, "0123456789.") != "" && strings.Contains(err.Error(), text) {
				t.Errorf("%q repeats the input %q", err, text)
			}
			return
		}
		if err := CheckQuota(key, v); err != nil {
			t.Fatalf("%s %q gives %v: %v", key, text, v, err)
		}
		exact := QuotaValue{key, v}.Exact()
		if strings.Contains(exact, "e") {
			return
		}
		if again, err := ParseQuota(key, exact); err != nil || again != v {
			t.Fatalf("%s %q gives %v, whose text %q gives %v, %v", key, text, v, exact, again, err)
		}
		human := QuotaValue{key, v}.Human()
		if strings.HasPrefix(human, "~") {
			return
		}
		if again, err := ParseQuota(key, human); err != nil || again != v {
			t.Fatalf("%s %q gives %v, for people %q, which gives %v, %v", key, text, v, human, again, err)
		}
	})
}
