package faults

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"testing"

	"dtok/kafka"
)

// needles are texts that must stand nowhere.
type needles [][]byte

func (n *needles) add(b []byte) { *n = append(*n, bytes.Clone(b)) }

// part is how many bytes of an HMAC are taken for a leak.
const part = 8

// addHMAC adds an HMAC in every form that it is written in, in parts: a garbled
// length can cut it.
func (n *needles) addHMAC(raw []byte) {
	for at := 0; at+part <= len(raw); at++ {
		n.add(raw[at : at+part])
		if at%3 == 0 { // base64 begins anew
			for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				n.add([]byte(e.EncodeToString(raw[at : at+part])[:part*4/3]))
			}
		}
		n.add([]byte(hex.EncodeToString(raw[at : at+part])))
	}
}

// in is the place of the first secret in a text, -1 for none.
func (n needles) in(text []byte) int {
	for _, needle := range n {
		if at := bytes.Index(text, needle); at >= 0 {
			return at
		}
	}
	return -1
}

// shown is all that any way of printing says about a value.
func shown(v any) []byte { return fmt.Appendf(nil, "%v %+v %#v %q", v, v, v, v) }

func TestSecretsAreFound(t *testing.T) {
	raw := make([]byte, kafka.HMACSize)
	for i := range raw {
		raw[i] = byte(i * 7)
	}
	var n needles
	n.addHMAC(raw)
	for _, text := range []string{string(raw[5:20]), base64.StdEncoding.EncodeToString(raw), hex.EncodeToString(raw[:9]), "x" + base64.RawURLEncoding.EncodeToString(raw[3:])} {
		if n.in([]byte("a text with "+text)) < 0 {
			t.Errorf("%q is not found", text)
		}
	}
	if n.in([]byte("a text without")) >= 0 {
		t.Error("found where there is none")
	}
}
