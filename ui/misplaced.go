package ui

import (
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// leastHMACRun is how many base64 characters in a row are taken for an HMAC:
// it has 88, and line ends after 64 or 76 are common.
const leastHMACRun = 60

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
	if !holdsHMAC(text) {
		return false
	}
	clear(msg.Runes)
	return true
}

// holdsHMAC looks for a long run of base64 with capitals, small letters and
// digits in it, which names, digests in hex and sentences do not have. Line ends
// within it do not count.
func holdsHMAC(text []rune) bool {
	run := 0
	var upper, lower, digit bool
	for _, r := range text {
		switch {
		case r == '\r' || r == '\n':
			continue
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			upper = upper || unicode.IsUpper(r)
			lower = lower || unicode.IsLower(r)
			digit = digit || unicode.IsDigit(r)
			run++
		case r == '+' || r == '/' || r == '-' || r == '_':
			run++
		default:
			run, upper, lower, digit = 0, false, false, false
		}
		if run >= leastHMACRun && upper && lower && digit {
			return true
		}
	}
	return false
}
