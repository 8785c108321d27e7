package faults

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"
)

// enough failures end a test: what is wrong is wrong in many runs.
const enough = 20

// workers make runs side by side: most of a run that stalls is waiting.
const workers = 32

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
	t.Logf("seed %d: %d runs of %d, among them %d of the %d with a fault inside a change or its answer\n%s",
		seed, len(runs), p.size(), p.changesIn(n), len(p.changes), table)
	if left := leftOver(idle); left != "" {
		t.Errorf("something is left: %s", left)
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
					out.note(r, e, err)
					if err != nil {
						t.Errorf("%v\n%s", err, repeat(r))
					}
				})
			}
		})
	}
	for _, r := range runs {
		if out.failures() >= enough {
			t.Log("the other runs are left out")
			break
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

// leftOver names what the runs left behind: the profile has the run's label for
// each goroutine. What is ending by itself has a while for that.
func leftOver(idle state) string {
	over := time.NewTimer(longWait)
	defer over.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for {
		now := quiescent()
		if now.goroutines <= idle.goroutines && now.files <= idle.files {
			return ""
		}
		select {
		case <-look.C:
		case <-over.C:
			var profile strings.Builder
			_ = pprof.Lookup("goroutine").WriteTo(&profile, 1)
			return fmt.Sprintf("%+v after %+v\n%s", now, idle, profile.String())
		}
	}
}
