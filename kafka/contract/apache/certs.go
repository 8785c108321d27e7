package apache

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"slices"
	"strings"
	"time"
)

// Authority is a certificate authority that lives as long as one test cluster.
type Authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

// NewAuthority makes an authority with a fresh key.
func NewAuthority() (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "dtok test CA"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().AddDate(0, 0, 30),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return &Authority{key: key, cert: cert}, err
}

// PEM is the authority's own certificate.
func (a *Authority) PEM() []byte { return pemBlock("CERTIFICATE", a.cert.Raw) }

// Pool holds the authority's certificate alone.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// Server signs a certificate for localhost and the loopback addresses. Both
// results are PEM: the key as PKCS#8, as Kafka's PEM key stores want it, and
// the certificate.
func (a *Authority) Server() (keyPEM, certPEM []byte, err error) {
	return a.sign(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "localhost"},
		DNSNames:    []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
}

// Client signs a client certificate. The subject is taken in the order given:
// Kafka names the principal after it in the reverse order (RFC 2253).
func (a *Authority) Client(subject Subject) (keyPEM, certPEM []byte, err error) {
	sequence, err := subject.sequence()
	if err != nil {
		return nil, nil, err
	}
	raw, err := asn1.Marshal(sequence)
	if err != nil {
		return nil, nil, err
	}
	return a.sign(&x509.Certificate{
		RawSubject:  raw,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
}

// ClientTLS is Client ready to be presented.
func (a *Authority) ClientTLS(subject Subject) (tls.Certificate, error) {
	key, cert, err := a.Client(subject)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(cert, key)
}

func (a *Authority) sign(template *x509.Certificate) (keyPEM, certPEM []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, nil, err
	}
	template.SerialNumber = serial
	template.NotBefore, template.NotAfter = a.cert.NotBefore, a.cert.NotAfter
	template.KeyUsage = x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return nil, nil, err
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	return pemBlock("PRIVATE KEY", pkcs8), pemBlock("CERTIFICATE", der), nil
}

func pemBlock(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// joinPEM is a Kafka PEM key store: the key followed by its certificate.
func joinPEM(key, cert []byte) []byte { return bytes.Join([][]byte{key, cert}, nil) }

// Subject is a certificate's subject, part by part, each "KIND=value" with kind
// CN, OU, O or C; the most general part comes first as a rule (C, O, OU, CN).
type Subject []string

func (s Subject) sequence() (pkix.RDNSequence, error) {
	kinds := map[string]asn1.ObjectIdentifier{"CN": {2, 5, 4, 3}, "C": {2, 5, 4, 6}, "O": {2, 5, 4, 10}, "OU": {2, 5, 4, 11}}
	var seq pkix.RDNSequence
	for _, part := range s {
		kind, value, _ := strings.Cut(part, "=")
		id, ok := kinds[kind]
		if !ok {
			return nil, fmt.Errorf("part %q of a subject begins with none of CN=, OU=, O=, C=", part)
		}
		seq = append(seq, pkix.RelativeDistinguishedNameSET{{Type: id, Value: value}})
	}
	return seq, nil
}

// DN is the subject as Kafka names principals after it: in RFC 2253's order,
// which begins with the last part, and with its escapes.
func (s Subject) DN() string {
	escape := strings.NewReplacer(`\`, `\\`, `,`, `\,`, `+`, `\+`, `"`, `\"`, `<`, `\<`, `>`, `\>`, `;`, `\;`)
	var parts []string
	for _, part := range s {
		kind, value, _ := strings.Cut(part, "=")
		parts = append(parts, kind+"="+escape.Replace(value))
	}
	slices.Reverse(parts)
	return strings.Join(parts, ",")
}
