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
	case data[0] == 0x30:
		if _, err := x509.ParseCertificate(data); err == nil {
			return formatCertificate
		}
		return formatPKCS12
	case bytes.Contains(data, []byte("-----BEGIN ")):
		return formatPEM
	}
	return formatUnknown
}

// convert says what the file is and how to make PEM of it: with keytool for
// certificates, which writes all of a store as PEM, and through PKCS12 for a
// key, which keytool does not write. The commands ask for the passwords.
func convert(f format, path, store string) string {
	names := map[format]string{formatJKS: "JKS", formatJCEKS: "JCEKS", formatPKCS12: "PKCS12"}
	pem := fmt.Sprintf("then set %s.type=PEM and %s.location to the new file, and remove %s.password", store, store, store)
	quoted := shellQuote(path)
	switch f {
	case formatEmpty:
		return "is an empty file"
	case formatCertificate:
		return fmt.Sprintf("is a single certificate in DER: make PEM of it with "+
			"`openssl x509 -inform der -in %s -out trust.pem`, %s", quoted, pem)
	case formatPKCS12:
		if store == keyStore {
			return fmt.Sprintf("is a PKCS12 store, which dtok does not read yet: make PEM of it with "+
				"`openssl pkcs12 -in %s -out key.pem`, %s; the new password is %s", quoted, pem, keySecret)
		}
	case formatJKS, formatJCEKS:
		if store == keyStore {
			return fmt.Sprintf("is a %s store, which dtok does not read yet: make PEM of it with "+
				"`keytool -importkeystore -srckeystore %s -destkeystore key.p12 -deststoretype PKCS12` and "+
				"`openssl pkcs12 -in key.p12 -out key.pem`, %s; the new password is %s", names[f], quoted, pem, keySecret)
		}
	default:
		return "is no PEM, JKS or PKCS12 file"
	}
	return fmt.Sprintf("is a %s store, which dtok does not read yet: make PEM of it with "+
		"`keytool -list -rfc -keystore %s > trust.pem`, %s", names[f], quoted, pem)
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
