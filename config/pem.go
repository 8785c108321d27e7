package config

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// pemBlock is one BEGIN … END of a text.
type pemBlock struct {
	label string
	der   []byte
	// encrypted marks OpenSSL's traditional encryption, in header lines.
	encrypted bool
}

// wipeKeys overwrites the private keys. The other blocks live on: a parsed
// certificate refers to the bytes it was parsed from.
func wipeKeys(blocks []pemBlock) {
	for _, b := range blocks {
		if strings.HasSuffix(b.label, "PRIVATE KEY") {
			clear(b.der)
		}
	}
}

// pemBlocks finds all blocks of a text. It is more tolerant than encoding/pem,
// as Kafka's reader is: any white space may stand for a line end, because
// certificates inside a properties file are often written on one line, and
// other text may stand between the blocks, as keytool and openssl write it.
func pemBlocks(text []byte) ([]pemBlock, error) {
	const begin, dashes = "-----BEGIN ", "-----"
	var blocks []pemBlock
	for rest := text; ; {
		from := bytes.Index(rest, []byte(begin))
		if from < 0 {
			return blocks, nil
		}
		rest = rest[from+len(begin):]
		cut := bytes.Index(rest, []byte(dashes))
		if cut < 0 || !isLabel(rest[:cut]) {
			wipeKeys(blocks)
			return nil, fmt.Errorf("holds a damaged PEM block (number %d): its BEGIN line is not complete", len(blocks)+1)
		}
		label := string(rest[:cut])
		rest = rest[cut+len(dashes):]
		end := bytes.Index(rest, []byte("-----END "+label+dashes))
		if end < 0 {
			wipeKeys(blocks)
			return nil, fmt.Errorf("holds a damaged PEM block (number %d): there is no END %s", len(blocks)+1, label)
		}
		b, err := decodeBlock(label, rest[:end])
		if err != nil {
			wipeKeys(blocks)
			return nil, fmt.Errorf("holds a damaged PEM block (number %d, %s): %w", len(blocks)+1, label, err)
		}
		blocks = append(blocks, b)
		rest = rest[end:]
	}
}

func isLabel(b []byte) bool {
	for _, c := range b {
		if (c < 'A' || c > 'Z') && c != ' ' && !isDigit(rune(c)) {
			return false
		}
	}
	return len(b) > 0 && len(b) < 40
}

// decodeBlock decodes base64 of any layout, after header lines if there are.
func decodeBlock(label string, body []byte) (pemBlock, error) {
	b := pemBlock{label: label}
	header := regexp.MustCompile(`(?m)^[ \t]*[A-Za-z0-9-]+:[^\r\n]*[\r\n]+`)
	for {
		body = bytes.TrimSpace(body)
		at := header.FindIndex(body)
		if at == nil || at[0] != 0 {
			break
		}
		b.encrypted = b.encrypted || bytes.Contains(body[:at[1]], []byte("ENCRYPTED"))
		body = body[at[1]:]
	}
	packed := make([]byte, 0, len(body))
	defer func() { clear(packed) }()
	for _, c := range body {
		if !isSpace(rune(c)) {
			packed = append(packed, c)
		}
	}
	packed = bytes.TrimRight(packed, "=")
	b.der = make([]byte, base64.RawStdEncoding.DecodedLen(len(packed)))
	n, err := base64.RawStdEncoding.Decode(b.der, packed)
	if err != nil || n == 0 {
		clear(b.der)
		return pemBlock{}, errors.New("what it holds is not base64")
	}
	b.der = b.der[:n]
	return b, nil
}

