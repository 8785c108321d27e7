package config

import (
	"bytes"
	"context"
	"maps"
	"strings"
)

// Connection reads the properties file and gets the passwords that the
// environment names; a command among them is run, until ctx ends at the
// latest. The environment's own settings go before those of the properties
// file. Every error is an *Error.
func (e *Environment) Connection(ctx context.Context) (*Connection, error) {
	s := &settings{file: e.file.path, values: map[string]property{}}
	if e.properties != "" {
		var err error
		if s, err = readSettings(e.properties); err != nil {
			return nil, e.file.because(e.lines["properties"], err, "properties")
		}
	}
	defer s.wipe()
	if err := e.override(ctx, s); err != nil {
		return nil, err
	}
	if err := e.signIn(ctx, s); err != nil {
		return nil, err
	}
	c, err := s.connection()
	if err != nil {
		return nil, err
	}
	if c.Prompt != "" {
		c.Prompt += " at " + e.Name
	}
	if e.connect > 0 {
		c.ConnectTimeout = e.connect
	}
	if e.read > 0 {
		c.RequestTimeout = e.read
	}
	c.ChangeTimeout = e.ChangeTimeout
	return c, nil
}

// override puts the environment's own settings over those of the file.
func (e *Environment) override(ctx context.Context, s *settings) error {
	var own []property
	if e.Bootstrap != "" {
		own = append(own, property{"bootstrap.servers", []byte(e.Bootstrap), place{e.file.path, e.lines["bootstrap"]}, true})
	}
	for _, item := range e.settings {
		p := property{key: item.key, place: item.place, yaml: true}
		if item.from.key != "" {
			var err error
			if p.value, err = item.from.get(ctx, e); err != nil {
				wipeProperties(own)
				return err
			}
		} else {
			item.value.Use(func(b []byte) { p.value = bytes.Clone(b) })
		}
		own = append(own, p)
	}
	above, err := sortSettings(e.file.path, own)
	if err != nil {
		wipeProperties(own)
		return err
	}
	maps.Copy(s.values, above.values)
	s.notes = append(s.notes, above.notes...)
	s.props = append(s.props, own...)
	return nil
}

// signIn adds user and password. A password that the mechanism does not use is
// not fetched.
func (e *Environment) signIn(ctx context.Context, s *settings) error {
	if e.user == "" && e.password.key == "" {
		return nil
	}
	sasl := strings.HasPrefix(strings.ToUpper(s.text("security.protocol")), "SASL_")
	if !sasl || s.text("sasl.mechanism") == "GSSAPI" {
		s.note(place{e.file.path, e.signInLine()}, "%s signs in without user and password, so those of the environment are not used", e.Name)
		return nil
	}
	if e.user != "" {
		s.values[ownUser] = property{"user", []byte(e.user), place{e.file.path, e.lines["user"]}, true}
	}
	from := e.password
	if from.key == "" {
		return nil
	}
	at := place{e.file.path, from.line}
	if s.prompt = from.prompt; s.prompt {
		s.values[ownPassword] = property{key: from.key, place: at, yaml: true}
		return nil
	}
	password, err := from.get(ctx, e)
	if err != nil {
		return err
	}
	s.values[ownPassword] = property{from.key, password, at, true}
	return nil
}

func (e *Environment) signInLine() int {
	if e.user != "" {
		return e.lines["user"]
	}
	return e.password.line
}
