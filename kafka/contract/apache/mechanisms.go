package apache

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// The listeners that Options add, all of them SASL_PLAINTEXT.
const (
	OAuthUnsecured = "OAUTH"      // takes tokens without a signature
	OAuthSigned    = "OAUTH_JWKS" // takes tokens that a key in JWKS has signed
	KerberosSASL   = "KERBEROS"
)

// OAuth is what the listener OAUTH_JWKS expects of a token.
type OAuth struct {
	// JWKS is the set of keys that may sign, RFC 7517.
	JWKS             []byte
	Issuer, Audience string
}

// Kerberos is how a node proves to be Principal.
type Kerberos struct {
	// Principal is of the form kafka/localhost@REALM.
	Principal string
	// Keytab and Config are the paths of its keytab and of krb5.conf.
	Keytab, Config string
}

// listeners are the names of all that a node listens on.
func (o Options) listeners() []string {
	return append(append([]string{}, listeners...), o.added()...)
}

func (o Options) added() []string {
	var names []string
	if o.OAuth != nil {
		names = append(names, OAuthUnsecured, OAuthSigned)
	}
	if o.Kerberos != nil {
		names = append(names, KerberosSASL)
	}
	return names
}

// extend adds the listeners to the two lines of server.properties that list
// them. The one for Kerberos is localhost, because that is in its name.
func (o Options) extend(key, line string, ports map[string]int) string {
	line = strings.TrimSuffix(line, "\n")
	for _, name := range o.added() {
		switch key {
		case "listeners":
			host := "127.0.0.1"
			if name == KerberosSASL {
				host = "localhost"
			}
			line += "," + name + "://" + host + ":" + strconv.Itoa(ports[name])
		case "listener.security.protocol.map":
			line += "," + name + ":SASL_PLAINTEXT"
		}
	}
	return line + "\n"
}

// mechanismLines configure the added listeners. A listener without a validator
// class takes unsigned tokens: Kafka has that for development.
func (o Options) mechanismLines(dir string) []string {
	var lines []string
	if o.OAuth != nil {
		const security = "org.apache.kafka.common.security.oauthbearer."
		login := ".oauthbearer.sasl.jaas.config=" + security + "OAuthBearerLoginModule required;"
		const plain, signed = "listener.name.oauth", "listener.name.oauth_jwks"
		lines = append(lines,
			plain+".sasl.enabled.mechanisms=OAUTHBEARER",
			plain+login,
			signed+".sasl.enabled.mechanisms=OAUTHBEARER",
			signed+login,
			signed+".oauthbearer.sasl.server.callback.handler.class="+security+"OAuthBearerValidatorCallbackHandler",
			signed+".sasl.oauthbearer.jwks.endpoint.url="+jwksURL(dir),
			signed+".sasl.oauthbearer.expected.issuer="+o.OAuth.Issuer,
			signed+".sasl.oauthbearer.expected.audience="+o.OAuth.Audience,
		)
	}
	if k := o.Kerberos; k != nil {
		const krb = "listener.name.kerberos"
		service, _, _ := strings.Cut(k.Principal, "/")
		lines = append(lines,
			krb+".sasl.enabled.mechanisms=GSSAPI",
			krb+".sasl.kerberos.service.name="+service,
			fmt.Sprintf("%s.gssapi.sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required "+
				"useKeyTab=true storeKey=true doNotPrompt=true keyTab=%q principal=%q;", krb, k.Keytab, k.Principal),
		)
	}
	return lines
}

func jwksURL(dir string) string { return "file://" + filepath.Join(dir, "jwks.json") }

// flags are what the JVM needs for it.
func (o Options) flags(dir string) []string {
	var flags []string
	if o.OAuth != nil {
		// Kafka 4 reads keys and tokens only from places that it is told of.
		flags = append(flags, "-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls="+jwksURL(dir))
	}
	if o.Kerberos != nil {
		flags = append(flags, "-Djava.security.krb5.conf="+o.Kerberos.Config)
	}
	return flags
}
