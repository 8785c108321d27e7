//go:build unix

package config

import (
	"os/exec"
	"syscall"
)

// apart puts a command into a session of its own: it cannot write to or read
// from dtok's terminal, and can be killed with its children.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
