//go:build darwin || windows

package ui

import "github.com/atotto/clipboard"

// newMachineClipboard is the one clipboard that these systems have. Elsewhere
// the library will not do, see clipboard_programs.go.
func newMachineClipboard() machineClipboard {
	return machineClipboard{write: clipboard.WriteAll, read: clipboard.ReadAll}
}
