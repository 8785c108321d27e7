package config

import (
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"time"
)

// storeContent is what a JKS or PKCS12 store holds.
type storeContent struct {
	trusted []*x509.Certificate // the entries that are certificates to trust
	keys    []lockedKey
	others  []*x509.Certificate // every certificate, of which chains are made
	unread  int                 // certificates that crypto/x509 cannot read
	hidden  bool                // a part stayed closed for want of a password
}

// lockedKey is a private key with the certificate that the store ties to it,
// nil when there is none.
type lockedKey struct {
	own  *x509.Certificate
	open func(password []byte) (pkcs8 []byte, err error)
}

// javaStore opens a store with its password; without one it is read as far as
// that goes, unchecked, as in Java. data is overwritten.
func (s *settings) javaStore(store string, data []byte, f format) (*storeContent, error) {
	location, secret := store+".location", store+".password"
	defer clear(data)
	var password []byte
	if s.has(secret) {
		password = append([]byte{}, s.values[secret].value...)
		defer clear(password)
	}
	read := readPKCS12
	if f == formatJKS {
		read = readJKS
	}
	content, err := read(data, password)
	switch {
	case err == nil:
		return content, nil
	case errors.Is(err, errPassword):
		return nil, s.failKey(location, "is a %s store that does not open with %s", f, secret)
	case errors.Is(err, errBER), errors.Is(err, errCipher):
		return nil, s.failKey(location, "is a %s store, and %v: write it anew with "+
			"`keytool -importkeystore -srckeystore %s -destkeystore new.p12 -deststoretype PKCS12`", f, err, shellQuote(expandHome(s.text(location))))
	}
	return nil, s.failKey(location, "is a damaged %s store", f)
}

// javaTrust is what Java trusts by a store: its certificate entries, and the
// own certificate of each of its keys.
func (s *settings) javaTrust(data []byte, f format) (*x509.CertPool, error) {
	const location, password = trustStore + ".location", trustStore + ".password"
	content, err := s.javaStore(trustStore, data, f)
	if err != nil {
		return nil, err
	}
	certs := content.trusted
	for _, key := range content.keys {
		if key.own != nil {
			certs = append(certs, key.own)
		}
	}
	switch {
	case len(certs) == 0 && content.hidden:
		return nil, s.failKey(location, "is a %s store that shows no certificate without a password: set %s", f, password)
	case len(certs) == 0 && len(content.others) > 0:
		return nil, s.failKey(location, "is a %s store whose certificates are not marked as trusted, so that Kafka's tools take none of them: "+
			"make one with `keytool -importcert -alias ca -file ca.pem -keystore trust.p12`", f)
	case len(certs) == 0 && content.unread > 0:
		return nil, s.failKey(location, "is a %s store that holds no certificate that dtok can read", f)
	case len(certs) == 0:
		return nil, s.failKey(location, "is a %s store that holds no certificate", f)
	}
	if content.unread > 0 {
		s.noteKey(location, "holds %s that dtok cannot read and does not trust", plural(content.unread, "certificate"))
	}
	return s.pool(location, certs), nil
}

// pool trusts certificates, be they roots or not, as Java does. Java does not
// look at the end of a root's validity, crypto/x509 does.
func (s *settings) pool(at string, certs []*x509.Certificate) *x509.CertPool {
	pool := x509.NewCertPool()
	expired, now := 0, time.Now()
	for _, c := range certs {
		pool.AddCert(c)
		if now.After(c.NotAfter) {
			expired++
		}
	}
	switch {
	case expired == len(certs):
		s.noteKey(at, "holds no CA certificate that is still valid; the last one ended on %s, and no broker will be trusted", day(lastEnd(certs)))
	case expired > 0:
		s.noteKey(at, "holds %s that expired; brokers under it are not trusted", plural(expired, "CA certificate"))
	}
	return pool
}

func lastEnd(certs []*x509.Certificate) (end time.Time) {
	for _, c := range certs {
		if c.NotAfter.After(end) {
			end = c.NotAfter
		}
	}
	return end
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02") }

// javaKeys makes a certificate to present of each key of a store; crypto/tls
// takes the first that the broker's request allows.
func (s *settings) javaKeys(data []byte, f format) ([]tls.Certificate, error) {
	const location, storePassword = keyStore + ".location", keyStore + ".password"
	if !s.has(storePassword) {
		clear(data)
		return nil, s.failKey(location, "is a %s store, which Kafka opens only with a password: set %s", f, storePassword)
	}
	content, err := s.javaStore(keyStore, data, f)
	if err != nil {
		return nil, err
	}
	if len(content.keys) == 0 {
		s.noteKey(location, "is a %s store without a private key (it holds %s), so no client certificate is presented",
			f, plural(len(content.others), "certificate"))
		return nil, nil
	}
	var out []tls.Certificate
	for _, locked := range content.keys {
		key, err := s.unlock(locked)
		if err != nil {
			return nil, err
		}
		candidates := content.others
		if locked.own != nil {
			candidates = append([]*x509.Certificate{locked.own}, candidates...)
		}
		chain, err := chainOf(key, candidates)
		if err != nil {
			return nil, s.failKey(location, "%v", err)
		}
		out = append(out, s.pair(location, key, chain))
	}
	return out, nil
}

// unlock opens a key with ssl.key.password, or, as in Kafka, with the password
// of the store when there is none.
func (s *settings) unlock(locked lockedKey) (crypto.Signer, error) {
	const location = keyStore + ".location"
	at := keySecret
	if !s.has(at) {
		at = keyStore + ".password"
	}
	der, err := locked.open(s.values[at].value)
	switch {
	case errors.Is(err, errPassword) && at == keySecret:
		return nil, s.failKey(location, "holds a private key that does not open with %s", keySecret)
	case errors.Is(err, errPassword):
		return nil, s.failKey(location, "holds a private key with a password of its own: set %s", keySecret)
	case errors.Is(err, errCipher):
		return nil, s.failKey(location, "holds a private key in a cipher that dtok does not have")
	case err != nil:
		return nil, s.failKey(location, "holds a private key that is damaged")
	}
	defer clear(der)
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, s.failKey(location, "holds a private key that cannot be read; RSA, EC and Ed25519 are")
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, s.failKey(location, "holds a private key that cannot sign; TLS needs RSA, EC or Ed25519")
	}
	return signer, nil
}

// pair is a certificate to present. One that expired is presented all the
// same: it is the broker's clock that decides.
func (s *settings) pair(at string, key crypto.Signer, chain []*x509.Certificate) tls.Certificate {
	pair := tls.Certificate{PrivateKey: key, Leaf: chain[0]}
	for _, c := range chain {
		pair.Certificate = append(pair.Certificate, c.Raw)
	}
	now := time.Now()
	switch {
	case now.After(chain[0].NotAfter):
		s.noteKey(at, "holds a client certificate that expired on %s; the broker will refuse it", day(chain[0].NotAfter))
	case now.Before(chain[0].NotBefore):
		s.noteKey(at, "holds a client certificate that is not valid before %s; the broker will refuse it", day(chain[0].NotBefore))
	}
	return pair
}

// String names the format of a store in messages.
func (f format) String() string {
	names := map[format]string{formatJKS: "JKS", formatJCEKS: "JCEKS", formatPKCS12: "PKCS12"}
	if name, ok := names[f]; ok {
		return name
	}
	return fmt.Sprintf("format %d", int(f))
}
