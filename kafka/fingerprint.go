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
	key := newFingerprintKey()
	return &fingerprinter{mac: hmac.New(sha256.New, key[:])}
}

// fingerprintKey is what fingerprints are made under.
type fingerprintKey [32]byte

func newFingerprintKey() fingerprintKey {
	var key fingerprintKey
	_, _ = rand.Read(key[:]) // never fails (crypto/rand, Go 1.24)
	return key
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

// Fingerprint recognises one text that holds a secret, such as what was put on a
// clipboard, without keeping it. The zero Fingerprint recognises nothing.
type Fingerprint struct {
	key   fingerprintKey
	print fingerprint
}

// NewFingerprint is the fingerprint of a text, under a key of its own.
func NewFingerprint(text []byte) Fingerprint {
	f := Fingerprint{key: newFingerprintKey()}
	f.print = f.of(text)
	return f
}

// Matches reports whether text is the one that the fingerprint was made of. It
// takes the same time wherever they differ.
func (f Fingerprint) Matches(text []byte) bool {
	given := f.of(text)
	return subtle.ConstantTimeCompare(given[:], f.print[:]) == 1
}

func (f Fingerprint) of(text []byte) fingerprint {
	by := fingerprinter{mac: hmac.New(sha256.New, f.key[:])}
	return by.of(text)
}
