package config

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des" //nolint:gosec // the format asks for it
	"crypto/pbkdf2"
	"crypto/sha1" //nolint:gosec // the format asks for it
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"hash"
)

// What password-based encryption can come to. The callers say in their own
// words of which key or file.
var (
	errPassword = errors.New("the password does not open it")
	errDamaged  = errors.New("it is damaged")
	errCipher   = errors.New("it is encrypted in a way that dtok does not have")
)

// maxIterations keeps a hostile file from keeping a start busy; OpenSSL writes
// 2048, keytool 10 000, careful people some hundred thousand.
const maxIterations = 10_000_000

// The structures of RFC 8018, appendix A: PBES2 with PBKDF2.
type pbes2 struct {
	Derivation pkix.AlgorithmIdentifier
	Cipher     pkix.AlgorithmIdentifier
}

type pbkdf2Params struct {
	Salt       []byte
	Iterations int
	KeyLength  int                      `asn1:"optional"`
	Hash       pkix.AlgorithmIdentifier `asn1:"optional"`
}

// unmarshalAll is asn1.Unmarshal that takes the whole input or fails.
func unmarshalAll(der []byte, into any) error {
	if rest, err := asn1.Unmarshal(der, into); err != nil || len(rest) > 0 {
		return errDamaged
	}
	return nil
}

// decryptPBES2 opens AES-CBC or triple DES under PBKDF2; password is in UTF-8.
// A wrong password shows as errPassword, or, once in about 256 times, as
// nonsense that is no DER.
func decryptPBES2(parameters asn1.RawValue, data, password []byte) ([]byte, error) {
	var scheme pbes2
	if err := unmarshalAll(parameters.FullBytes, &scheme); err != nil {
		return nil, err
	}
	newBlock, keyLength, err := blockCipher(scheme.Cipher.Algorithm)
	if err != nil {
		return nil, err
	}
	key, err := deriveKey(scheme.Derivation, password, keyLength)
	if err != nil {
		return nil, err
	}
	defer clear(key)
	block, err := newBlock(key)
	if err != nil {
		return nil, errDamaged
	}
	var iv []byte
	if err := unmarshalAll(scheme.Cipher.Parameters.FullBytes, &iv); err != nil {
		return nil, err
	}
	return decryptCBC(block, iv, data)
}

func decryptCBC(block cipher.Block, iv, data []byte) ([]byte, error) {
	size := block.BlockSize()
	if len(iv) != size || len(data) == 0 || len(data)%size != 0 {
		return nil, errDamaged
	}
	plain := make([]byte, len(data))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, data)
	return unpad(plain, size)
}

// unpad takes the padding of RFC 8018, 6.1.1 off.
func unpad(plain []byte, size int) ([]byte, error) {
	n := int(plain[len(plain)-1])
	ok := n > 0 && n <= size
	for i := 0; ok && i < n; i++ {
		ok = int(plain[len(plain)-1-i]) == n
	}
	if !ok {
		clear(plain)
		return nil, errPassword
	}
	return plain[:len(plain)-n], nil
}

func blockCipher(id asn1.ObjectIdentifier) (func([]byte) (cipher.Block, error), int, error) {
	switch id.String() {
	case "2.16.840.1.101.3.4.1.2":
		return aes.NewCipher, 16, nil
	case "2.16.840.1.101.3.4.1.22":
		return aes.NewCipher, 24, nil
	case "2.16.840.1.101.3.4.1.42":
		return aes.NewCipher, 32, nil
	case "1.2.840.113549.3.7":
		return des.NewTripleDESCipher, 24, nil
	}
	return nil, 0, errCipher
}

// deriveKey is PBKDF2. A length of 0 means the one that the file gives.
func deriveKey(id pkix.AlgorithmIdentifier, password []byte, length int) ([]byte, error) {
	if id.Algorithm.String() != "1.2.840.113549.1.5.12" {
		return nil, errCipher
	}
	var p pbkdf2Params
	if err := unmarshalAll(id.Parameters.FullBytes, &p); err != nil {
		return nil, err
	}
	if length == 0 {
		length = p.KeyLength
	}
	if p.Iterations < 1 || p.Iterations > maxIterations || length < 1 || length > 1024 ||
		(p.KeyLength != 0 && p.KeyLength != length) {
		return nil, errDamaged
	}
	newHash := sha1.New // the default of the format
	if p.Hash.Algorithm != nil {
		var err error
		if newHash, err = macHash(p.Hash.Algorithm); err != nil {
			return nil, err
		}
	}
	key, err := pbkdf2.Key(newHash, string(password), p.Salt, p.Iterations, length)
	if err != nil {
		return nil, errDamaged
	}
	return key, nil
}

// macHash is the hash of an HMAC, by the names of RFC 8018, B.1.
func macHash(id asn1.ObjectIdentifier) (func() hash.Hash, error) {
	switch id.String() {
	case "1.2.840.113549.2.7":
		return sha1.New, nil
	case "1.2.840.113549.2.8":
		return sha256.New224, nil
	case "1.2.840.113549.2.9":
		return sha256.New, nil
	case "1.2.840.113549.2.10":
		return sha512.New384, nil
	case "1.2.840.113549.2.11":
		return sha512.New, nil
	}
	return nil, errCipher
}
