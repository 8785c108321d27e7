package kafka

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
)

// fingerprint recognises an HMAC without keeping it: an HMAC-SHA-256 of it
// under a key that is random for each process, so that it is worth nothing
// outside this one.
type fingerprint [sha256.Size]byte

// fingerprinter makes fingerprints that can be compared with each other.
type fingerprinter struct{ key [32]byte }

func newFingerprinter() *fingerprinter {
	f := &fingerprinter{}
	_, _ = rand.Read(f.key[:]) // never fails (crypto/rand, Go 1.24)
	return f
}

func (f *fingerprinter) of(secret []byte) fingerprint {
	mac := hmac.New(sha256.New, f.key[:])
	mac.Write(secret)
	var sum fingerprint
	mac.Sum(sum[:0])
	return sum
}
