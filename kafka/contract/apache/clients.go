package apache

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dtok/kafka/contract/raw"
)

// ClientFile writes a client.properties with which user reaches a listener and
// returns its path: name is mechanism and listener in lower case. An empty mechanism is SCRAM-SHA-256 on the
// SASL listeners and is not used on the others. The certificate of the TLS
// listeners that want one has the subject CN=user,OU=Ops,O=Acme.
func (n *Node) ClientFile(user, listener, mechanism string) (string, error) {
	dir := filepath.Join(n.Dir, "clients")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if mechanism == "" {
		mechanism = raw.ScramSHA256
	}
	name := user + "-" + strings.ToLower(listener)
	var lines []string
	protocol := Plaintext
	switch listener {
	case SASLPlaintext, SASLSSL:
		protocol = listener
		name += "-" + strings.ToLower(mechanism)
		module := "scram.ScramLoginModule"
		if mechanism == raw.Plain {
			module = "plain.PlainLoginModule"
		}
		lines = append(lines, "sasl.mechanism="+mechanism,
			fmt.Sprintf("sasl.jaas.config=org.apache.kafka.common.security.%s required username=%q password=%q;", module, user, Password(user)))
	case SSL, MTLS, MTLSMapped:
		protocol = SSL
	}
	if protocol == SSL || protocol == SASLSSL {
		lines = append(lines, "ssl.truststore.type=PEM", "ssl.truststore.location="+filepath.Join(n.Dir, "ca.pem"))
	}
	if listener == MTLS || listener == MTLSMapped {
		store := filepath.Join(dir, user+".pem")
		key, cert, err := n.Authority.Client(Subject{"O=Acme", "OU=Ops", "CN=" + user})
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(store, joinPEM(key, cert), 0o600); err != nil {
			return "", err
		}
		lines = append(lines, "ssl.keystore.type=PEM", "ssl.keystore.location="+store)
	}
	lines = append([]string{"security.protocol=" + protocol}, lines...)
	path := filepath.Join(dir, name+".properties")
	return path, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}
