package ui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// FuzzUpdate sends arbitrary keys, sizes and pastes; driver.check holds after
// every one of them.
func FuzzUpdate(f *testing.F) {
	f.Add([]byte("j\rc\t\t\ryd"))
	f.Add([]byte("j\rx\t\x00\twhy\t\r"))
	f.Add([]byte("/al\r\rwq?jjk\x1bS\x1b"))
	f.Add([]byte("\x01t\x02\x03o\x00\r"))
	f.Add([]byte("Aj\r\x1b/torn\rssS\x01r\x1b\x1bA\x02"))
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > 200 {
			return
		}
		rows, err := trailRows(), error(nil)
		d := newDriver(t, 80, 24, withTrail(&rows, &err))
		for _, c := range input {
			d.advance(time.Duration(c) * 7 * time.Millisecond)
			switch {
			case d.quit:
				return
			case c == 0:
				d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(d.broker.hmacText(tok1)), Paste: true})
			case c == 1, c == 2, c == 3, c == 4:
				d.send(tea.WindowSizeMsg{Width: int(c) * 41, Height: int(c) * 11})
			case c == '\r':
				d.send(keyMsg("enter"))
			case c == '\t':
				d.send(keyMsg("tab"))
			case c == 27:
				d.send(keyMsg("esc"))
			case c == 8:
				d.send(keyMsg("backspace"))
			case c < 32:
				d.send(keyMsg([]string{"up", "down", "left", "right", "pgup", "pgdown", "home", "end"}[c%8]))
			default:
				d.send(keyMsg(string(rune(c))))
			}
		}
	})
}
