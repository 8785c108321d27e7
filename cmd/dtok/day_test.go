package main

import (
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

// use is what this process holds.
type use struct{ heap, goroutines, files int }

func measureUse() use {
	runtime.GC()
	runtime.GC() // what the first one only marked as finalised
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u := use{heap: int(m.HeapAlloc), goroutines: runtime.NumGoroutine()}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil { // Linux; elsewhere nothing to count
		u.files = len(open)
	}
	return u
}

// TestOpenForADay leaves dtok and its broker open for a day of their clock, with
// one reading a minute: tokens expire and are swept meanwhile. What the process
// holds in the last hours is what it held in the first ones.
func TestOpenForADay(t *testing.T) {
	s := openStage(t, "standard")
	s.press("t")
	s.sees("20 tokens")
	const day = 24
	var hours []use
	for range day {
		for range 60 {
			s.wait(time.Minute)
			s.press("r")
			_ = s.screen.View()
		}
		hours = append(hours, measureUse())
	}
	s.sees("All tokens")
	if signedIn := s.broker.SignIns(); signedIn != 1 {
		t.Errorf("signed in %d times", signedIn)
	}
	first, last := hours[1:5], hours[day-4:]
	t.Logf("first %+v, last %+v, %d timers", first, last, len(s.timers))
	for name, of := range map[string]func(use) int{"goroutines": func(u use) int { return u.goroutines }, "files": func(u use) int { return u.files }} {
		most := func(us []use) int { return of(slices.MaxFunc(us, func(a, b use) int { return of(a) - of(b) })) }
		if most(last) > most(first) {
			t.Errorf("%s: %d in the first hours, %d in the last", name, most(first), most(last))
		}
	}
	least := func(us []use) int { return slices.MinFunc(us, func(a, b use) int { return a.heap - b.heap }).heap }
	if grown := least(last) - least(first); grown > least(first)/10 {
		t.Errorf("the heap grew by %d bytes from %d", grown, least(first))
	}
}
