package config

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"slices"
	"strings"
)

// tlsConfig makes what SSL and SASL_SSL need of the ssl keys.
func (s *settings) tlsConfig() (*tls.Config, error) {
	c := &tls.Config{}
	if err := s.checkAlgorithms(); err != nil {
		return nil, err
	}
	var err error
	if c.RootCAs, err = s.trustStore(); err != nil {
		return nil, err
	}
	if c.Certificates, err = s.keyStore(); err != nil {
		return nil, err
	}
	if err := s.tlsVersions(c); err != nil {
		return nil, err
	}
	suites, err := s.cipherSuites(c)
	if err != nil {
		return nil, err
	}
	checkName, err := s.hostNameCheck()
	if err != nil {
		return nil, err
	}
	// Go cannot leave out the host name alone, so the whole check is switched
	// off and the chain verified here. VerifyConnection runs before anything
	// is sent over the connection, on a resumed one too.
	c.InsecureSkipVerify = !checkName
	c.VerifyConnection = func(state tls.ConnectionState) error {
		if !checkName {
			if err := verifyChain(state.PeerCertificates, c.RootCAs); err != nil {
				return &tls.CertificateVerificationError{UnverifiedCertificates: state.PeerCertificates, Err: err}
			}
		}
		if len(suites) > 0 && !slices.Contains(suites, state.CipherSuite) {
			return fmt.Errorf("the broker chose the cipher suite %s, which ssl.cipher.suites does not list",
				tls.CipherSuiteName(state.CipherSuite))
		}
		return nil
	}
	return c, nil
}

// verifyChain checks what crypto/tls would, but for the host name. roots nil
// means those of the system.
func verifyChain(peer []*x509.Certificate, roots *x509.CertPool) error {
	opts := x509.VerifyOptions{Roots: roots, Intermediates: x509.NewCertPool()}
	for _, c := range peer[1:] {
		opts.Intermediates.AddCert(c)
	}
	_, err := peer[0].Verify(opts)
	return err
}

// hostNameCheck reads ssl.endpoint.identification.algorithm: https is the
// default, empty is Kafka's way to switch the check off, none is librdkafka's.
func (s *settings) hostNameCheck() (bool, error) {
	const key = "ssl.endpoint.identification.algorithm"
	if s.has("enable.ssl.certificate.verification") {
		const verify = "enable.ssl.certificate.verification"
		if !strings.EqualFold(s.text(verify), "true") {
			return false, s.failKey(verify, "switches off the check of the broker's certificate, which dtok does not do: "+
				"give its CA, and empty ssl.endpoint.identification.algorithm if only the host name is wrong")
		}
		s.noteForeign(verify, "is librdkafka's; certificates are always verified")
	}
	switch algorithm := strings.ToLower(s.text(key)); {
	case !s.has(key) || algorithm == "https":
		return true, nil
	case algorithm == "":
		return false, nil
	case algorithm == "none":
		s.noteForeign(key, "is none, librdkafka's word for no host name check; Kafka's tools want it empty")
		return false, nil
	}
	return false, s.failKey(key, "must be https, or empty for no host name check")
}

// checkAlgorithms accepts the names under which Java does what dtok does.
func (s *settings) checkAlgorithms() error {
	for key, same := range map[string][]string{
		"ssl.trustmanager.algorithm": {"PKIX", "SunPKIX", "X509", "X.509", ""},
		"ssl.keymanager.algorithm":   {"SunX509", "NewSunX509", "PKIX", ""},
	} {
		known := func(name string) bool { return strings.EqualFold(name, s.text(key)) }
		if !slices.ContainsFunc(same, known) {
			return s.failKey(key, "names an algorithm that dtok does not have: remove it")
		}
	}
	return nil
}

func tlsVersion(name string) uint16 {
	switch name {
	case "TLSv1":
		return tls.VersionTLS10
	case "TLSv1.1":
		return tls.VersionTLS11
	case "TLSv1.2":
		return tls.VersionTLS12
	case "TLSv1.3":
		return tls.VersionTLS13
	}
	return 0
}

