package config

import (
	"bytes"
	"errors"
	"strings"
)

// signInPassword fills in user and password.
func (s *settings) signInPassword(c *Connection, l login) error {
	user, password, at, err := s.credentials(c, l)
	if err != nil {
		return err
	}
	defer func() { clear(password) }()
	userAt, passwordAt := at, at
	if s.has(ownUser) {
		user, userAt = s.values[ownUser].value, ownUser
	}
	if s.has(ownPassword) {
		clear(password)
		password, passwordAt = bytes.Clone(s.values[ownPassword].value), ownPassword
	}
	if len(user) == 0 {
		return s.failKey(userAt, "gives no user name")
	}
	c.User = string(user)
	if s.prompt {
		c.Prompt = "password of " + c.User
		if bytes.IndexByte(user, 0) >= 0 {
			return s.failKey(userAt, "holds a NUL character in the user name")
		}
		return nil
	}
	if passwordAt == ownPassword && !s.has(ownPassword) {
		return s.failKey(userAt, "has no password: password_prompt, password_file or password_command say where it comes from")
	}
	if problem := passwordProblem(c, password); problem != "" {
		return s.failKey(passwordAt, "%s", problem)
	}
	c.Password = newSecret(password)
	return nil
}

// passwordProblem says what a mechanism cannot carry, "" when it can.
func passwordProblem(c *Connection, password []byte) string {
	nul := strings.IndexByte(c.User, 0) >= 0 || bytes.IndexByte(password, 0) >= 0
	switch {
	case len(password) == 0:
		return "gives no password, or an empty one, which no broker accepts with " + c.Mechanism
	case nul && c.Mechanism == "PLAIN":
		return "holds a NUL character in the user name or password, which PLAIN cannot carry"
	}
	return ""
}

// SetPassword takes the answer to Prompt. The error says what is wrong with
// it, without it; the Connection is as before then. The caller overwrites
// password.
func (c *Connection) SetPassword(password []byte) error {
	if problem := passwordProblem(c, password); problem != "" {
		return errors.New("the answer " + problem)
	}
	if c.OAuth != nil {
		c.OAuth.ClientSecret = newSecret(password)
	} else {
		c.Password = newSecret(password)
	}
	c.Prompt = ""
	return nil
}

// credentials finds user and password in sasl.jaas.config, or in librdkafka's
// two keys, and the key to blame for what is wrong with them. The password
// must be wiped.
func (s *settings) credentials(c *Connection, l login) (user, password []byte, at string, err error) {
	plainKeys := s.has("sasl.username") || s.has("sasl.password")
	if plainKeys && s.has(jaasKey) {
		return nil, nil, "", s.failKey("sasl.username", "or sasl.password stands beside sasl.jaas.config: keep one of the two ways")
	}
	if plainKeys {
		at = "sasl.username"
		if !s.has(at) {
			at = "sasl.password"
		}
		s.noteForeign(at, "is librdkafka's way to sign in and is accepted; values follow the rules of Java properties (a backslash is written twice)")
		return s.values["sasl.username"].value, bytes.Clone(s.values["sasl.password"].value), at, nil
	}
	if !s.has(jaasKey) {
		if s.has(ownUser) {
			return nil, nil, ownPassword, nil
		}
		return nil, nil, "", s.failMissingLogin()
	}
	s.noteLogin(l, "username", "password", "tokenauth")
	m := l.module()
	c.TokenAuth = m.class == scramModule && strings.EqualFold(string(m.option("tokenauth")), "true")
	return m.option("username"), bytes.Clone(m.option("password")), jaasKey, nil
}
