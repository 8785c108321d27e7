package config

import (
	"bytes"
	"crypto/x509"
	"fmt"
)

// format is what a store file is by its content; names and types in
// properties files are often wrong.
type format int

const (
	formatUnknown format = iota
	formatEmpty
	formatPEM
	formatJKS
	formatJCEKS
	formatPKCS12
	formatCertificate // one certificate in DER
)

func sniff(data []byte) format {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return formatEmpty
	case bytes.HasPrefix(data, []byte{0xfe, 0xed, 0xfe, 0xed}):
		return formatJKS
	case bytes.HasPrefix(data, []byte{0xce, 0xce, 0xce, 0xce}):
		return formatJCEKS
	case len(data) > 1 && data[0] == 0x30 && (data[1] >= 0x80 || int(data[1]) == len(data)-2):
		if _, err := x509.ParseCertificate(data); err == nil {
			return formatCertificate
		}
		return formatPKCS12
	case bytes.Contains(data, []byte("-----BEGIN ")):
		return formatPEM
	}
	return formatUnknown
}

// convert says what a file is that dtok does not read, and how to make of it
// one that it does. The commands ask for the passwords.
func convert(f format, path, store string) string {
	quoted := shellQuote(path)
	switch f {
	case formatEmpty:
		return "is an empty file"
	case formatCertificate:
		return fmt.Sprintf("is a single certificate in DER: make PEM of it with "+
			"`openssl x509 -inform der -in %s -out trust.pem`, then set %s.type=PEM and %s.location to the new file, and remove %s.password",
			quoted, store, store, store)
	case formatJCEKS:
		return fmt.Sprintf("is a JCEKS store, which dtok does not read: make PKCS12 of it with "+
			"`keytool -importkeystore -srckeystore %s -srcstoretype JCEKS -destkeystore store.p12 -deststoretype PKCS12`, "+
			"then set %s.type=PKCS12 and %s.location to the new file", quoted, store, store)
	}
	return "is no PEM, JKS or PKCS12 file"
}

// shellQuote makes a path one word of a command line.
func shellQuote(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || isDigit(r) || bytes.ContainsRune([]byte("/._-+:@%"), r)
	}
	for _, r := range path {
		if !plain(r) {
			return "'" + string(bytes.ReplaceAll([]byte(path), []byte("'"), []byte(`'\''`))) + "'"
		}
	}
	return path
}
