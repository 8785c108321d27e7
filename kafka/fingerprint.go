package kafka

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"hash"
)

// fingerprint recognises an HMAC without keeping it: an HMAC-SHA-256 of it
// under a key that is random for each process, so that it is worth nothing
// outside this one.
type fingerprint [sha256.Size]byte

// fingerprinter makes fingerprints that can be compared with each other. It is
// used by one goroutine at a time.
type fingerprinter struct {
	mac hash.Hash
	sum []byte // reused, so that a list of 100 000 allocates nothing here
}

func newFingerprinter() *fingerprinter {
	var key [32]byte
	_, _ = rand.Read(key[:]) // never fails (crypto/rand, Go 1.24)
	return &fingerprinter{mac: hmac.New(sha256.New, key[:])}
}

// of is the fingerprint of an HMAC.
func (f *fingerprinter) of(secret []byte) fingerprint {
	f.mac.Reset()
	f.mac.Write(secret)
	f.sum = f.mac.Sum(f.sum[:0])
	return fingerprint(f.sum)
}

// matches reports whether secret is the HMAC that print was made of.
func (f *fingerprinter) matches(print fingerprint, secret *Secret) bool {
	equal := false
	secret.Use(func(raw []byte) {
		given := f.of(raw)
		equal = subtle.ConstantTimeCompare(given[:], print[:]) == 1
	})
	return equal
}
