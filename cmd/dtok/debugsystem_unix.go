//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// noFollow are the flags that refuse a symbolic link, and do not wait for the
// other end of a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

func isSymlink(err error) bool { return errors.Is(err, syscall.ELOOP) }

// isOwn reports whether a file belongs to whoever runs dtok.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// systemRelease is the kernel's release.
func systemRelease() string {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return ""
	}
	return unix.ByteSliceToString(name.Release[:])
}
