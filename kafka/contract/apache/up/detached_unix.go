//go:build unix

package main

import "syscall"

// detached keeps the node alive when the terminal or the make that started it
// goes away.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
