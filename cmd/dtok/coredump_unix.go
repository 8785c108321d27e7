//go:build unix && !linux

package main

import "golang.org/x/sys/unix"

// forbidCoreDumps keeps passwords and HMACs that are in memory from reaching
// the disk when the process dies.
func forbidCoreDumps() {
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}
