package config

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
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
		s.noteForeign("ssl.ca.location", "is librdkafka's way to give CA certificates and is accepted")
		data, _, err := s.storeFile("ssl.ca.location", trustStore)
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
		data, f, err := s.storeFile(location, trustStore)
		if err != nil {
			return nil, err
		}
		if f != formatPEM {
			return s.javaTrust(data, f)
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
	return s.pool(key, certs), nil
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
		data, f, err := s.storeFile(location, keyStore)
		if err != nil {
			return nil, err
		}
		if f != formatPEM {
			return s.javaKeys(data, f)
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
	s.noteForeign(certFile, "and %s are librdkafka's way to give a client certificate and are accepted", keyFile)
	certs, _, err := s.storeFile(certFile, keyStore)
	if err != nil {
		return nil, err
	}
	key, _, err := s.storeFile(keyFile, keyStore)
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
	return []tls.Certificate{s.pair(at, key, chain)}, nil
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
