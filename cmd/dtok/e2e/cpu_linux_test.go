package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// cpu is the processor time that the program has used so far.
func (t *terminal) cpu() time.Duration {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	// User and system time are fields 14 and 15 (proc(5)), in ticks of 10 ms,
	// on all of Go's Linux ports; the name in field 2 may hold blanks.
	fields := strings.Fields(string(data)[strings.LastIndexByte(string(data), ')')+1:])
	total := time.Duration(0)
	for _, f := range fields[11:13] {
		ticks, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		total += time.Duration(ticks) * 10 * time.Millisecond
	}
	return total
}
