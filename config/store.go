package config

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Where Kafka looks for CA certificates and for the client's own; the rules
// are those of its DefaultSslEngineFactory.
const (
	trustStore = "ssl.truststore"
	keyStore   = "ssl.keystore"
	keySecret  = "ssl.key.password"
)

// trustStore reads the CA certificates; nil means those of the system, where
// Java takes those of its runtime.
func (s *settings) trustStore() (*x509.CertPool, error) {
	const certs, location, password = trustStore + ".certificates", trustStore + ".location", trustStore + ".password"
	switch {
	case s.has("ssl.ca.location"):
		if s.has(certs) || s.has(location) {
			return nil, s.failKey("ssl.ca.location", "stands beside another trust store: keep one of them")
		}
		s.noteKey("ssl.ca.location", "is librdkafka's way to give CA certificates and is accepted")
		data, err := s.pemFile("ssl.ca.location", trustStore)
		if err != nil {
			return nil, err
		}
		return s.certPool("ssl.ca.location", data)
	case s.has(certs):
		if err := s.checkInline(certs, trustStore); err != nil {
			return nil, err
		}
		return s.certPool(certs, s.values[certs].value)
	case s.has(location):
		data, err := s.pemFile(location, trustStore)
		if err != nil {
			return nil, err
		}
		return s.certPool(location, data)
	case s.has(password):
		return nil, s.failKey(password, "is given, but no trust store: set %s or remove it", location)
	}
	return nil, nil
}

// certPool is the pool of all certificates in a text; each counts as trusted,
// as with Java, be it a root or not.
func (s *settings) certPool(key string, text []byte) (*x509.CertPool, error) {
	blocks, err := pemBlocks(text)
	if err != nil {
		return nil, s.failKey(key, "%v", err)
	}
	defer wipeKeys(blocks)
	certs, err := certificates(blocks)
	if err != nil {
		return nil, s.failKey(key, "%v", err)
	}
	pool := x509.NewCertPool()
	for _, c := range certs {
		pool.AddCert(c)
	}
	return pool, nil
}

// keyStore reads the client's own certificate, if the file gives one.
func (s *settings) keyStore() ([]tls.Certificate, error) {
	const key, chain = keyStore + ".key", keyStore + ".certificate.chain"
	const location, password = keyStore + ".location", keyStore + ".password"
	const certFile, keyFile = "ssl.certificate.location", "ssl.key.location"
	switch {
	case s.has(certFile) || s.has(keyFile):
		return s.keyFiles(certFile, keyFile)
	case s.has(key):
		if err := s.checkInline(key, keyStore); err != nil {
			return nil, err
		}
		if !s.has(chain) {
			return nil, s.failKey(key, "needs %s as well", chain)
		}
		return s.keyPair(key, bytes.Join([][]byte{s.values[chain].value, s.values[key].value}, []byte("\n")))
	case s.has(chain):
		return nil, s.failKey(chain, "needs %s as well", key)
	case s.has(location):
		data, err := s.pemFile(location, keyStore)
		if err != nil {
			return nil, err
		}
		return s.keyPair(location, data)
	case s.has(password):
		return nil, s.failKey(password, "is given, but no key store: set %s or remove it", location)
	}
	if s.has(keySecret) {
		s.noteKey(keySecret, "is not used, because there is no key store")
	}
	return nil, nil
}

// keyFiles reads librdkafka's two files.
func (s *settings) keyFiles(certFile, keyFile string) ([]tls.Certificate, error) {
	for one, other := range map[string]string{certFile: keyFile, keyFile: certFile} {
		if !s.has(other) {
			return nil, s.failKey(one, "needs %s as well", other)
		}
	}
	if s.has(keyStore+".location") || s.has(keyStore+".key") {
		return nil, s.failKey(certFile, "stands beside another key store: keep one of them")
	}
	s.noteKey(certFile, "and %s are librdkafka's way to give a client certificate and are accepted", keyFile)
	certs, err := s.pemFile(certFile, keyStore)
	if err != nil {
		return nil, err
	}
	key, err := s.pemFile(keyFile, keyStore)
	if err != nil {
		return nil, err
	}
	defer clear(key)
	return s.keyPair(keyFile, bytes.Join([][]byte{certs, key}, []byte("\n")))
}

