package e2e

import (
	"os"

	"golang.org/x/sys/unix"
)

// block stops the output, as ctrl+s does in a terminal that honours it.
func (t *terminal) block() {
	t.Helper()
	if err := unix.IoctlSetInt(int(t.slave.Fd()), unix.TCXONC, unix.TCOOFF); err != nil {
		t.Fatal(err)
	}
}

// unread is how much output there is that nobody has read.
func unread(master *os.File) (n int, err error) {
	conn, err := master.SyscallConn()
	if err != nil {
		return 0, err
	}
	if failed := conn.Control(func(fd uintptr) { n, err = unix.IoctlGetInt(int(fd), unix.TIOCINQ) }); failed != nil {
		return 0, failed
	}
	return n, err
}
