package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The login modules that dtok knows by name. The class is what counts in a
// file, the mechanisms are those it can serve.
const (
	plainModule = "org.apache.kafka.common.security.plain.PlainLoginModule"
	scramModule = "org.apache.kafka.common.security.scram.ScramLoginModule"
)

// login is what a file says about signing in, before it is known whether the
// protocol asks for it.
type login struct {
	modules []loginModule // of sasl.jaas.config, the first one counts
}

func (l login) wipe() {
	for _, m := range l.modules {
		m.wipe()
	}
}

// readLogin parses sasl.jaas.config, which is judged whatever the protocol is,
// and refuses the mechanisms that dtok does not speak before anything else of
// the file is looked at.
func (s *settings) readLogin() (login, error) {
	mechanism := s.text("sasl.mechanism")
	if reason := unspoken(mechanism); reason != "" {
		return login{}, s.failKey("sasl.mechanism", "%s", reason)
	}
	if !s.has("sasl.jaas.config") {
		return login{}, nil
	}
	modules, err := parseJAAS(s.values["sasl.jaas.config"].value)
	if err != nil {
		if hasPlaceholder(s.values["sasl.jaas.config"].value) {
			err = errors.New(placeholderProblem)
		}
		return login{}, s.failKey("sasl.jaas.config", "%v", err)
	}
	l := login{modules}
	if reason := unspokenModule(modules[0].class); reason != "" {
		l.wipe()
		return login{}, s.failKey("sasl.jaas.config", "%s", reason)
	}
	for _, value := range modules[0].options {
		if hasPlaceholder(value) {
			l.wipe()
			return login{}, s.failKey("sasl.jaas.config", "%s", placeholderProblem)
		}
	}
	return l, nil
}

// What dtok cannot speak, and what to use instead.
const (
	insteadKerberos = "is GSSAPI (Kerberos), which dtok does not speak: use a SCRAM or PLAIN user, or a client certificate"
	insteadOAuth    = "is OAUTHBEARER, which dtok does not speak: use a SCRAM or PLAIN user, or a client certificate"
	insteadIAM      = "is AWS_MSK_IAM, which dtok does not speak: use a SASL/SCRAM user of the cluster, or a client certificate"
)

// unspoken says why a mechanism of Kafka is not possible, "" when it is one
// that dtok speaks or none of Kafka's.
func unspoken(mechanism string) string {
	switch strings.ToUpper(mechanism) {
	case "GSSAPI":
		return insteadKerberos
	case "OAUTHBEARER":
		return insteadOAuth
	case "AWS_MSK_IAM":
		return insteadIAM
	}
	return ""
}

func unspokenModule(class string) string {
	switch class[strings.LastIndexByte(class, '.')+1:] {
	case "Krb5LoginModule":
		return "names Krb5LoginModule, so the mechanism " + insteadKerberos
	case "OAuthBearerLoginModule":
		return "names OAuthBearerLoginModule, so the mechanism " + insteadOAuth
	case "IAMLoginModule":
		return "names IAMLoginModule, so the mechanism " + insteadIAM
	}
	return ""
}

// signIn fills in mechanism, user and password.
func (s *settings) signIn(c *Connection, l login) error {
	if err := s.signInMechanism(c, l); err != nil {
		return err
	}
	user, password, at, err := s.credentials(c, l)
	if err != nil {
		return err
	}
	defer clear(password)
	nul := bytes.IndexByte(user, 0) >= 0 || bytes.IndexByte(password, 0) >= 0
	switch {
	case len(user) == 0:
		return s.failKey(at, "gives no user name")
	case len(password) == 0:
		return s.failKey(at, "gives no password, or an empty one, which no broker accepts with %s", c.Mechanism)
	case nul && c.Mechanism == "PLAIN":
		return s.failKey(at, "holds a NUL character in the user name or password, which PLAIN cannot carry")
	}
	c.User, c.Password = string(user), newSecret(password)
	return nil
}

func (s *settings) signInMechanism(c *Connection, l login) error {
	c.Mechanism = s.text("sasl.mechanism")
	if c.Mechanism == "" {
		return s.failMissingMechanism(l)
	}
	spoken := []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}
	if !slices.Contains(spoken, c.Mechanism) {
		if upper := strings.ToUpper(c.Mechanism); slices.Contains(spoken, upper) {
			return s.failKey("sasl.mechanism", "must be written in capitals: %s", upper)
		}
		return s.failKey("sasl.mechanism", "must be PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512, which are what dtok speaks")
	}
	return nil
}

