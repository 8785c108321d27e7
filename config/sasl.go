package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The login modules that dtok knows by name, one for each kind of mechanism.
const (
	plainModule    = "org.apache.kafka.common.security.plain.PlainLoginModule"
	scramModule    = "org.apache.kafka.common.security.scram.ScramLoginModule"
	oauthModule    = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
	kerberosModule = "com.sun.security.auth.module.Krb5LoginModule"
)

const jaasKey = "sasl.jaas.config"

// moduleOf is the login module that a mechanism needs, "" for a mechanism that
// dtok does not speak.
func moduleOf(mechanism string) string {
	switch mechanism {
	case "PLAIN":
		return plainModule
	case "SCRAM-SHA-256", "SCRAM-SHA-512":
		return scramModule
	case "OAUTHBEARER":
		return oauthModule
	case "GSSAPI":
		return kerberosModule
	}
	return ""
}

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

// module is the one that counts; one without a class when there is none.
func (l login) module() loginModule {
	if len(l.modules) == 0 {
		return loginModule{}
	}
	return l.modules[0]
}

// readLogin parses sasl.jaas.config, which is judged whatever the protocol is,
// and refuses the mechanism that dtok does not speak before anything else of
// the file is looked at.
func (s *settings) readLogin() (login, error) {
	const insteadIAM = "is AWS_MSK_IAM, which dtok does not speak: use a SASL/SCRAM user of the cluster, or a client certificate"
	if strings.EqualFold(s.text("sasl.mechanism"), "AWS_MSK_IAM") {
		return login{}, s.failKey("sasl.mechanism", insteadIAM)
	}
	if !s.has(jaasKey) {
		return login{}, nil
	}
	modules, err := parseJAAS(s.values[jaasKey].value)
	if err != nil {
		if hasPlaceholder(s.values[jaasKey].value) {
			err = errors.New(placeholderProblem)
		}
		return login{}, s.failKey(jaasKey, "%v", err)
	}
	l := login{modules}
	if shortName(modules[0].class) == "IAMLoginModule" {
		l.wipe()
		return login{}, s.failKey(jaasKey, "names IAMLoginModule, so the mechanism "+insteadIAM)
	}
	for name, value := range modules[0].options {
		if name == "password" && s.has(ownPassword) {
			continue
		}
		if hasPlaceholder(value) {
			l.wipe()
			return login{}, s.failKey(jaasKey, "%s", placeholderProblem)
		}
	}
	return l, nil
}

func shortName(class string) string { return class[strings.LastIndexByte(class, '.')+1:] }

// signIn fills in the mechanism and what it needs.
func (s *settings) signIn(c *Connection, l login) error {
	if err := s.signInMechanism(c, l); err != nil {
		return err
	}
	if len(l.modules) > 0 {
		if err := s.checkModule(c, l.module()); err != nil {
			return err
		}
	}
	switch c.Mechanism {
	case "OAUTHBEARER":
		return s.signInOAuth(c, l)
	case "GSSAPI":
		return s.signInKerberos(c, l)
	}
	return s.signInPassword(c, l)
}

// signInMechanism reads sasl.mechanism. Without it Kafka's is GSSAPI, which is
// meant when the login module is the one for it.
func (s *settings) signInMechanism(c *Connection, l login) error {
	c.Mechanism = s.text("sasl.mechanism")
	if c.Mechanism == "" && l.module().class == kerberosModule && !s.has("sasl.mechanism") {
		c.Mechanism = "GSSAPI"
		s.noteKey(jaasKey, "is for GSSAPI (Kerberos), which is Kafka's default, because sasl.mechanism is missing")
	}
	if c.Mechanism == "" {
		return s.failMissingMechanism(l)
	}
	if moduleOf(c.Mechanism) == "" {
		if upper := strings.ToUpper(c.Mechanism); moduleOf(upper) != "" {
			return s.failKey("sasl.mechanism", "must be written in capitals: %s", upper)
		}
		return s.failKey("sasl.mechanism", "must be PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER or GSSAPI, which are what dtok speaks")
	}
	return nil
}

// failMissingMechanism explains the surprise that Kafka's default is Kerberos.
func (s *settings) failMissingMechanism(l login) error {
	missing, at := "sasl.mechanism is missing", s.values[jaasKey].place
	if s.has("sasl.mechanism") {
		missing, at = "is empty", s.values["sasl.mechanism"].place
	}
	add := "PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512"
	switch l.module().class {
	case plainModule:
		add = "PLAIN"
	case scramModule:
		add = "SCRAM-SHA-256 or SCRAM-SHA-512"
	case oauthModule:
		add = "OAUTHBEARER"
	case kerberosModule:
		add = "GSSAPI"
	}
	err := s.failKey("sasl.mechanism", "%s, and Kafka's default is GSSAPI (Kerberos): set it to %s", missing, add)
	var e *Error
	if errors.As(err, &e) {
		e.Line = at.line
		if at.file != "" {
			e.File = at.file
		}
		e.Problem = strings.Replace(e.Problem, "sasl.mechanism sasl.mechanism", "sasl.mechanism", 1)
	}
	return err
}

func (s *settings) failMissingLogin() error {
	return s.failKey(jaasKey, "is missing: Kafka would take the login from a JAAS file of the JVM, which dtok has not")
}

// checkModule holds the login module against the mechanism. Only names of
// modules that are known are shown.
func (s *settings) checkModule(c *Connection, m loginModule) error {
	wants := moduleOf(c.Mechanism)
	known := []string{plainModule, scramModule, oauthModule, kerberosModule}
	switch {
	case m.class != wants && slices.Contains(known, m.class):
		return s.failKey(jaasKey, "names %s, but sasl.mechanism is %s, which needs %s", shortName(m.class), c.Mechanism, shortName(wants))
	case m.class != wants:
		return s.failKey(jaasKey, "names a login module that dtok does not know; %s needs %s", c.Mechanism, wants)
	case m.class == plainModule && m.option("tokenauth") != nil:
		return s.failKey(jaasKey, "has tokenauth, which only SCRAM can carry: use ScramLoginModule with SCRAM-SHA-256 or SCRAM-SHA-512")
	}
	return nil
}

// noteLogin tells what of the value is not used, without names that could be
// pieces of a password. A used name that ends in * stands for all that begin so.
func (s *settings) noteLogin(l login, used ...string) {
	if n := len(l.modules); n > 1 {
		s.noteKey(jaasKey, "holds %d login modules; the first is used (Kafka's tools want exactly one)", n)
	}
	others := 0
	for name := range l.module().options {
		known := func(u string) bool {
			prefix, all := strings.CutSuffix(u, "*")
			return name == u || (all && strings.HasPrefix(name, prefix))
		}
		if !slices.ContainsFunc(used, known) {
			others++
		}
	}
	if others > 0 {
		s.noteKey(jaasKey, "has %s that %s does not use", plural(others, "option"), shortName(l.module().class))
	}
}

func plural(n int, word string) string {
	if n == 1 {
		return "one " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
