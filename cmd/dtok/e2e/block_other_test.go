//go:build !linux

package e2e

// block has no portable way.
func (t *terminal) block() { t.Skip("needs Linux's ioctls") }
