package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// misplacedText is what a field that is not for an HMAC says of one.
const misplacedText = "that looks like an HMAC, so it was not taken: this field is shown, and a reason is recorded"

// refuses reports whether a key would put an HMAC into the line, where it would
// be on the screen, and as a reason in the audit trail. It is looked for around
// the cursor, for a paste that comes in pieces; the line is then emptied, and
// what follows at once is the rest of the paste and refused too. The runes of
// such a key are overwritten.
func (l *lineInput) refuses(msg tea.KeyMsg, now time.Time) bool {
	if msg.Type != tea.KeyRunes {
		return false
	}
	if !l.refused.IsZero() && now.Sub(l.refused) < pasteQuiet {
		clear(msg.Runes)
		l.refused = now
		return true
	}
	text := make([]rune, 0, len(l.text)+len(msg.Runes))
	text = append(text, l.text[:l.at]...)
	text = append(text, msg.Runes...)
	text = append(text, l.text[l.at:]...)
	defer clear(text)
	if !kafka.HoldsHMAC(text) {
		return false
	}
	clear(msg.Runes)
	l.set("")
	l.refused = now
	return true
}
