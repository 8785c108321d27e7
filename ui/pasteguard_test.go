package ui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

func TestPasteGuard(t *testing.T) {
	type press struct {
		key     tea.KeyMsg
		gap     time.Duration
		refused bool
	}
	const fast, typed = 5 * time.Millisecond, 60 * time.Millisecond
	y, enter := runesKey("y"), plainKey(tea.KeyEnter)
	for _, c := range []struct {
		name    string
		presses []press
	}{
		{"typed keys pass", []press{{y, 0, false}, {enter, typed, false}, {y, typed, false}}},
		{"right after a paste", []press{{pasteKey("abc"), 0, true}, {y, fast, true}, {enter, fast, true}}},
		{"quiet after a paste", []press{{pasteKey("abc"), 0, true}, {enter, pressQuiet, false}}},
		{"waiting starts no new quiet period", []press{
			{pasteKey("abc"), 0, true}, {enter, 150 * time.Millisecond, true}, {enter, 50 * time.Millisecond, false},
		}},
		{"an unbracketed paste", []press{
			{runesKey("yes"), 0, true}, {enter, fast, true}, {y, fast, true}, {enter, fast, true},
			{enter, pressQuiet, false},
		}},
		{"single characters in a row", []press{{y, 0, false}, {enter, fast, true}, {y, typed, true}}},
		{"typed ahead", []press{
			{plainKey(tea.KeyTab), 0, false}, {plainKey(tea.KeyTab), fast, false}, {enter, fast, false},
		}},
		{"characters, then keys at once", []press{
			{y, 0, false}, {plainKey(tea.KeyTab), fast, true}, {enter, fast, true},
		}},
		{"other keys are no paste", []press{
			{plainKey(tea.KeyDown), 0, false}, {plainKey(tea.KeyDown), fast, false}, {enter, fast, false},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var guard pasteGuard
			now := keyTime
			for i, p := range c.presses {
				now = now.Add(p.gap)
				guard.see(p.key, now)
				if got := guard.refuses(now); got != p.refused {
					t.Errorf("key %d: refused %v", i, got)
				}
			}
		})
	}
}
