package faults

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// workers make runs side by side: most of a run that stalls is waiting.
const workers = 16

// TestFaults makes the runs of the plan. DTOK_FAULT names a single one.
func TestFaults(t *testing.T) {
	folder := t.TempDir()
	if name := os.Getenv("DTOK_FAULT"); name != "" {
		r, err := parseRun(name)
		if err != nil {
			t.Fatal(err)
		}
		e, err := execute(t.Context(), r, folder)
		if e != nil {
			t.Logf("%s: %s, %v\n%s", r.text(), e.claim, e.err, difference(e.before, e.after))
		}
		if err != nil {
			t.Error(err)
		}
		return
	}
	seed, err := seedWanted()
	if err != nil {
		t.Fatal(err)
	}
	p, err := draw(t.Context(), seed, folder)
	if err != nil {
		t.Fatal(err)
	}
	n, err := wanted(p.size())
	if err != nil {
		t.Fatal(err)
	}
	runs := p.choose(n)
	idle := quiescent()
	table := all(t, runs, folder)
	t.Logf("seed %d: %d of %d runs, %d of them of the %d boundaries of changes\n%s", seed, len(runs), p.size(),
		table.changes, len(p.changes), table)
	for label, left := range leftOver(idle) {
		t.Errorf("%s is left: %s", label, left)
	}
}

// all makes the runs and reports what is wrong.
func all(t *testing.T, runs []run, folder string) *table {
	out := newTable()
	queue := make(chan run)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for r := range queue {
				pprof.Do(t.Context(), pprof.Labels("run", r.text()), func(ctx context.Context) {
					e, err := execute(ctx, r, folder)
					out.note(r, e)
					if err != nil {
						t.Errorf("%v\n%s", err, repeat(r))
					}
				})
			}
		})
	}
	for _, r := range runs {
		if t.Failed() && out.failures() > 10 {
			break // what is wrong is wrong everywhere
		}
		queue <- r
	}
	close(queue)
	working.Wait()
	return out
}

// repeat is the command that makes a run again.
func repeat(r run) string {
	return "DTOK_FAULT='" + r.text() + "' go test -count=1 -v -run TestFaults ./kafka/faults"
}

// state is what a leak would add to.
type state struct{ goroutines, files int }

func quiescent() state {
	s := state{goroutines: runtime.NumGoroutine(), files: -1}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		s.files = len(files)
	}
	return s
}

// leftOver names what the runs left behind, by the run that began it. What is
// ending by itself has a while for that.
func leftOver(idle state) map[string]string {
	until := time.Now().Add(longWait)
	now := quiescent()
	for now.goroutines > idle.goroutines || now.files > idle.files {
		if time.Now().After(until) {
			var profile strings.Builder
			_ = pprof.Lookup("goroutine").WriteTo(&profile, 1)
			return map[string]string{fmt.Sprintf("%+v after %+v", now, idle): profile.String()}
		}
		runtime.Gosched()
		now = quiescent()
	}
	return nil
}

// table counts what became of the runs.
type table struct {
	mu      sync.Mutex
	cells   map[string]map[string]int // by operation and kind, then by claim
	changes int
	failed  int
	missed  int // runs whose fault had no occasion
}

func newTable() *table { return &table{cells: map[string]map[string]int{}} }

func (t *table) note(r run, e *ended) {
	t.mu.Lock()
	defer t.mu.Unlock()
	word := "no result"
	if e != nil && e.claim != "" {
		word = string(e.claim)
		select {
		case <-e.proxy.struck:
		default:
			t.missed++
		}
	}
	for _, name := range []string{r.operation + "/" + string(r.kind), r.operation + "/", "/" + string(r.kind), "/"} {
		if t.cells[name] == nil {
			t.cells[name] = map[string]int{}
		}
		t.cells[name][word]++
	}
}

func (t *table) failures() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// String is one line for each operation, one column for each fault; a cell
// counts done/unknown/failed for changes, with refused and other words where
// they occur.
func (t *table) String() string {
	var b strings.Builder
	for _, o := range operations {
		fmt.Fprintf(&b, "%s\n", o.name)
		for _, k := range kinds {
			cell := t.cells[o.name+"/"+string(k)]
			if len(cell) == 0 {
				continue
			}
			fmt.Fprintf(&b, "    %-12s", k)
			for _, word := range slices.Sorted(maps.Keys(cell)) {
				fmt.Fprintf(&b, " %s %d", word, cell[word])
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
