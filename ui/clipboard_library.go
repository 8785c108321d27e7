//go:build darwin || !unix

package ui

import (
	"context"

	"github.com/atotto/clipboard"
)

// newMachineClipboard is the one clipboard that these systems have. Elsewhere
// the library will not do, see clipboard_programs.go.
func newMachineClipboard() machineClipboard {
	return machineClipboard{
		write: func(_ context.Context, text string) error { return clipboard.WriteAll(text) },
		read:  func(context.Context) (string, error) { return clipboard.ReadAll() },
	}
}
