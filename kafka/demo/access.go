package demo

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"dtok/kafka"
)

// Connection says how a user connects to the cluster of a scenario.
type Connection struct {
	Protocol kafka.Protocol
	// Address is the HOST:PORT of the main listener.
	Address string
	// Mechanism, User and Password are for SASL. With TokenAuth, User is a
	// token's id and Password the base64 text of its HMAC.
	Mechanism, User string
	Password        *kafka.Secret
	TokenAuth       bool
	// CA is the authority to trust, as PEM, with SSL and SASL_SSL.
	CA []byte
}

// Connection is how a user connects by default in this scenario. A user that
// has no token gets none: in the scenario token-session that is an error, and
// so is a user that the cluster does not know.
func (b *Broker) Connection(user string) (Connection, error) {
	st := &b.cluster.setup
	c := Connection{Protocol: st.main.Protocol(), Address: b.Address(st.main)}
	if c.Protocol.Encrypted() {
		c.CA = b.CACert()
	}
	if !c.Protocol.Authenticates() {
		return c, nil
	}
	password, known := b.passwords[user]
	if !known {
		return Connection{}, fmt.Errorf("the demo cluster has no user %q", user)
	}
	c.User, c.Mechanism, c.Password = user, st.mechanismFor(user), kafka.NewSecret([]byte(password))
	if !st.tokenSession {
		return c, nil
	}
	t := b.longestToken(user)
	if t == nil {
		return Connection{}, fmt.Errorf("%s has no token to sign in with", user)
	}
	c.User, c.TokenAuth, c.Mechanism = t.id, true, st.mechanismFor(t.id)
	c.Password = kafka.NewSecret([]byte(base64.StdEncoding.EncodeToString(t.hmac[:])))
	return c, nil
}

// longestToken is the user's token with the latest expiry.
func (b *Broker) longestToken(user string) *token {
	var best *token
	b.cluster.view(func(s *state, now int64) {
		for _, t := range s.tokens {
			if t.owner == kafka.UserPrincipal(user) && !t.expired(now) && (best == nil || t.ends() > best.ends()) {
				best = t
			}
		}
	})
	return best
}

// mechanismFor is the strongest mechanism that is enabled, and PLAIN for a name
// that SCRAM cannot carry to Kafka (see clientFirst).
func (s *setup) mechanismFor(user string) string {
	ascii := strings.IndexFunc(user, func(r rune) bool { return r > 0x7f }) < 0
	for _, m := range []string{kafka.MechanismScramSHA512, kafka.MechanismScramSHA256} {
		if ascii && slices.Contains(s.mechanisms, m) {
			return m
		}
	}
	return kafka.MechanismPlain
}

// Settings are the connection as a kafka.Settings. The password is shared with
// the Connection.
func (c Connection) Settings() (kafka.Settings, error) {
	s := kafka.Settings{Bootstrap: []string{c.Address}, Protocol: c.Protocol}
	if c.Protocol.Encrypted() {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(c.CA) {
			return s, fmt.Errorf("the demo cluster's certificate cannot be read")
		}
		s.TLS = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	if c.Protocol.Authenticates() {
		s.SASL = &kafka.Credentials{Mechanism: c.Mechanism, User: c.User, Password: c.Password, TokenAuth: c.TokenAuth}
	}
	return s, nil
}

// ClientProperties is a ready client.properties for Java clients that connect
// as user on one of the listeners. It is self-contained: certificates and, for
// MTLS, a private key made for it are inside. It is "" for a listener that the
// scenario does not have, for a user unknown to the cluster, and for a name
// that no certificate can carry.
func (b *Broker) ClientProperties(user string, l Listener) string {
	address := b.Address(l)
	password, known := b.passwords[user]
	if address == "" || !known {
		return ""
	}
	var out strings.Builder
	line := func(key, value string) { out.WriteString(key + "=" + escapeProperty(value) + "\n") }
	line("bootstrap.servers", address)
	line("security.protocol", string(l.Protocol()))
	if l.Protocol().Authenticates() {
		mechanism, module := b.cluster.setup.mechanismFor(user), "scram.ScramLoginModule"
		if mechanism == kafka.MechanismPlain {
			module = "plain.PlainLoginModule"
		}
		line("sasl.mechanism", mechanism)
		line("sasl.jaas.config", "org.apache.kafka.common.security."+module+" required username="+
			quoteJAAS(user)+" password="+quoteJAAS(password)+";")
	}
	if l.Protocol().Encrypted() {
		line("ssl.truststore.type", "PEM")
		line("ssl.truststore.certificates", string(b.CACert()))
	}
	if l == MTLS {
		cert, key, err := b.ClientCertificate(user)
		if err != nil {
			return ""
		}
		line("ssl.keystore.type", "PEM")
		line("ssl.keystore.certificate.chain", string(cert))
		line("ssl.keystore.key", string(key))
	}
	return out.String()
}

// quoteJAAS writes a value as Kafka's JAAS reader, a Java StreamTokenizer,
// reads it back.
func quoteJAAS(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// escapeProperty writes a value as java.util.Properties reads it back.
func escapeProperty(s string) string {
	var out strings.Builder
	for _, r := range s {
		switch {
		case r == '\\':
			out.WriteString(`\\`)
		case r == '\n':
			out.WriteString(`\n`)
		case r > 0xffff: // as a pair of surrogates
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		case r > 0x7e:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
