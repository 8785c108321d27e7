package config

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"hash"
)

// The structures of an encrypted private key: PKCS#8 (RFC 5958, section 3)
// with PBES2 and PBKDF2 (RFC 8018, appendix A).
type encryptedKey struct {
	Algorithm pkix.AlgorithmIdentifier
	Data      []byte
}

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

// maxIterations keeps a hostile file from keeping a start busy; OpenSSL writes
// 2048, careful people some hundred thousand.
const maxIterations = 10_000_000

// renewKey writes PKCS#8 with PBES2 of whatever OpenSSL can open.
const renewKey = "renew it with `openssl pkey -in FILE -aes256 -out key.pem`"

var errDamagedKey = errors.New("holds an encrypted private key that is damaged")

// decryptPKCS8 opens what openssl pkcs8, keytool and others write today:
// AES-CBC or triple DES under PBKDF2. Older schemes are refused with the
// command that renews the file.
func decryptPKCS8(der, password []byte) ([]byte, error) {
	var outer encryptedKey
	if rest, err := asn1.Unmarshal(der, &outer); err != nil || len(rest) > 0 {
		return nil, errDamagedKey
	}
	if outer.Algorithm.Algorithm.String() != "1.2.840.113549.1.5.13" {
		return nil, errors.New("holds a private key in an old or unusual encryption: " + renewKey)
	}
	var scheme pbes2
	if rest, err := asn1.Unmarshal(outer.Algorithm.Parameters.FullBytes, &scheme); err != nil || len(rest) > 0 {
		return nil, errDamagedKey
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
		return nil, errDamagedKey
	}
	var iv []byte
	if _, err := asn1.Unmarshal(scheme.Cipher.Parameters.FullBytes, &iv); err != nil || len(iv) != block.BlockSize() ||
		len(outer.Data) == 0 || len(outer.Data)%block.BlockSize() != 0 {
		return nil, errDamagedKey
	}
	plain := make([]byte, len(outer.Data))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, outer.Data)
	return unpad(plain, block.BlockSize())
}

// unpad takes the padding of RFC 8018, 6.1.1 off. A wrong password shows here,
// or, once in about 256 times, when the key is parsed.
func unpad(plain []byte, size int) ([]byte, error) {
	n := int(plain[len(plain)-1])
	ok := n > 0 && n <= size
	for i := 0; ok && i < n; i++ {
		ok = int(plain[len(plain)-1-i]) == n
	}
	if !ok {
		clear(plain)
		return nil, fmt.Errorf("holds a private key that does not open with %s", keySecret)
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
	return nil, 0, errors.New("holds a private key in a cipher that dtok does not have: " + renewKey)
}

func deriveKey(id pkix.AlgorithmIdentifier, password []byte, length int) ([]byte, error) {
	if id.Algorithm.String() != "1.2.840.113549.1.5.12" {
		return nil, errors.New("holds a private key whose password is not stretched with PBKDF2: " + renewKey)
	}
	var p pbkdf2Params
	if rest, err := asn1.Unmarshal(id.Parameters.FullBytes, &p); err != nil || len(rest) > 0 {
		return nil, errDamagedKey
	}
	if p.Iterations < 1 || p.Iterations > maxIterations || (p.KeyLength != 0 && p.KeyLength != length) {
		return nil, errDamagedKey
	}
	var newHash func() hash.Hash
	switch p.Hash.Algorithm.String() {
	// HMAC-SHA1 is the default of the format.
	case "", "1.2.840.113549.2.7":
		newHash = sha1.New
	case "1.2.840.113549.2.8":
		newHash = sha256.New224
	case "1.2.840.113549.2.9":
		newHash = sha256.New
	case "1.2.840.113549.2.10":
		newHash = sha512.New384
	case "1.2.840.113549.2.11":
		newHash = sha512.New
	default:
		return nil, errDamagedKey
	}
	key, err := pbkdf2.Key(newHash, string(password), p.Salt, p.Iterations, length)
	if err != nil {
		return nil, errDamagedKey
	}
	return key, nil
}