// failMissingMechanism explains the surprise that Kafka's default is Kerberos.
func (s *settings) failMissingMechanism(l login) error {
	missing, line := "sasl.mechanism is missing", s.values["sasl.jaas.config"].line
	if s.has("sasl.mechanism") {
		missing, line = "is empty", s.values["sasl.mechanism"].line
	}
	add := "PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512"
	if len(l.modules) > 0 {
		switch l.modules[0].class {
		case plainModule:
			add = "PLAIN"
		case scramModule:
			add = "SCRAM-SHA-256 or SCRAM-SHA-512"
		}
	}
	err := s.failKey("sasl.mechanism", "%s, and Kafka's default is GSSAPI (Kerberos), which dtok does not speak: set it to %s", missing, add)
	var e *Error
	if errors.As(err, &e) {
		e.Line = line
		e.Problem = strings.Replace(e.Problem, "sasl.mechanism sasl.mechanism", "sasl.mechanism", 1)
	}
	return err
}

// credentials finds user and password in sasl.jaas.config, or in librdkafka's
// two keys, and the key to blame for what is wrong with them. The password
// must be wiped.
func (s *settings) credentials(c *Connection, l login) (user, password []byte, at string, err error) {
	const jaas = "sasl.jaas.config"
	plainKeys := s.has("sasl.username") || s.has("sasl.password")
	if plainKeys && s.has(jaas) {
		return nil, nil, "", s.failKey("sasl.username", "or sasl.password stands beside sasl.jaas.config: keep one of the two ways")
	}
	if plainKeys {
		at = "sasl.username"
		if !s.has(at) {
			at = "sasl.password"
		}
		s.noteKey(at, "is librdkafka's way to sign in and is accepted; values follow the rules of Java properties (a backslash is written twice)")
		return s.values["sasl.username"].value, bytes.Clone(s.values["sasl.password"].value), at, nil
	}
	if !s.has(jaas) {
		return nil, nil, "", s.failKey(jaas, "is missing: Kafka would take user and password from a JAAS file of the JVM, which dtok has not")
	}
	m := l.modules[0]
	if err := s.checkModule(c, m); err != nil {
		return nil, nil, "", err
	}
	s.noteLogin(l)
	c.TokenAuth = m.class == scramModule && strings.EqualFold(string(m.option("tokenauth")), "true")
	return m.option("username"), bytes.Clone(m.option("password")), jaas, nil
}

// checkModule holds the login module against the mechanism. Only names of
// modules that are known are shown.
func (s *settings) checkModule(c *Connection, m loginModule) error {
	const jaas = "sasl.jaas.config"
	wants := scramModule
	if c.Mechanism == "PLAIN" {
		wants = plainModule
	}
	short := func(class string) string { return class[strings.LastIndexByte(class, '.')+1:] }
	switch {
	case m.class == wants:
	case m.class == plainModule || m.class == scramModule:
		return s.failKey(jaas, "names %s, but sasl.mechanism is %s, which needs %s", short(m.class), c.Mechanism, short(wants))
	default:
		return s.failKey(jaas, "names a login module that dtok does not know; %s needs %s", c.Mechanism, wants)
	}
	if m.class == plainModule && m.option("tokenauth") != nil {
		return s.failKey(jaas, "has tokenauth, which only SCRAM can carry: use ScramLoginModule with SCRAM-SHA-256 or SCRAM-SHA-512")
	}
	return nil
}

// noteLogin tells what of the value is not used, without names that could be
// pieces of a password.
func (s *settings) noteLogin(l login) {
	const jaas = "sasl.jaas.config"
	if n := len(l.modules); n > 1 {
		s.noteKey(jaas, "holds %d login modules; the first is used (Kafka's tools want exactly one)", n)
	}
	others := 0
	for name := range l.modules[0].options {
		switch name {
		case "username", "password", "tokenauth":
		default:
			others++
		}
	}
	if others > 0 {
		s.noteKey(jaas, "has %s besides username, password and tokenauth, not used", plural(others, "option"))
	}
}

func plural(n int, word string) string {
	if n == 1 {
		return "one " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
