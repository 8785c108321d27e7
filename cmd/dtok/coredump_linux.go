package main

import "golang.org/x/sys/unix"

// forbidCoreDumps keeps passwords and HMACs that are in memory from reaching
// the disk when the process dies, and other processes of the same user from
// reading them with a debugger. Where the kernel refuses, dtok runs on: the
// default of almost every system has no core dumps either.
func forbidCoreDumps() {
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	// A core_pattern that is a pipe does not obey the limit; this it obeys.
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}
