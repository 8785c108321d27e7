package config

import (
	"bytes"
	"crypto/des" //nolint:gosec // the format asks for it
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // the format asks for it
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509/pkix"
	"encoding/asn1"
	"hash"
	"unicode/utf16"
)

// What the key derivation of RFC 7292, appendix B makes its bytes for.
const (
	forKey byte = 1
	forIV  byte = 2
	forMAC byte = 3
)

type pkcs12Params struct {
	Salt       []byte
	Iterations int
}

// decryptPBE opens what a PKCS12 store is encrypted with: PBES2, or the
// schemes of RFC 7292, appendix C, that keytool and openssl have written. password is in UTF-8.
func decryptPBE(id pkix.AlgorithmIdentifier, data, password []byte) ([]byte, error) {
	newBlock, length := des.NewTripleDESCipher, 24
	switch id.Algorithm.String() {
	case oidPBES2:
		return decryptPBES2(id.Parameters, data, password)
	case "1.2.840.113549.1.12.1.3":
	case "1.2.840.113549.1.12.1.5":
		newBlock, length = newRC2, 16
	case "1.2.840.113549.1.12.1.6":
		newBlock, length = newRC2, 5
	default:
		return nil, errCipher
	}
	var p pkcs12Params
	if err := unmarshalAll(id.Parameters.FullBytes, &p); err != nil {
		return nil, err
	}
	if p.Iterations < 1 || p.Iterations > maxIterations {
		return nil, errDamaged
	}
	wide := widePassword(password)
	defer clear(wide)
	key := pkcs12Bytes(sha1.New, forKey, p, wide, length)
	defer clear(key)
	block, err := newBlock(key)
	if err != nil {
		return nil, errDamaged
	}
	return decryptCBC(block, pkcs12Bytes(sha1.New, forIV, p, wide, 8), data)
}

// widePassword is the form of B.1: UTF-16, big end first, with a zero at the
// end. An empty password is that zero for keytool and openssl.
func widePassword(password []byte) []byte {
	out := make([]byte, 0, 2*len(password)+2)
	for _, unit := range utf16.Encode(bytes.Runes(password)) {
		out = append(out, byte(unit>>8), byte(unit))
	}
	return append(out, 0, 0)
}

// pkcs12Bytes is the derivation of B.2.
func pkcs12Bytes(newHash func() hash.Hash, purpose byte, p pkcs12Params, wide []byte, length int) []byte {
	h := newHash()
	v := h.BlockSize()
	input := append(fill(p.Salt, v), fill(wide, v)...)
	defer clear(input)
	diversifier := bytes.Repeat([]byte{purpose}, v)
	var out []byte
	for {
		h.Reset()
		h.Write(diversifier)
		h.Write(input)
		a := h.Sum(nil)
		for range p.Iterations - 1 {
			h.Reset()
			h.Write(a)
			a = h.Sum(a[:0])
		}
		out = append(out, a...)
		if len(out) >= length {
			return out[:length]
		}
		b := fill(a, v)[:v]
		for block := 0; block < len(input); block += v {
			carry := 1
			for i := v - 1; i >= 0; i-- {
				carry += int(input[block+i]) + int(b[i])
				input[block+i] = byte(carry)
				carry >>= 8
			}
		}
	}
}

// fill repeats b up to a multiple of v bytes; nothing stays nothing.
func fill(b []byte, v int) []byte {
	if len(b) == 0 {
		return nil
	}
	n := (len(b) + v - 1) / v * v
	return bytes.Repeat(b, n/len(b)+1)[:n]
}

// macData is RFC 7292, section 4: what the store's content is checked with.
type macData struct {
	Mac struct {
		Algorithm pkix.AlgorithmIdentifier
		Digest    []byte
	}
	Salt       []byte
	Iterations int `asn1:"optional,default:1"`
}

// pbmac1 is RFC 9579: the MAC of OpenSSL 3.4 with -pbmac1_pbkdf2.
type pbmac1 struct {
	Derivation pkix.AlgorithmIdentifier
	Mac        pkix.AlgorithmIdentifier
}

// check holds the MAC against the content.
func (m macData) check(content, password []byte) error {
	if m.Mac.Algorithm.Algorithm.String() == "1.2.840.113549.1.5.14" {
		var p pbmac1
		if err := unmarshalAll(m.Mac.Algorithm.Parameters.FullBytes, &p); err != nil {
			return err
		}
		newHash, err := macHash(p.Mac.Algorithm)
		if err != nil {
			return err
		}
		key, err := deriveKey(p.Derivation, password, 0)
		if err != nil {
			return err
		}
		return m.compare(newHash, key, content)
	}
	newHash, err := digestHash(m.Mac.Algorithm.Algorithm)
	if err != nil {
		return err
	}
	if m.Iterations < 1 || m.Iterations > maxIterations {
		return errDamaged
	}
	wide := widePassword(password)
	defer clear(wide)
	key := pkcs12Bytes(newHash, forMAC, pkcs12Params{m.Salt, m.Iterations}, wide, newHash().Size())
	return m.compare(newHash, key, content)
}

func (m macData) compare(newHash func() hash.Hash, key, content []byte) error {
	defer clear(key)
	mac := hmac.New(newHash, key)
	mac.Write(content)
	if !hmac.Equal(mac.Sum(nil), m.Mac.Digest) {
		return errPassword
	}
	return nil
}

func digestHash(id asn1.ObjectIdentifier) (func() hash.Hash, error) {
	switch id.String() {
	case "1.3.14.3.2.26":
		return sha1.New, nil
	case "2.16.840.1.101.3.4.2.4":
		return sha256.New224, nil
	case "2.16.840.1.101.3.4.2.1":
		return sha256.New, nil
	case "2.16.840.1.101.3.4.2.2":
		return sha512.New384, nil
	case "2.16.840.1.101.3.4.2.3":
		return sha512.New, nil
	}
	return nil, errCipher
}