// certificates parses all certificates among the blocks; none is an error.
func certificates(blocks []pemBlock) ([]*x509.Certificate, error) {
	var certs []*x509.Certificate
	for i, b := range blocks {
		der := b.der
		switch b.label {
		case "CERTIFICATE", "X509 CERTIFICATE":
		case "TRUSTED CERTIFICATE":
			// OpenSSL's own: a certificate, and then what it is trusted for.
			// As with Kafka only the certificate counts.
			var first asn1.RawValue
			if _, err := asn1.Unmarshal(der, &first); err == nil {
				der = first.FullBytes
			}
		default:
			continue
		}
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, fmt.Errorf("holds a certificate that cannot be read (PEM block %d): %w", i+1, err)
		}
		certs = append(certs, c)
	}
	if len(certs) == 0 {
		return nil, errors.New("holds no certificate in PEM")
	}
	return certs, nil
}

// privateKey parses the one private key among the blocks. password is nil when
// none is given. As with Kafka a password and a key must go together: one
// without use is refused, because the user believes the key to be encrypted.
func privateKey(blocks []pemBlock, password []byte) (crypto.Signer, error) {
	var found []pemBlock
	for _, b := range blocks {
		if strings.HasSuffix(b.label, "PRIVATE KEY") {
			found = append(found, b)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("holds %s in PEM where there must be one", map[bool]string{
			true: "no private key", false: fmt.Sprintf("%d private keys", len(found))}[len(found) == 0])
	}
	b := found[0]
	encrypted := b.encrypted || b.label == "ENCRYPTED PRIVATE KEY"
	switch {
	case b.encrypted:
		return nil, errors.New("holds a private key in OpenSSL's traditional encryption: " + renewKey)
	case encrypted && password == nil:
		return nil, fmt.Errorf("holds an encrypted private key: set %s", keySecret)
	case !encrypted && password != nil:
		return nil, fmt.Errorf("holds a private key that is not encrypted, but %s is set: remove that", keySecret)
	}
	der := b.der
	if encrypted {
		plain, err := decryptPKCS8(der, password)
		if err != nil {
			return nil, err
		}
		defer clear(plain)
		der = plain
	}
	return parseKey(b.label, der)
}

// parseKey drops the parser's errors: those of encoding/asn1 could tell of the
// key's content.
func parseKey(label string, der []byte) (crypto.Signer, error) {
	var key any
	var err error
	switch label {
	case "PRIVATE KEY", "ENCRYPTED PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(der)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(der)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(der)
	default:
		return nil, fmt.Errorf("holds a private key of a kind that TLS clients do not use (%s)", label)
	}
	if err != nil {
		if label == "ENCRYPTED PRIVATE KEY" {
			return nil, fmt.Errorf("holds a private key that does not open with %s", keySecret)
		}
		return nil, errors.New("holds a private key that cannot be read; RSA, EC and Ed25519 in PKCS#8 are")
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, errors.New("holds a private key that cannot sign; TLS needs RSA, EC or Ed25519")
	}
	return signer, nil
}

// chainOf orders certificates from the one of the key to its issuers. Those
// that are no issuer of it are left out.
func chainOf(key crypto.Signer, certs []*x509.Certificate) ([]*x509.Certificate, error) {
	type comparable interface{ Equal(crypto.PublicKey) bool }
	own, ok := key.Public().(comparable)
	if !ok {
		return nil, errors.New("holds a private key that cannot be compared with a certificate")
	}
	var chain []*x509.Certificate
	left := append([]*x509.Certificate(nil), certs...)
	take := func(want func(*x509.Certificate) bool) bool {
		for i, c := range left {
			if want(c) {
				chain = append(chain, c)
				left = append(left[:i], left[i+1:]...)
				return true
			}
		}
		return false
	}
	if !take(func(c *x509.Certificate) bool { return own.Equal(c.PublicKey) }) {
		return nil, errors.New("holds no certificate for its private key")
	}
	issuer := func(c *x509.Certificate) bool {
		last := chain[len(chain)-1]
		return bytes.Equal(last.RawIssuer, c.RawSubject) && last.CheckSignatureFrom(c) == nil
	}
	for take(issuer) {
	}
	return chain, nil
}

func sameOrder(a, b []*x509.Certificate) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}
