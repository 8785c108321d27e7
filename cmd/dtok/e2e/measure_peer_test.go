package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// peer is a bubbles/table of so many rows, in a window of 200×50 that answers
// queries: the yardstick of the other benchmarks here.
func peer(b *testing.B, rows string) *terminal {
	b.Helper()
	path := filepath.Join(b.TempDir(), "bubbletable")
	build := exec.Command("go", "build", "-trimpath", "-o", path, "dtok/cmd/dtok/bench/bubbletable")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	x := start(b, how{command: []string{path, rows}, cols: 200, rows: 50, answers: true, limit: 10 * time.Minute})
	x.appears("Token ID")
	return x
}

// BenchmarkPeerKeys presses the keys of BenchmarkBigKeys on 100 000 rows.
func BenchmarkPeerKeys(b *testing.B) {
	x := peer(b, "100000")
	x.key("j")
	b.Run("keys=in-view", func(b *testing.B) {
		once(b, func() { x.reportKeys(b, 200, "j", "j", "j", "k", "k", "k") })
	})
	b.Run("keys=pages", func(b *testing.B) {
		once(b, func() { x.reportKeys(b, 30, "\x1b[6~", "\x1b[6~", "\x1b[5~") })
	})
	b.Run("keys=j-held", func(b *testing.B) {
		once(b, func() { reportHeld(b, x) })
	})
	x.press("\x03")
	x.exits(0)
}

// BenchmarkPeerIdle leaves it alone as BenchmarkIdle does with dtok.
func BenchmarkPeerIdle(b *testing.B) {
	once(b, func() {
		x := peer(b, "100000")
		reportIdle(b, x)
	})
}
