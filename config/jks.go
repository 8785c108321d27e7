package config

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // the format asks for it
	"crypto/subtle"
	"crypto/x509"
	"encoding/binary"
	"hash"
)

// readJKS reads the format of Java's JKS key stores, which is in no standard:
// magic, version, the number of entries, the entries, and a SHA-1 over the
// password, a fixed phrase and all before. Without a password (nil, not empty)
// that sum is not checked, as in Java.
func readJKS(data, password []byte) (*storeContent, error) {
	if len(data) < sha1.Size {
		return nil, errDamaged
	}
	body, sum := data[:len(data)-sha1.Size], data[len(data)-sha1.Size:]
	r := &jksReader{rest: body}
	if r.number() != 0xfeedfeed {
		return nil, errDamaged
	}
	if r.version = r.number(); r.version != 1 && r.version != 2 {
		return nil, errDamaged
	}
	content := &storeContent{}
	for n := r.number(); n > 0 && !r.failed; n-- {
		r.entry(content)
	}
	if r.failed || len(r.rest) > 0 {
		return nil, errDamaged
	}
	if password != nil {
		h := newJKSHash()
		writeWide(h, password)
		h.Write([]byte("Mighty Aphrodite"))
		h.Write(body)
		if subtle.ConstantTimeCompare(h.Sum(nil), sum) != 1 {
			return nil, errPassword
		}
	}
	return content, nil
}

func newJKSHash() hash.Hash { return sha1.New() } //nolint:gosec // the format asks for it

// writeWide hashes a password as JKS does: two bytes a character, no end.
func writeWide(h hash.Hash, password []byte) {
	wide := widePassword(password)
	h.Write(wide[:len(wide)-2])
	clear(wide)
}

// jksReader takes fields from the front. After a field that is not there all
// are empty, and failed says so.
type jksReader struct {
	rest    []byte
	version uint32
	failed  bool
}

func (r *jksReader) take(n uint64) []byte {
	if r.failed || n > uint64(len(r.rest)) {
		r.failed = true
		return nil
	}
	field := r.rest[:n]
	r.rest = r.rest[n:]
	return field
}

func (r *jksReader) number() uint32 {
	if b := r.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// skipText passes a string, which has a length of two bytes before it.
func (r *jksReader) skipText() {
	if b := r.take(2); b != nil {
		r.take(uint64(binary.BigEndian.Uint16(b)))
	}
}

func (r *jksReader) block() []byte { return r.take(uint64(r.number())) }

// certificate may be nil: one that cannot be read is counted and left out.
func (r *jksReader) certificate(content *storeContent) *x509.Certificate {
	if r.version == 2 {
		r.skipText() // its type
	}
	der := r.block()
	if r.failed {
		return nil
	}
	cert, err := x509.ParseCertificate(bytes.Clone(der))
	if err != nil {
		content.unread++
		return nil
	}
	content.others = append(content.others, cert)
	return cert
}

func (r *jksReader) entry(content *storeContent) {
	kind := r.number()
	r.skipText() // the alias
	r.take(8)    // when it was made
	switch kind {
	case 1:
		sealed := bytes.Clone(r.block())
		key := lockedKey{open: func(password []byte) ([]byte, error) { return openJKSKey(sealed, password) }}
		for i, n := uint32(0), r.number(); i < n && !r.failed; i++ {
			if cert := r.certificate(content); i == 0 {
				key.own = cert
			}
		}
		content.keys = append(content.keys, key)
	case 2:
		if cert := r.certificate(content); cert != nil {
			content.trusted = append(content.trusted, cert)
		}
	default:
		r.failed = true
	}
}

// openJKSKey opens the private key of an entry: PKCS#8 whose data is a salt,
// the key XORed with a chain of SHA-1 over password and salt, and a SHA-1 over
// password and key.
func openJKSKey(sealed, password []byte) ([]byte, error) {
	var outer encryptedKey
	if err := unmarshalAll(sealed, &outer); err != nil {
		return nil, err
	}
	if outer.Algorithm.Algorithm.String() != "1.3.6.1.4.1.42.2.17.1.1" {
		return nil, errCipher
	}
	if len(outer.Data) <= 2*sha1.Size {
		return nil, errDamaged
	}
	pad, sum := outer.Data[:sha1.Size], outer.Data[len(outer.Data)-sha1.Size:]
	key := bytes.Clone(outer.Data[sha1.Size : len(outer.Data)-sha1.Size])
	for from := 0; from < len(key); from += sha1.Size {
		h := newJKSHash()
		writeWide(h, password)
		h.Write(pad)
		pad = h.Sum(nil)
		subtle.XORBytes(key[from:], key[from:], pad)
	}
	h := newJKSHash()
	writeWide(h, password)
	h.Write(key)
	if subtle.ConstantTimeCompare(h.Sum(nil), sum) != 1 {
		clear(key)
		return nil, errPassword
	}
	return key, nil
}
