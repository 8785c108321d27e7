package kafka

import "unicode"

// leastHMACRun is how many base64 characters in a row are taken for an HMAC:
// it has 88, and line ends after 64 or 76 are common.
const leastHMACRun = 60

// HoldsHMAC reports whether there is an HMAC in a text that should hold none, such
// as a reason or a name. It looks for a long run of base64 with capitals, small letters and
// digits in it, which names, digests in hex and sentences do not have. Line ends
// within it do not count.
func HoldsHMAC(text []rune) bool {
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
