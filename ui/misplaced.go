package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// misplacedText is what a field that is not for an HMAC says of one.
const misplacedText = "that looks like an HMAC, so it was not taken: this field is shown, and a reason is recorded"

// misplacedHMAC reports whether a key would put an HMAC into a text field:
// pasted into the wrong one it would be on the screen, and as a reason in the
// audit trail. before is what the field holds, for a paste that comes in
// pieces. The runes of such a key are overwritten.
func misplacedHMAC(before string, msg tea.KeyMsg) bool {
	if msg.Type != tea.KeyRunes {
		return false
	}
	text := append([]rune(before), msg.Runes...)
	defer clear(text)
	if !kafka.HoldsHMAC(text) {
		return false
	}
	clear(msg.Runes)
	return true
}
