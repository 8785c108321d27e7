//go:build !linux

package e2e

import "time"

// cpu needs /proc: nothing else tells what a running process has used.
func (t *terminal) cpu() time.Duration { t.Skip("needs /proc"); return 0 }

// peak needs /proc as well.
func (t *terminal) peak() float64 { t.Skip("needs /proc"); return 0 }
