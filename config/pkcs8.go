package config

import (
	"crypto/x509/pkix"
	"errors"
	"fmt"
)

// encryptedKey is an encrypted private key: PKCS#8 (RFC 5958, section 3).
type encryptedKey struct {
	Algorithm pkix.AlgorithmIdentifier
	Data      []byte
}

const oidPBES2 = "1.2.840.113549.1.5.13"

// renewKey writes PKCS#8 with PBES2 of whatever OpenSSL can open.
const renewKey = "renew it with `openssl pkey -in FILE -aes256 -out key.pem`"

// decryptPKCS8 opens the key of a PEM file as openssl pkcs8 and others write
// it today, with PBES2. Older schemes are refused with the command that renews
// the file.
func decryptPKCS8(der, password []byte) ([]byte, error) {
	var outer encryptedKey
	if err := unmarshalAll(der, &outer); err != nil {
		return nil, explainKey(err)
	}
	if outer.Algorithm.Algorithm.String() != oidPBES2 {
		return nil, explainKey(errCipher)
	}
	plain, err := decryptPBES2(outer.Algorithm.Parameters, outer.Data, password)
	if err != nil {
		return nil, explainKey(err)
	}
	return plain, nil
}

func explainKey(err error) error {
	switch {
	case errors.Is(err, errPassword):
		return fmt.Errorf("holds a private key that does not open with %s", keySecret)
	case errors.Is(err, errCipher):
		return errors.New("holds a private key in an old or unusual encryption: " + renewKey)
	}
	return errors.New("holds an encrypted private key that is damaged")
}
