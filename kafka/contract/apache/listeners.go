package apache

import (
	"strconv"
	"strings"
)

// The listeners of a node.
const (
	Plaintext     = "PLAINTEXT"
	SASLPlaintext = "SASL_PLAINTEXT"
	SASLSSL       = "SASL_SSL"
	SSL           = "SSL"         // one-way: clients have no certificate
	MTLS          = "MTLS"        // principal is the certificate's whole subject
	MTLSMapped    = "MTLS_MAPPED" // principal is a leading CN, in lower case
	controller    = "CONTROLLER"
)

// The listeners that Options add, all of them SASL_PLAINTEXT.
const (
	OAuthUnsecured = "OAUTH"      // takes tokens without a signature
	OAuthSigned    = "OAUTH_JWKS" // takes tokens that a key in JWKS has signed
	KerberosSASL   = "KERBEROS"
)

// listener is an address that a node listens on.
type listener struct{ name, protocol string }

// listeners are all that brokers have.
func (o Options) listeners() []listener {
	all := []listener{
		{Plaintext, Plaintext}, {SASLPlaintext, SASLPlaintext}, {SASLSSL, SASLSSL},
		{SSL, SSL}, {MTLS, SSL}, {MTLSMapped, SSL},
	}
	if o.OAuth != nil {
		all = append(all, listener{OAuthUnsecured, SASLPlaintext}, listener{OAuthSigned, SASLPlaintext})
	}
	if o.Kerberos != nil {
		all = append(all, listener{KerberosSASL, SASLPlaintext})
	}
	return all
}

// names are the listeners and whatever else needs a port.
func names(all []listener, more ...string) []string {
	for _, l := range all {
		more = append(more, l.name)
	}
	return more
}

// addresses are the listeners as server.properties wants them. The one for
// Kerberos is localhost, because that is in the broker's name there.
func (n *Node) addresses(all []listener) string {
	var parts []string
	for _, l := range all {
		host := "127.0.0.1"
		if l.name == KerberosSASL {
			host = "localhost"
		}
		parts = append(parts, l.name+"://"+host+":"+strconv.Itoa(n.ports[l.name]))
	}
	return strings.Join(parts, ",")
}

// protocols is the map of listeners to their security protocols.
func protocols(all []listener) string {
	var parts []string
	for _, l := range all {
		parts = append(parts, l.name+":"+l.protocol)
	}
	return strings.Join(parts, ",")
}
