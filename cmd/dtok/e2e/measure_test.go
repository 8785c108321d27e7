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

// cost is what one key did: the output it caused and how long the last byte of
// it took.
type cost struct {
	bytes int
	last  time.Duration
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
		last:  caused[len(caused)-1].at.Sub(pressed),
	}
}

// reportKeys presses keys in turn, so many in all, and reports what one costs:
// the time to the last byte, the bytes, and the processor time of dtok, which
// is the one that tells something on a machine that is busy.
func (t *terminal) reportKeys(b *testing.B, n int, keys ...string) {
	b.Helper()
	all := make([]cost, n)
	total, cpu := 0, t.cpu()
	for i := range all {
		all[i] = t.key(keys[i%len(keys)])
		total += all[i].bytes
	}
	cpu = t.cpu() - cpu
	slices.SortFunc(all, func(x, y cost) int { return int(x.last - y.last) })
	b.ReportMetric(ms(quantile(all, 0.5).last), "ms/key-p50")
	b.ReportMetric(ms(quantile(all, 0.99).last), "ms/key-p99")
	b.ReportMetric(ms(cpu)/float64(n), "cpu-ms/key")
	b.ReportMetric(float64(total)/float64(n), "bytes/key")
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
