package main

// forbidCoreDumps does nothing: Windows writes no dump of a process unless an
// administrator has set that up for this program (LocalDumps).
func forbidCoreDumps() {}
