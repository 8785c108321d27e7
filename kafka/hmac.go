package kafka

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// HMACSize is the length of a delegation token's HMAC in bytes: Kafka signs
// with HmacSHA512 (DelegationTokenControlManager.createHmac).
const HMACSize = 64

// HMACTextSize is the length of the HMAC's base64 text, which is the password
// a worker signs in with.
const HMACTextSize = 88

// ParseHMAC reads an HMAC as people paste it: base64 text in which white space
// and surrounding quotes do not count, in the standard or the URL alphabet,
// with or without padding, or the whole JAAS line or password="…" around it.
// The input is cleared in every case. The error never holds any part of it.
func ParseHMAC(pasted []byte) (*Secret, error) {
	defer clear(pasted)
	text := make([]byte, 0, len(pasted))
	defer func() { clear(text[:cap(text)]) }()
	text = bareHMAC(text, pasted)
	if len(text) == 0 {
		return nil, fmt.Errorf("paste the token's HMAC: %d base64 characters", HMACTextSize)
	}
	for i, c := range text {
		switch c {
		case '-':
			text[i] = '+'
		case '_':
			text[i] = '/'
		}
	}
	for len(text) > 0 && text[len(text)-1] == '=' {
		text = text[:len(text)-1]
	}
	raw := make([]byte, base64.RawStdEncoding.DecodedLen(len(text)))
	defer clear(raw)
	n, err := base64.RawStdEncoding.Strict().Decode(raw, text)
	if err != nil {
		return nil, fmt.Errorf("that is not base64 text: an HMAC is %d base64 characters", HMACTextSize)
	}
	if n != HMACSize {
		return nil, fmt.Errorf("that is not an HMAC: %d bytes expected, got %d", HMACSize, n)
	}
	return NewSecret(raw[:n]), nil
}

// bareHMAC appends to dst what remains of pasted without white space, quotes
// around it, and a JAAS line or key around those. It works on bytes, because a
// string made of them could not be cleared.
func bareHMAC(dst, pasted []byte) []byte {
	key := []byte("password=")
	if i := bytes.Index(pasted, key); i >= 0 {
		pasted = bytes.TrimLeft(pasted[i+len(key):], " \t")
		if len(pasted) > 0 && isQuote(pasted[0]) {
			if end := bytes.IndexByte(pasted[1:], pasted[0]); end >= 0 {
				pasted = pasted[:end+2]
			}
		}
	}
	for len(pasted) > 0 {
		r, size := utf8.DecodeRune(pasted)
		if !unicode.IsSpace(r) {
			dst = append(dst, pasted[:size]...)
		}
		pasted = pasted[size:]
	}
	if n := len(dst); n >= 2 && isQuote(dst[0]) && dst[n-1] == dst[0] {
		return dst[1 : n-1]
	}
	return dst
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// HMACText calls f with the base64 text of an HMAC, the password that a worker
// signs in with, and overwrites the text when f returns.
func HMACText(hmac *Secret, f func(text []byte)) {
	hmac.Use(func(raw []byte) {
		text := base64.StdEncoding.AppendEncode(nil, raw)
		defer clear(text)
		f(text)
	})
}
