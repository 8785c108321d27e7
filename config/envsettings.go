package config

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// setting is one of Kafka's settings. A password may come from elsewhere.
type setting struct {
	key string
	place
	value *Secret // many are none, but an Environment must be safe to print
	from  source
}

// readSettings takes keys of client.properties. Values are those that the
// properties format would give, without its escapes.
func (e *Environment) readSettings(n ast.Node) error {
	m, ok := n.(ast.MapNode)
	if !ok {
		return e.file.fail(lineOf(n), "settings must be a mapping with keys of client.properties")
	}
	for it := m.MapRange(); it.Next(); {
		line := lineOf(it.Key())
		name, ok := it.Key().(*ast.StringNode)
		if !ok {
			return e.file.fail(line, "settings has a key that is no text")
		}
		s := setting{key: name.Value, place: place{e.file.path, line}}
		switch ruleOf(s.key).treatment {
		case unknownKey:
			if showable(s.key) {
				return e.file.fail(line, "settings has an %s", describeUnknown(property{key: s.key}))
			}
			return e.file.fail(line, "settings has a key that dtok does not know (not shown: it can be a piece of a value)")
		case brokerKey:
			return e.file.fail(line, "%s belongs to a broker's own file", s.key)
		}
		if s.key == "bootstrap.servers" || s.key == "metadata.broker.list" {
			return e.file.fail(line, "%s stands outside settings, as bootstrap", s.key)
		}
		if err := e.readSetting(&s, it.Value()); err != nil {
			return err
		}
		e.settings = append(e.settings, s)
	}
	return nil
}

// readSetting takes a text, a number or a flag as it is written, and for a
// password also the file or the command that gives it.
func (e *Environment) readSetting(s *setting, n ast.Node) error {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		if !isSecretKey(s.key) {
			s.value = newSecret([]byte(n.GetToken().Value))
			return nil
		}
	case ast.MapNode:
		if isSecretKey(s.key) {
			known := s.from.fields(e.file, "")
			if _, err := e.file.mapping(n, s.key, known); err != nil {
				return err
			}
			if s.from.key == "" {
				return e.file.fail(lineOf(n), "%s needs one of the keys %s", s.key, names(known))
			}
			return nil
		}
	}
	var text string
	if err := e.file.text(s.key, &text)(n); err != nil {
		return err
	}
	if isPathKey(s.key) && text != "" {
		text = e.file.resolve(text)
	}
	s.value = newSecret([]byte(text))
	return nil
}

func isPathKey(key string) bool {
	return strings.HasPrefix(key, "ssl.") && strings.HasSuffix(key, ".location") || key == "sasl.kerberos.keytab"
}

// isSecretKey reports whether a setting's value is a password by itself.
func isSecretKey(key string) bool {
	return slices.Contains([]string{"sasl.password", "ssl.key.password", "ssl.keystore.password", "ssl.truststore.password",
		clientSecret, "sasl.oauthbearer.client.secret"}, key)
}
