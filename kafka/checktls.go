package kafka

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
)

// expiresSoon is from when on a certificate's end is a warning.
const expiresSoon = 30 * 24 * time.Hour

const certificateHint = "Give this connection a client certificate that the broker's trust store accepts (ssl.keystore.location)."

// handshakeLook watches a TLS handshake for whether the broker asks for a
// client certificate, and what it gets.
type handshakeLook struct {
	asked bool
	given *x509.Certificate
}

// watch is a configuration that does what config does and tells l of it. The
// check of the broker's certificate stays what it is.
func (l *handshakeLook) watch(config *tls.Config) *tls.Config {
	if config == nil {
		config = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	watched := config.Clone()
	watched.GetClientCertificate = func(info *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		l.asked = true
		given, err := l.choose(config, info)
		if err == nil && len(given.Certificate) > 0 {
			l.given, _ = x509.ParseCertificate(given.Certificate[0])
		}
		return given, err
	}
	return watched
}

// choose is crypto/tls's own choice.
func (l *handshakeLook) choose(config *tls.Config, info *tls.CertificateRequestInfo) (*tls.Certificate, error) {
	if config.GetClientCertificate != nil {
		return config.GetClientCertificate(info)
	}
	for i := range config.Certificates {
		if info.SupportsCertificate(&config.Certificates[i]) == nil {
			return &config.Certificates[i], nil
		}
	}
	return new(tls.Certificate), nil
}

// late reports whether the first request failed because the broker broke TLS
// off after the handshake. An alert can be lost, when the broker closes faster
// than it is read.
func (l *handshakeLook) late(err error) bool {
	remote, isRemote := errors.AsType[*net.OpError](err)
	return isRemote && remote.Op == "remote error" || lost(err) && l.asked && l.given == nil
}

// failed explains a handshake that did not come about, with what the broker's
// certificate says where one was shown.
func (l *handshakeLook) failed(err error, host string) finding {
	f := bad(err)
	shown, ok := errors.AsType[*tls.CertificateVerificationError](err)
	if !ok || len(shown.UnverifiedCertificates) == 0 {
		remote, isRemote := errors.AsType[*net.OpError](err)
		switch {
		case isRemote && remote.Op == "remote error" && l.asked:
			f.hint = certificateHint
		case f.hint != "":
		default:
			f.hint = (&ConnectError{Stage: stepTLS}).Hint()
		}
		return f
	}
	chain := shown.UnverifiedCertificates
	leaf, last := chain[0], chain[len(chain)-1]
	f.detail += "; the broker shows " + certificateText(leaf)
	invalid, isInvalid := errors.AsType[x509.CertificateInvalidError](err)
	_, wrongName := errors.AsType[x509.HostnameError](err)
	switch {
	case wrongName:
		f.hint = "Dial the broker by a name that is in its certificate, or have a certificate made that has " + host + " in it."
	case isInvalid && invalid.Reason == x509.Expired:
		f.hint = "The broker needs a new certificate; if its times look right, this machine's clock is wrong."
	default:
		f.hint = fmt.Sprintf("Trust the authority %q that signed it (ssl.truststore.location); the broker sends %d certificates.", last.Issuer, len(chain))
	}
	return f
}

// found tells what a handshake came to.
func (l *handshakeLook) found(state tls.ConnectionState, config *tls.Config, now time.Time) finding {
	leaf := state.PeerCertificates[0]
	f := good(fmt.Sprintf("%s with %s; %s", tls.VersionName(state.Version), tls.CipherSuiteName(state.CipherSuite), certificateText(leaf)))
	switch {
	case l.given != nil:
		f.detail += "; the broker asks for a client certificate and gets " + certificateText(l.given)
	case l.asked:
		f.detail += "; the broker asks for a client certificate and gets none"
	}
	warn := func(detail, hint string) {
		f.verdict, f.detail, f.hint = VerdictWarn, f.detail+"; "+detail, hint
	}
	switch {
	case l.given != nil && now.After(l.given.NotAfter):
		warn("the client certificate has expired", "Get a new client certificate.")
	case l.asked && l.given == nil && config != nil && len(config.Certificates) > 0:
		warn("none of the authorities that the broker names has signed the client certificate at hand", certificateHint)
	case leaf.NotAfter.Sub(now) < expiresSoon:
		warn("the broker's certificate expires in "+leaf.NotAfter.Sub(now).Round(time.Hour).String(), "The broker needs a new certificate soon.")
	case l.given != nil && l.given.NotAfter.Sub(now) < expiresSoon:
		warn("the client certificate expires in "+l.given.NotAfter.Sub(now).Round(time.Hour).String(), "Get a new client certificate soon.")
	case config != nil && config.InsecureSkipVerify:
		warn("the host name is not checked", "Any certificate of a trusted authority passes. Empty ssl.endpoint.identification.algorithm only where the names cannot be put right.")
	case state.Version < tls.VersionTLS12:
		warn("that version of TLS is obsolete", "")
	}
	return f
}

// certificateText names a certificate for people.
func certificateText(c *x509.Certificate) string {
	names := append([]string{}, c.DNSNames...)
	for _, ip := range c.IPAddresses {
		if !slices.Contains(names, ip.String()) {
			names = append(names, ip.String())
		}
	}
	s := fmt.Sprintf("certificate %q", c.Subject)
	if len(names) > 0 {
		s += " for " + strings.Join(names, ", ")
	}
	return s + fmt.Sprintf(", from %q, valid until %s", c.Issuer, c.NotAfter.UTC().Format(time.DateOnly))
}
