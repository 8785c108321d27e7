package e2e

import (
	"fmt"
	"testing"
	"time"
)

// window is a size of terminal to measure on.
type window struct{ cols, rows int }

func (w window) String() string { return fmt.Sprintf("%dx%d", w.cols, w.rows) }

// overview signs in at a broker and waits for its users.
func overview(b testing.TB, served *broker, w window, limit time.Duration) *terminal {
	b.Helper()
	x := start(b, how{args: served.flags(saslSSL, "ops"), cols: w.cols, rows: w.rows, plain: true, limit: limit})
	x.appears("end in 24 h")
	return x
}

// allTokens opens the list of all tokens.
func allTokens(b testing.TB, served *broker, w window, limit time.Duration) *terminal {
	b.Helper()
	x := overview(b, served, w, limit)
	x.key("t")
	return x
}

// BenchmarkBigReading reads, indexes and shows 100 000 tokens of another
// process's broker at 200×50. Targets: 1 s of CPU, 120 MB resident. A second
// reading comes while the first list is still on the screen.
func BenchmarkBigReading(b *testing.B) {
	served := serve(b, "big")
	for _, readings := range []int{1, 2, 5} {
		b.Run(fmt.Sprintf("readings=%d", readings), func(b *testing.B) {
			once(b, func() {
				x := overview(b, served, window{200, 50}, time.Minute)
				first := x.appears("end in 24 h")
				for range readings - 1 {
					x.still(200 * time.Millisecond)
					from := x.mark()
					x.press("r")
					for x.mark() == from {
						<-x.arrived
					}
					x.still(600 * time.Millisecond)
				}
				b.ReportMetric(x.peak()/1e6, "peak-MB")
				b.ReportMetric(float64(x.mark()), "bytes")
				x.press("\x03")
				x.exits(0)
				b.ReportMetric(ms(first), "ms/start")
				b.ReportMetric((x.cmd.ProcessState.UserTime() + x.cmd.ProcessState.SystemTime()).Seconds(), "cpu-s")
			})
		})
	}
}

// BenchmarkBigKeys presses keys on 100 000 tokens and on 2 000 users, each
// after the output fell quiet. Targets: the last byte after 6 ms (p50) and
// 15 ms (p99); 500 bytes for a cursor key in view.
func BenchmarkBigKeys(b *testing.B) {
	served := serve(b, "big")
	for _, list := range []struct {
		name string
		open func(testing.TB, *broker, window, time.Duration) *terminal
	}{{"tokens", allTokens}, {"users", overview}} {
		for _, w := range []window{{200, 50}, {80, 24}} {
			x := list.open(b, served, w, 10*time.Minute)
			x.key("j")
			named := func(keys string) string { return fmt.Sprintf("list=%s/window=%v/keys=%s", list.name, w, keys) }
			b.Run(named("in-view"), func(b *testing.B) {
				once(b, func() { x.reportKeys(b, 200, "j", "j", "j", "k", "k", "k") })
			})
			b.Run(named("pages"), func(b *testing.B) {
				once(b, func() { x.reportKeys(b, 30, "\x1b[6~", "\x1b[6~", "\x1b[5~") })
			})
			b.Run(named("filter"), func(b *testing.B) {
				x.key("/")
				once(b, func() { x.reportKeys(b, 40, "e", "t", "\x7f", "\x7f") })
				x.key("\x1b")
			})
			b.Run(named("j-held"), func(b *testing.B) {
				once(b, func() { reportHeld(b, x) })
			})
			x.press("\x03")
			x.exits(0)
		}
	}
}

// reportHeld holds j through 500 rows at the rate of a fast keyboard, 60 a second.
// Target: 1 kB a key on average.
func reportHeld(b *testing.B, x *terminal) {
	b.Helper()
	x.key("g")
	const rows = 500
	from := x.mark()
	tick := time.NewTicker(time.Second / 60)
	defer tick.Stop()
	for range rows {
		<-tick.C
		x.press("j")
	}
	x.still(200 * time.Millisecond)
	b.ReportMetric(float64(x.mark()-from)/rows, "bytes/key")
}

// BenchmarkIdle leaves dtok alone for 20 seconds. Targets for a minute: no
// output but where a shown text changed, and 0.5 % of a processor.
func BenchmarkIdle(b *testing.B) {
	for _, scenario := range []string{"standard", "big"} {
		b.Run("scenario="+scenario, func(b *testing.B) {
			once(b, func() {
				reportIdle(b, allTokens(b, serve(b, scenario), window{200, 50}, time.Minute))
			})
		})
	}
}

// reportIdle leaves a screen alone and ends it.
func reportIdle(b *testing.B, x *terminal) {
	b.Helper()
	x.still(time.Second)
	cpu, from := x.cpu(), x.mark()
	const idle = 20 * time.Second
	<-time.After(idle)
	b.ReportMetric(float64(x.cpu()-cpu)/float64(idle)*100, "%cpu")
	b.ReportMetric(float64(x.mark()-from), "bytes/20s")
	x.press("\x03")
	x.exits(0)
}
