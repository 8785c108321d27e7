package kafka

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// WorkerConfig calls use with a ready client.properties for a worker that signs
// in with a token, and overwrites the text when use returns. hmac holds the 64
// bytes and stays the caller's.
//
// The address is the one that s is connected to. A session without SASL cannot
// be the worker's listener; the text then says what to replace.
func WorkerConfig(s Session, tokenID string, hmac *Secret, use func(text []byte)) {
	HMACText(hmac, func(password []byte) {
		var b strings.Builder
		b.WriteString("# Signs in as the owner of delegation token " + oneLine(tokenID) + "\n")
		protocol := s.Protocol
		if !protocol.Authenticates() {
			protocol = SASLSSL
			b.WriteString("# Replace the address: the worker needs a SASL listener, and this one is " + string(s.Protocol) + ".\n")
		}
		b.WriteString("bootstrap.servers=" + s.Address + "\n")
		b.WriteString("security.protocol=" + string(protocol) + "\n")
		mechanism := MechanismScramSHA512
		if s.Mechanism == MechanismScramSHA256 {
			mechanism = s.Mechanism
		}
		b.WriteString("sasl.mechanism=" + mechanism + "\n")
		b.WriteString("sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required " +
			"username=" + jaasValue(tokenID) + " password=\"")
		head := b.String()
		const tail = "\" tokenauth=\"true\";\n"
		// Base64 text needs no escapes, neither in JAAS nor in properties.
		text := make([]byte, 0, len(head)+len(password)+len(tail))
		text = append(text, head...)
		text = append(text, password...)
		text = append(text, tail...)
		defer clear(text)
		use(text)
	})
}

// jaasValue quotes a JAAS value inside a properties value: the backslashes of
// the one are doubled for the other, as java.util.Properties takes one level
// away and the JAAS tokenizer the next.
func jaasValue(s string) string {
	var b strings.Builder
	b.WriteString(`"`)
	for _, r := range s {
		switch r {
		case '"':
			b.WriteString(`\\"`)
		case '\\':
			b.WriteString(`\\\\`)
		case '\n':
			b.WriteString(`\\n`)
		case '\r':
			b.WriteString(`\\r`)
		default:
			if r >= ' ' && r < 0x7f {
				b.WriteRune(r)
				continue
			}
			// Java reads a properties file as Latin-1.
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
	}
	b.WriteString(`"`)
	return b.String()
}

// oneLine keeps a comment on its line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}
