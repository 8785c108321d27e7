// Package background keeps Bubble Tea v1 from asking the terminal for its
// background colour.
//
// Bubble Tea v1 has an init function (tea_init.go) that calls
// lipgloss.HasDarkBackground. On a terminal it writes the queries OSC 11 and
// CSI 6n and waits up to five seconds for an answer: some SSH clients, serial
// lines and CI terminals never give one, so that even `dtok --version` hangs,
// and a late answer is typed into whatever field has the focus. Neither
// NO_COLOR nor any option of Bubble Tea prevents it, and upstream will not
// change it in v1.
//
// A background that is already set is not asked for. dtok uses the palette's
// colours 0–15 alone, which follow the person's own theme, and so needs no
// answer; "dark" is as good as any.
//
// It works only because this init runs before Bubble Tea's. The linker orders
// packages by import path among those whose imports are all initialised, and
// dtok/ui/background sorts before github.com/charmbracelet/bubbletea. So the
// package imports Lip Gloss and nothing else, which makes it ready no later
// than Bubble Tea, and the module's path must keep sorting before "github.com".
// Package ui imports it, blank; nothing needs to do so again.
package background

import "github.com/charmbracelet/lipgloss"

// The reason for init, here alone: only another package's init can be early
// enough.
func init() { lipgloss.SetHasDarkBackground(true) }
