package apache

import (
	"fmt"
	"path/filepath"
	"strings"
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

// mechanismLines configure the added listeners. A listener without a validator
// class takes unsigned tokens: Kafka has that for development.
func (o Options) mechanismLines(r Release, dir string) []string {
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
			signed+".oauthbearer.sasl.server.callback.handler.class="+r.bearer+"OAuthBearerValidatorCallbackHandler",
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
