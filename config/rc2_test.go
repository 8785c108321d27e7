package config

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// The vectors of RFC 2268, section 5, whose effective length is that of the
// key, and the table being a permutation.
func TestRC2(t *testing.T) {
	for _, tt := range []struct{ key, plain, sealed string }{
		{"ffffffffffffffff", "ffffffffffffffff", "278b27e42e2f0d49"},
		{"3000000000000000", "1000000000000001", "30649edf9be7d2c2"},
		{"88bca90e90875a7f0f79c384627bafb2", "0000000000000000", "2269552ab0f85ca6"},
	} {
		key, _ := hex.DecodeString(tt.key)
		plain, _ := hex.DecodeString(tt.plain)
		block, err := newRC2(key)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 8)
		block.Encrypt(got, plain)
		if hex.EncodeToString(got) != tt.sealed {
			t.Errorf("key %s: %x, want %s", tt.key, got, tt.sealed)
		}
		if block.Decrypt(got, got); !bytes.Equal(got, plain) {
			t.Errorf("key %s: back to %x, want %s", tt.key, got, tt.plain)
		}
	}
	seen := map[byte]bool{}
	for i := range len(rc2Pi) {
		seen[rc2Pi[i]] = true
	}
	if len(seen) != 256 || len(rc2Pi) != 256 {
		t.Errorf("%d different bytes in a table of %d", len(seen), len(rc2Pi))
	}
	for _, n := range []int{0, 129} {
		if _, err := newRC2(make([]byte, n)); err == nil {
			t.Errorf("a key of %d bytes: no error", n)
		}
	}
}
