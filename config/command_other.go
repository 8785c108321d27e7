//go:build !unix

package config

import "os/exec"

// apart is for systems with sessions; elsewhere the command alone is killed.
func apart(*exec.Cmd) {}
