package faults

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// TestGarbageTakesBoundedMemory puts the worst numbers in place of the lengths of
// frames and of other bytes in answers, one run at a time: no length is believed
// beyond the longest frame that is read, and none inside a frame beyond it.
func TestGarbageTakesBoundedMemory(t *testing.T) {
	const (
		longestFrame = 64 << 20
		// besides counts what the broker, the proxy and the test take.
		besides = 16 << 20
	)
	folder := t.TempDir()
	dice := rand.New(rand.NewPCG(1, 1))
	var lengths, others []run
	for _, o := range operations {
		found, err := pieces(t.Context(), o.name, plain, folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found {
			if p.direction == request {
				continue
			}
			for at := range p.size {
				for _, how := range []uint64{ones, highest, longest} {
					r := run{o.name, plain, fault{kind: garbage, conn: p.conn, direction: answer, at: p.at + at, size: 5, seed: how}}
					if at == 0 {
						r.size = 4
						lengths = append(lengths, r)
					} else {
						others = append(others, r)
					}
				}
			}
		}
	}
	shuffle(dice, lengths)
	shuffle(dice, others)
	runs := append(lengths[:30], others[:60]...)
	var most uint64
	for _, r := range runs {
		took, err := taken(func() error {
			_, err := execute(t.Context(), r, folder)
			return err
		})
		if err != nil {
			t.Errorf("%v\n%s", err, repeat(r))
		}
		if took > longestFrame+besides {
			t.Errorf("%d MiB were taken\n%s", took>>20, repeat(r))
		}
		most = max(most, took)
	}
	t.Logf("%d runs, at most %d MiB in one", len(runs), most>>20)
}

// taken is how many bytes were allocated, whether or not they were freed.
func taken(f func() error) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}
