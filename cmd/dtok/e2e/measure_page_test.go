package e2e

import (
	"errors"
	"testing"
	"time"

	"dtok/cmd/dtok/bench/crowd"
)

// BenchmarkBigPage shows 10 000 users and one of them with 50 000 ACL rules at
// 200×50, and presses keys on the rules. Targets: 120 MB resident, and p99 of a
// key 5 ms to the frame.
func BenchmarkBigPage(b *testing.B) {
	served := serve(b, "standard")
	admin := served.as("admin")
	if err := errors.Join(crowd.Users(admin, 10_000), crowd.Rules(admin, "alice", 50_000)); err != nil {
		b.Fatal(err)
	}
	b.Run("start", func(b *testing.B) {
		once(b, func() {
			x := start(b, how{args: append(served.flags(saslSSL, "ops"), "--user", "alice"), cols: 200, rows: 50, limit: time.Minute})
			x.appears("Max lifetime ends")
			x.still(time.Second)
			x.changes("2")
			x.see("topic-000001")
			x.still(time.Second)
			b.ReportMetric(x.cpu().Seconds(), "cpu-s")
			b.ReportMetric(float64(x.mark()), "bytes")
			b.ReportMetric(x.peak()/1e6, "peak-MB")
			x.press("\x03")
			x.exits(0)
		})
	})
	b.Run("keys", func(b *testing.B) {
		x := start(b, how{args: append(served.flags(saslSSL, "ops"), "--user", "alice"), cols: 200, rows: 50, limit: 10 * time.Minute})
		x.appears("Max lifetime ends")
		x.changes("2")
		x.see("topic-000001")
		once(b, func() { x.reportKeys(b, 200, "j", "j", "j", "k", "k", "k") })
		x.press("\x03")
		x.exits(0)
	})
}
