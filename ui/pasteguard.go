package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// pasteGuard remembers the last key that was pasted, for dialogs to refuse a
// key that confirms: a clipboard that holds the end mark of bracketed paste, or
// any clipboard where pastes are not bracketed, types "y" and enter by itself.
type pasteGuard struct {
	lastText  time.Time
	lastRune  time.Time // the last key that was a character
	lastPaste time.Time
}

// burstGap is what lies between two keys of an unbracketed paste at most, and
// is less than between keys that a person types.
const burstGap = 25 * time.Millisecond

// pressQuiet is how long after pasted text no button is pressed: long enough
// for what a terminal still holds of the paste, and short enough that a person
// hardly meets it.
const pressQuiet = 200 * time.Millisecond

// see is told of every key, with the time it came, before the dialog acts on
// it.
func (g *pasteGuard) see(msg tea.KeyMsg, now time.Time) {
	switch msg.Type {
	case tea.KeyRunes, tea.KeySpace, tea.KeyEnter, tea.KeyCtrlJ, tea.KeyTab:
	default:
		return
	}
	// Tabs and line ends alone are no paste: they are typed ahead, by people
	// who know the dialog and by scripts.
	since := g.lastRune
	if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
		since, g.lastRune = g.lastText, now
	}
	burst := !since.IsZero() && now.Sub(since) < burstGap
	if msg.Paste || burst || len(msg.Runes) > 1 {
		g.lastPaste = now
	}
	g.lastText = now
}

// refuses reports whether a key that comes now may be part of a paste: it was
// seen as one, or no quiet period of pressQuiet has passed since.
func (g *pasteGuard) refuses(now time.Time) bool {
	return !g.lastPaste.IsZero() && now.Sub(g.lastPaste) < pressQuiet
}