// keyPair makes a certificate to present of a text with key and chain, and
// overwrites the text.
func (s *settings) keyPair(at string, text []byte) ([]tls.Certificate, error) {
	defer clear(text)
	blocks, err := pemBlocks(text)
	if err != nil {
		return nil, s.failKey(at, "%v", err)
	}
	defer wipeKeys(blocks)
	var password []byte
	if s.has(keySecret) {
		password = append([]byte{}, s.values[keySecret].value...)
		defer clear(password)
	}
	key, err := privateKey(blocks, password)
	if err != nil {
		return nil, s.failKey(at, "%v", err)
	}
	for _, b := range blocks {
		if b.label == "RSA PRIVATE KEY" || b.label == "EC PRIVATE KEY" {
			s.noteKey(at, "holds a private key in the older form %s, which Kafka's tools refuse: they want PKCS#8", b.label)
		}
	}
	certs, err := certificates(blocks)
	if err != nil {
		return nil, s.failKey(at, "%v", err)
	}
	chain, err := chainOf(key, certs)
	if err != nil {
		return nil, s.failKey(at, "%v", err)
	}
	if !sameOrder(chain, certs) {
		s.noteKey(at, "holds its certificates in another order than leaf to root, or some that are not of the chain; "+
			"dtok sends the chain in order, Kafka's tools refuse this")
	}
	pair := tls.Certificate{PrivateKey: key, Leaf: chain[0]}
	for _, c := range chain {
		pair.Certificate = append(pair.Certificate, c.Raw)
	}
	return []tls.Certificate{pair}, nil
}

// checkInline holds the rules for PEM inside the properties file. librdkafka's
// spelling of the same key needs no type.
func (s *settings) checkInline(key, store string) error {
	switch kind := s.text(store + ".type"); {
	case s.spelt(key) == key && kind != "PEM":
		return s.failKey(key, "needs %s.type=PEM (the default is JKS)", store)
	case s.has(store + ".location"):
		return s.failKey(key, "stands beside %s.location: keep one of them", store)
	}
	return s.checkNoPassword(store)
}

func (s *settings) checkNoPassword(store string) error {
	password := store + ".password"
	if !s.has(password) {
		return nil
	}
	if store == keyStore {
		return s.failKey(password, "must not be given with PEM: the password of the key is %s", keySecret)
	}
	return s.failKey(password, "must not be given with PEM: remove it")
}

// pemFile reads the file that a location names and refuses what is not PEM,
// with the way to make it so.
func (s *settings) pemFile(key, store string) ([]byte, error) {
	path := expandHome(s.text(key))
	data, mode, err := readFile(path)
	if err != nil {
		return nil, s.failKey(key, "%v%s", err, s.besides(path))
	}
	// The two words of librdkafka name PEM files without any type.
	typed := key == store+".location"
	kind := s.text(store + ".type")
	switch format := sniff(data); {
	case format != formatPEM:
		clear(data)
		return nil, s.failKey(key, "%s", convert(format, path, store))
	case typed && kind != "PEM" && strings.EqualFold(kind, "PEM"):
		clear(data)
		return nil, s.failKey(store+".type", "must be written in capitals: PEM")
	case typed && kind != "PEM":
		clear(data)
		return nil, s.failKey(key, "is a PEM file: set %s.type=PEM (without it Kafka takes the type JKS)", store)
	}
	if typed {
		if err := s.checkNoPassword(store); err != nil {
			clear(data)
			return nil, err
		}
	}
	if store == keyStore && readableByOthers(mode) && bytes.Contains(data, []byte("PRIVATE KEY-----")) {
		s.noteKey(key, "is a private key that can be read by others (mode %04o): chmod 600 it", mode.Perm())
	}
	return data, nil
}

// besides hints at why a file is not found: a Windows path whose backslashes
// the properties format has taken, or a relative path that was meant from the
// folder of the properties file.
func (s *settings) besides(path string) string {
	drive := len(path) > 2 && path[1] == ':' && path[2] != '/' && path[2] != '\\'
	if drive || strings.ContainsAny(path, "\t\n\r\f") {
		return ` (in a properties file a backslash in a path is written \\, or use /)`
	}
	if path == "" || filepath.IsAbs(path) {
		return ""
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(s.file), path)); err != nil {
		return ""
	}
	return fmt.Sprintf(" (there is one beside %s, but relative paths start at the working directory)", s.file)
}
