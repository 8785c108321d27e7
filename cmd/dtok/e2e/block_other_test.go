//go:build !linux

package e2e

import "os"

// block has no portable way.
func (t *terminal) block() { t.Skip("needs Linux's ioctls") }

// unread has no portable way; that there is some is taken for granted.
func unread(*os.File) (int, error) { return 1, nil }
