package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// cpu is the processor time that the program has used so far, on all of its
// threads; Go keeps them. Unlike the clock it does not depend on what else the
// machine has to do.
func (t *terminal) cpu() time.Duration {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", t.cmd.Process.Pid))
	if err != nil || len(threads) == 0 {
		t.Fatalf("the program has no threads: %v", err)
	}
	total := time.Duration(0)
	for _, path := range threads {
		var used time.Duration // the first field is in nanoseconds (proc(5))
		data, err := os.ReadFile(path)
		if err == nil {
			_, err = fmt.Sscan(string(data), &used)
		}
		if err != nil {
			t.Fatal(err)
		}
		total += used
	}
	return total
}

// peak is the most memory, in bytes, that the program has had so far. The
// figure that wait4(2) gives would not be less than this test's own.
func (t *terminal) peak() float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kB := 0.0
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		t.Fatal(err)
	}
	return kB * 1024
}
