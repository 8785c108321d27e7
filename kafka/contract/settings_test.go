package contract

import (
	"crypto/tls"
	"crypto/x509"
	"testing"

	"dtok/kafka"
	"dtok/kafka/contract/apache"
)

// certificateSettings reach a TLS listener of a node with a client certificate.
func certificateSettings(t *testing.T, node *apache.Node, listener string, subject apache.Subject) kafka.Settings {
	t.Helper()
	certificate := must(node.Authority.ClientTLS(subject))(t)
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(node.Authority.PEM())
	return kafka.Settings{
		Bootstrap: []string{node.Address(listener)}, Protocol: kafka.SSL,
		TLS: &tls.Config{RootCAs: trusted, Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
	}
}
