package demo

import (
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

// authority signs certificates that are made at run time and die with the
// process.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	server      tls.Certificate
	pool        *x509.CertPool
}

func newAuthority(host string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := certificateTemplate()
	template.Subject = pkix.Name{CommonName: "dtok demo CA"}
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	a := &authority{key: key, pool: x509.NewCertPool()}
	if a.certificate, err = x509.ParseCertificate(der); err != nil {
		return nil, err
	}
	a.pool.AddCert(a.certificate)
	a.server, err = a.serverCertificate(host)
	return a, err
}

// certificateTemplate is valid from an hour ago, for clocks that are late.
func certificateTemplate() *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: serial,
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.AddDate(1, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
	}
}

func (a *authority) serverCertificate(host string) (tls.Certificate, error) {
	template := certificateTemplate()
	template.Subject = pkix.Name{CommonName: "dtok demo broker"}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	template.DNSNames = []string{"localhost"}
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = append(template.IPAddresses, ip)
	} else if host != "" && host != "localhost" {
		template.DNSNames = append(template.DNSNames, host)
	}
	cert, key, err := a.sign(template)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(cert, key)
}

// sign makes a key pair and its certificate, both as PEM.
func (a *authority) sign(template *x509.Certificate) (cert, key []byte, err error) {
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, pair.Public(), a.key)
	if err != nil {
		return nil, nil, err
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(pair)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}), nil
}

// serverConfig is the TLS configuration of a listener, nil without TLS.
func (a *authority) serverConfig(l Listener) *tls.Config {
	if !l.Protocol().Encrypted() {
		return nil
	}
	config := &tls.Config{Certificates: []tls.Certificate{a.server}, MinVersion: tls.VersionTLS12}
	if l == MTLS {
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, a.pool
	}
	return config
}

// CACert is the certificate, as PEM, that signed those of the TLS listeners.
func (b *Broker) CACert() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: b.authority.certificate.Raw})
}

// ClientCertificate makes a key pair for the MTLS listener, as PEM. The user is
// a distinguished name such as "CN=ledger,OU=payments,O=Acme", whose principal
// is User: and that very text, or a name, whose principal is User:CN=name.
func (b *Broker) ClientCertificate(user string) (cert, key []byte, err error) {
	subject, err := subjectOf(user)
	if err != nil {
		return nil, nil, err
	}
	template := certificateTemplate()
	template.RawSubject = subject
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return b.authority.sign(template)
}

// attributeTypes are the attributes that ClientCertificate can write.
var attributeTypes = map[string]asn1.ObjectIdentifier{
	"CN": {2, 5, 4, 3}, "C": {2, 5, 4, 6}, "L": {2, 5, 4, 7}, "ST": {2, 5, 4, 8}, "O": {2, 5, 4, 10}, "OU": {2, 5, 4, 11},
}

// subjectOf encodes a subject. RFC 2253 writes its parts in reverse order.
func subjectOf(user string) ([]byte, error) {
	if !strings.Contains(user, "=") {
		user = "CN=" + user
	}
	var sequence pkix.RDNSequence
	for _, part := range splitDN(user) {
		kind, value, _ := strings.Cut(part, "=")
		id, ok := attributeTypes[kind]
		if !ok || value == "" {
			return nil, fmt.Errorf("a certificate's subject cannot have the part %q", part)
		}
		sequence = append(sequence, pkix.RelativeDistinguishedNameSET{{Type: id, Value: value}})
	}
	slices.Reverse(sequence)
	return asn1.Marshal(sequence)
}

// distinguishedName is a certificate's subject as Java writes it (RFC 2253),
// which is what Kafka takes as the name of the principal.
func distinguishedName(rawSubject []byte) string {
	var sequence pkix.RDNSequence
	if rest, err := asn1.Unmarshal(rawSubject, &sequence); err != nil || len(rest) > 0 {
		return anonymous.Name
	}
	return sequence.String()
}

// splitDN cuts a distinguished name at its commas and takes the backslashes
// away that RFC 2253 puts before special characters.
func splitDN(dn string) []string {
	parts := []string{""}
	escaped := false
	for _, r := range dn {
		last := &parts[len(parts)-1]
		switch {
		case escaped:
			*last, escaped = *last+string(r), false
		case r == '\\':
			escaped = true
		case r == ',':
			parts = append(parts, "")
		default:
			*last += string(r)
		}
	}
	return parts
}
