package ui

import (
	"sync"

	"github.com/charmbracelet/x/term"

	// Keeps Bubble Tea from asking the terminal for its background at start.
	_ "dtok/ui/background"
)

// TerminalOutput is the terminal that Bubble Tea draws on, shared with the
// clipboard: every Write is whole, so that a sequence never lands in the
// middle of a frame. It is a term.File, by which Bubble Tea and Lip Gloss
// recognise a terminal and ask for its size.
type TerminalOutput struct {
	term.File
	mu sync.Mutex
}

// NewTerminalOutput wraps a file, such as os.Stdout, for tea.WithOutput and
// NewClipboard.
func NewTerminalOutput(file term.File) *TerminalOutput { return &TerminalOutput{File: file} }

// Write writes p while nobody else writes.
func (o *TerminalOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.File.Write(p)
}