// tlsVersions reads ssl.enabled.protocols (TLSv1.2,TLSv1.3 when absent) and
// ssl.protocol, which in Java is a ceiling: with TLSv1.2 the suites of TLS 1.3
// are missing, so it cannot come about, whatever is enabled (seen on JDK 17).
func (s *settings) tlsVersions(c *tls.Config) error {
	const enabled, ceiling = "ssl.enabled.protocols", "ssl.protocol"
	versions := []uint16{tls.VersionTLS12, tls.VersionTLS13}
	if names := s.list(enabled); len(names) > 0 {
		versions = nil
		for _, name := range names {
			v := tlsVersion(name)
			if v == 0 {
				return s.failKey(enabled, "may list TLSv1.3, TLSv1.2, TLSv1.1 and TLSv1; dtok speaks nothing older")
			}
			versions = append(versions, v)
		}
	}
	// TLS and SSL are Java's names for all versions that there are.
	if !slices.Contains([]string{"", "TLS", "SSL"}, s.text(ceiling)) {
		top := tlsVersion(s.text(ceiling))
		if top == 0 {
			return s.failKey(ceiling, "must be TLSv1.3, TLSv1.2, TLSv1.1, TLSv1 or TLS")
		}
		versions = slices.DeleteFunc(versions, func(v uint16) bool { return v > top })
		if len(versions) == 0 {
			return s.failKey(ceiling, "is older than every version in ssl.enabled.protocols (TLSv1.2 and TLSv1.3 when not set)")
		}
	}
	slices.Sort(versions)
	versions = slices.Compact(versions)
	c.MinVersion, c.MaxVersion = versions[0], versions[len(versions)-1]
	if int(c.MaxVersion-c.MinVersion) != len(versions)-1 {
		return s.failKey(enabled, "leaves out a version between others, which dtok cannot do: list them without a gap")
	}
	return nil
}

// cipherSuites reads ssl.cipher.suites, which allows and orders; of the order
// Go has its own mind. Go offers all suites of TLS 1.3 or none, so a list
// without any of them limits the version, and the choice of the broker is held
// against the returned list, which is empty when all is allowed.
func (s *settings) cipherSuites(c *tls.Config) ([]uint16, error) {
	const key = "ssl.cipher.suites"
	names := s.list(key)
	if len(names) == 0 {
		return nil, nil
	}
	known := map[string]*tls.CipherSuite{}
	for _, suite := range slices.Concat(tls.CipherSuites(), tls.InsecureCipherSuites()) {
		known[suite.Name] = suite
	}
	var all []uint16
	missing, modern := 0, 0
	for _, name := range names {
		suite := known[name]
		switch {
		case suite == nil:
			missing++
			continue
		case slices.Contains(suite.SupportedVersions, tls.VersionTLS13):
			modern++
		default:
			c.CipherSuites = append(c.CipherSuites, suite.ID)
		}
		all = append(all, suite.ID)
	}
	if len(all) == 0 {
		return nil, s.failKey(key, "lists no cipher suite that dtok has; names are those of the TLS registry (TLS_AES_256_GCM_SHA384), separated by commas")
	}
	if missing > 0 {
		s.noteKey(key, "lists %s that dtok does not have and does not offer", plural(missing, "cipher suite"))
	}
	if modern == 0 && c.MaxVersion > tls.VersionTLS12 {
		c.MaxVersion = tls.VersionTLS12
	}
	if len(c.CipherSuites) == 0 && c.MinVersion < tls.VersionTLS13 {
		c.MinVersion = tls.VersionTLS13
	}
	if c.MinVersion > c.MaxVersion {
		return nil, s.failKey(key, "lists no cipher suite for the TLS versions that ssl.enabled.protocols and ssl.protocol allow")
	}
	return all, nil
}
