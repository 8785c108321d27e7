//go:build unix

package audit

import (
	"os"
	"syscall"
)

// noFollow are the flags that refuse a symbolic link, and do not wait for the
// other end of a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// syncFolder makes the entries of a folder durable.
func syncFolder(folder *os.File) error { return folder.Sync() }
