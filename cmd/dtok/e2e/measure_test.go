package e2e

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// Benchmarks measure whole processes, so each takes its samples in one
// iteration and reports them as metrics: make bench prints them. The comments
// name the targets; nothing here fails because of time.

// once takes a measurement a single time: it lasts until the framework has no
// reason to ask for more iterations.
func once(b *testing.B, measure func()) {
	b.Helper()
	if b.N > 1 {
		b.Skip("one iteration takes all samples")
	}
	measure()
	<-time.After(time.Second - b.Elapsed())
	b.ReportMetric(0, "ns/op") // the time of all samples says nothing
}

// quantile is the value below which the share q of the sorted values lies.
func quantile[T any](sorted []T, q float64) T {
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// cost is what one key did: the output it caused and how long the first and
// the last byte of it took.
type cost struct {
	bytes       int
	first, last time.Duration
}

// key presses a key when the output has been quiet for a while, at no fixed
// distance to the frame clock, and waits until it is quiet again.
func (t *terminal) key(key string) cost {
	t.Helper()
	const quiet = 40 * time.Millisecond
	t.still(quiet)
	<-time.After(rand.N(50 * time.Millisecond))
	from := t.mark()
	t.mu.Lock()
	chunks := len(t.chunks)
	t.mu.Unlock()
	pressed := time.Now()
	t.press(key)
	deadline := time.After(patience)
	for t.mark() == from {
		select {
		case <-t.arrived:
		case <-deadline:
			t.Fatalf("the key %q changes nothing", key)
		}
	}
	t.still(quiet)
	t.mu.Lock()
	defer t.mu.Unlock()
	caused := t.chunks[chunks:]
	return cost{
		bytes: caused[len(caused)-1].end - from,
		first: caused[0].at.Sub(pressed),
		last:  caused[len(caused)-1].at.Sub(pressed),
	}
}

// costs are the costs of pressing keys in turn, so many in all.
func (t *terminal) costs(n int, keys ...string) []cost {
	t.Helper()
	all := make([]cost, n)
	for i := range all {
		all[i] = t.key(keys[i%len(keys)])
	}
	return all
}

// reportLatency reports key → last byte, and the bytes.
func reportLatency(b *testing.B, all []cost) {
	b.Helper()
	slices.SortFunc(all, func(x, y cost) int { return int(x.last - y.last) })
	total := 0
	for _, c := range all {
		total += c.bytes
	}
	b.ReportMetric(ms(quantile(all, 0.5).last), "ms/key-p50")
	b.ReportMetric(ms(quantile(all, 0.99).last), "ms/key-p99")
	b.ReportMetric(float64(total)/float64(len(all)), "bytes/key")
}

// appears measures from the start of the program until a text has been written.
func (t *terminal) appears(text string) time.Duration {
	t.Helper()
	deadline := time.After(patience)
	for {
		t.mu.Lock()
		at := strings.Index(string(t.output), text)
		if at >= 0 {
			i := slices.IndexFunc(t.chunks, func(c chunk) bool { return c.end >= at+len(text) })
			took := t.chunks[i].at.Sub(t.started)
			t.mu.Unlock()
			return took
		}
		t.mu.Unlock()
		select {
		case <-t.arrived:
		case <-deadline:
			t.Fatalf("%q did not come", text)
		}
	}
}
