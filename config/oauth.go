package config

import (
	"bytes"
	"crypto/tls"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// OAuth is how to get the token that OAUTHBEARER sends, as Kafka's
// OAuthBearerLoginCallbackHandler does: from an endpoint with the grant
// client_credentials (RFC 6749, section 4.4), or from a file.
type OAuth struct {
	// TokenEndpoint is a URL with http or https, empty with TokenFile.
	TokenEndpoint string
	// TokenFile is the path of a file with a JWT; see ReadToken.
	TokenFile string
	// ClientID and ClientSecret are sent in the header of basic
	// authentication, URL-encoded first with URLEncode. Neither is empty with
	// TokenEndpoint.
	ClientID     string
	ClientSecret *Secret
	URLEncode    bool
	// Scope is asked for unless it is empty.
	Scope string
	// Extensions are sent to the broker beside the token (RFC 7628, 3.1); they
	// are checked.
	Extensions map[string]string
	// TLS is for an endpoint with https, nil with another.
	TLS *tls.Config
	// ConnectTimeout and ReadTimeout are for the endpoint, 0 when not set.
	ConnectTimeout, ReadTimeout time.Duration
}

// The names of keys that are met in several places.
const (
	tokenEndpoint = "sasl.oauthbearer.token.endpoint.url" //nolint:gosec // a name
	clientID      = "sasl.oauthbearer.client.credentials.client.id"
	clientSecret  = "sasl.oauthbearer.client.credentials.client.secret" //nolint:gosec // a name
	loginHandler  = "sasl.login.callback.handler.class"
	oauthPackage  = "org.apache.kafka.common.security.oauthbearer."
)

// signInOAuth reads Kafka's settings, or librdkafka's for OIDC.
func (s *settings) signInOAuth(c *Connection, l login) error {
	o := &OAuth{}
	if err := s.oauthClasses(l); err != nil {
		return err
	}
	if err := s.oauthEndpoint(o); err != nil {
		return err
	}
	var err error
	if o.Extensions, err = s.oauthExtensions(l); err != nil {
		return err
	}
	if o.ConnectTimeout, err = s.milliseconds("sasl.login.connect.timeout.ms", maxMilliseconds); err != nil {
		return err
	}
	if o.ReadTimeout, err = s.milliseconds("sasl.login.read.timeout.ms", maxMilliseconds); err != nil {
		return err
	}
	s.noteLogin(l, "clientId", "clientSecret", "scope", "extension_*", "ssl.*")
	c.OAuth = o
	if o.TokenFile != "" {
		_, err := o.ReadToken()
		if err != nil {
			return s.failKey(tokenEndpoint, "names the token file %v", err)
		}
		return nil
	}
	if s.prompt {
		defer func() { c.Prompt = "client secret of " + o.ClientID }()
	}
	return s.clientCredentials(o, l)
}

// oauthClasses accepts the classes of Kafka that do what dtok does. Without a
// handler Kafka's own makes tokens without a signature, for clusters that
// check nothing.
func (s *settings) oauthClasses(l login) error {
	const instead = "set " + loginHandler + "=" + oauthPackage + "OAuthBearerLoginCallbackHandler"
	const unsecured = "for clusters that check nothing: put such a token into a file, name it with " + tokenEndpoint + "=file:///PATH, and " + instead
	claims := func(option string) bool { return strings.HasPrefix(option, "unsecuredLogin") }
	if s.has("sasl.oauthbearer.method") {
		return s.oidc(l)
	}
	switch s.text(loginHandler) {
	case oauthPackage + "OAuthBearerLoginCallbackHandler", oauthPackage + "secured.OAuthBearerLoginCallbackHandler":
	case "":
		if slices.ContainsFunc(slices.Collect(maps.Keys(l.module().options)), claims) {
			return s.failKey(jaasKey, "asks for a token without a signature (unsecuredLogin…), which is "+unsecured)
		}
		if len(l.modules) == 0 {
			return s.failMissingLogin()
		}
		return s.failKey(loginHandler, "is missing, and Kafka's default makes a token without a signature: "+instead)
	case oauthPackage + "internals.unsecured.OAuthBearerUnsecuredLoginCallbackHandler":
		return s.failKey(loginHandler, "makes tokens without a signature, "+unsecured)
	default:
		return s.failKey(loginHandler, "names a Java class, which dtok cannot run: with a token endpoint or a token file, "+instead)
	}
	if len(l.modules) == 0 {
		return s.failMissingLogin()
	}
	const retriever, validator = "sasl.oauthbearer.jwt.retriever.class", "sasl.oauthbearer.jwt.validator.class"
	own := func(key string, names ...string) bool {
		return !s.has(key) || slices.Contains(names, strings.TrimPrefix(s.text(key), oauthPackage))
	}
	switch {
	case s.text(retriever) == oauthPackage+"JwtBearerJwtRetriever":
		return s.failKey(retriever, "gets a token for a signed assertion, which dtok does not do: use client credentials or a token file")
	case !own(retriever, "DefaultJwtRetriever", "ClientCredentialsJwtRetriever", "FileJwtRetriever"):
		return s.failKey(retriever, "%s", noClass)
	// The broker checks the token; a check before is of no use.
	case !own(validator, "DefaultJwtValidator", "ClientJwtValidator", "BrokerJwtValidator"):
		return s.failKey(validator, "%s", noClass)
	}
	return nil
}

// oidc accepts librdkafka's way, which names no classes.
func (s *settings) oidc(l login) error {
	const method = "sasl.oauthbearer.method"
	if s.text(method) != "oidc" {
		return s.failKey(method, "must be oidc: the default makes tokens without a signature")
	}
	if len(l.modules) > 0 {
		return s.failKey(method, "stands beside sasl.jaas.config: keep one of the two ways")
	}
	s.noteForeign(method, "is librdkafka's and is accepted")
	return nil
}

func (s *settings) oauthEndpoint(o *OAuth) error {
	if s.text(tokenEndpoint) == "" {
		return s.failKey(tokenEndpoint, "is missing: it is the URL of the token endpoint, or file:///PATH of a file with a token")
	}
	// The parser's errors hold the URL, which can hold a password.
	u, err := url.Parse(s.text(tokenEndpoint))
	if err != nil || u.Opaque != "" {
		return s.failKey(tokenEndpoint, "is no URL: write https://HOST/PATH or file:///PATH")
	}
	retriever := strings.TrimPrefix(s.text("sasl.oauthbearer.jwt.retriever.class"), oauthPackage)
	switch scheme := strings.ToLower(u.Scheme); {
	case u.User != nil:
		return s.failKey(tokenEndpoint, "holds a user or a password, which Kafka's tools do not send: remove what stands before the @")
	case scheme == "file" && retriever == "ClientCredentialsJwtRetriever",
		(scheme == "http" || scheme == "https") && retriever == "FileJwtRetriever":
		return s.failKey(tokenEndpoint, "does not go with sasl.oauthbearer.jwt.retriever.class: remove that")
	case scheme == "file":
		// Kafka takes the path as it stands, without decoding %20.
		o.TokenFile = u.EscapedPath()
	case scheme == "https" && u.Host != "":
		o.TokenEndpoint = u.String()
	case scheme == "http" && u.Host != "":
		o.TokenEndpoint = u.String()
		s.noteKey(tokenEndpoint, "begins with http, so the client secret and the token cross the network unencrypted")
	default:
		return s.failKey(tokenEndpoint, "must begin with https://HOST, http://HOST or file:///")
	}
	return nil
}

// clientCredentials takes each value from the key of Kafka 4.1 or later, else
// from the option of the login module, as Kafka does.
func (s *settings) clientCredentials(o *OAuth, l login) error {
	for _, key := range []string{"sasl.oauthbearer.assertion.file", "sasl.oauthbearer.assertion.claim.iss"} {
		if s.text(key) != "" {
			return s.failKey(key, "asks for a client assertion, which dtok does not make: use a client secret")
		}
	}
	value := func(own, key, option string) ([]byte, string) {
		for _, k := range []string{own, key} {
			if k != "" && s.has(k) {
				return s.values[k].value, k
			}
		}
		return bytes.TrimFunc(l.module().option(option), func(r rune) bool { return r <= ' ' }), jaasKey
	}
	id, at := value(ownUser, clientID, "clientId")
	if len(id) == 0 {
		return s.failKey(at, "gives no client id: set clientId in sasl.jaas.config, or %s", clientID)
	}
	secret, at := value(ownPassword, clientSecret, "clientSecret")
	if len(secret) == 0 && !s.prompt {
		return s.failKey(at, "gives no client secret: set clientSecret in sasl.jaas.config, or %s", clientSecret)
	}
	scope, _ := value("", "sasl.oauthbearer.scope", "scope")
	o.ClientID, o.ClientSecret, o.Scope = string(id), newSecret(secret), string(scope)

	const urlencode = "sasl.oauthbearer.header.urlencode"
	switch strings.ToLower(s.text(urlencode)) {
	case "true":
		o.URLEncode = true
	case "false":
	default:
		if s.has(urlencode) {
			return s.failKey(urlencode, "must be true or false")
		}
	}
	if !strings.HasPrefix(strings.ToLower(o.TokenEndpoint), "https:") {
		return nil
	}
	var err error
	o.TLS, err = s.endpointTLS(l)
	return err
}

// endpointTLS reads the ssl options of the login module, which are Kafka's way
// to say whom to trust at the endpoint; those of the file are for brokers. The
// host name is always checked, as in Java.
func (s *settings) endpointTLS(l login) (*tls.Config, error) {
	inner := &settings{file: s.file, values: map[string]property{}}
	for name, value := range l.module().options {
		if !strings.HasPrefix(name, "ssl.") || name == "ssl.endpoint.identification.algorithm" {
			continue
		}
		if rule := ruleOf(name); rule.treatment == refused {
			return nil, s.failKey(jaasKey, "has the option %s, which %s", name, rule.note)
		}
		value = bytes.TrimFunc(value, func(r rune) bool { return r <= ' ' })
		inner.values[name] = property{key: name, value: value, place: s.values[jaasKey].place}
	}
	config, err := inner.tlsConfig()
	s.notes = append(s.notes, inner.notes...)
	return config, err
}

// oauthExtensions reads the options extension_NAME, or librdkafka's list.
func (s *settings) oauthExtensions(l login) (map[string]string, error) {
	const list = "sasl.oauthbearer.extensions"
	out, at := map[string]string{}, jaasKey
	for name, value := range l.module().options {
		if name, ok := strings.CutPrefix(name, "extension_"); ok {
			out[name] = string(value)
		}
	}
	if s.has("sasl.oauthbearer.method") {
		at = list
		for _, entry := range s.list(list) {
			name, value, _ := strings.Cut(entry, "=")
			out[name] = value
		}
	}
	for name, value := range out {
		printable := func(r rune) bool { return r > ' ' && r < 0x7f || strings.ContainsRune(" \t\r\n", r) }
		bad := strings.ContainsFunc(value, func(r rune) bool { return !printable(r) })
		letters := madeOf(name, "") && !strings.ContainsFunc(name, isDigit)
		if !letters || name == "auth" || value == "" || bad {
			return nil, s.failKey(at, "has an extension that the protocol does not allow: names are letters (and not auth), values printable ASCII")
		}
	}
	return out, nil
}

// ReadToken reads TokenFile: a JWT, with white space around it or not. Files
// of tokens are written anew while dtok runs, so it is read for each sign-in.
// Errors hold the path and nothing of the content.
func (o *OAuth) ReadToken() (*Secret, error) {
	data, _, err := readFile(o.TokenFile)
	if err != nil {
		return nil, err
	}
	defer clear(data)
	path := o.TokenFile
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	token := bytes.TrimSpace(data)
	if len(token) == 0 {
		return nil, &Error{File: path, Problem: "is empty where a token should be"}
	}
	// Header, claims and signature; that of an unsecured token is empty.
	if bytes.Count(token, []byte(".")) != 2 || bytes.ContainsFunc(token, func(r rune) bool { return !isTokenChar(r) }) {
		return nil, &Error{File: path, Problem: "holds no JWT, which is three parts in base64url with dots between"}
	}
	return newSecret(token), nil
}

func isTokenChar(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || isDigit(r) || strings.ContainsRune("-_.=", r)
}
