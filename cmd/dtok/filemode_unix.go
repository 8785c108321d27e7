//go:build unix

package main

// hasModes: a file's mode says who may read it.
const hasModes = true
