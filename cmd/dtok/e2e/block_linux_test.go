package e2e

import "golang.org/x/sys/unix"

// block stops the output, as ctrl+s does in a terminal that honours it.
func (t *terminal) block() {
	t.Helper()
	if err := unix.IoctlSetInt(int(t.slave.Fd()), unix.TCXONC, unix.TCOOFF); err != nil {
		t.Fatal(err)
	}
}
