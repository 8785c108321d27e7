package config

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// yamlFile walks the tree of a YAML file. The walk is ours and not the
// module's decoder because of three things that a file with passwords needs:
// no message may quote the file, every fault has its line, also one found
// later, and no value is bent into another type (012 is no text).
type yamlFile struct{ path string }

// fields are the keys that a mapping may have, with what reads each value.
type fields map[string]func(ast.Node) error

func (y yamlFile) fail(line int, format string, args ...any) error {
	return (&settings{file: y.path}).fail(place{line: line}, format, args...)
}

// because is fail with a cause, whose text follows.
func (y yamlFile) because(line int, cause error, what string) error {
	return &Error{File: y.path, Line: line, Problem: what + ": " + cause.Error(), cause: cause}
}

func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

// parse returns the one document of the file, nil when it is empty.
func (y yamlFile) parse(data []byte) (ast.Node, error) {
	if !utf8.Valid(data) || strings.IndexByte(string(data), 0) >= 0 {
		return nil, y.fail(0, "is not a text file in UTF-8")
	}
	// YAML allows a byte order mark, as some editors write one; the parser takes
	// it for a part of the first key.
	tree, err := parser.ParseBytes(bytes.TrimPrefix(data, []byte("\ufeff")), 0)
	if err != nil {
		return nil, y.explain(err)
	}
	var body ast.Node
	for _, d := range tree.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			return nil, y.fail(lineOf(d.Body), "a second YAML document begins here; there may be one")
		}
		body = d.Body
	}
	return body, nil
}

// explain puts the parser's fault into words that quote nothing.
func (y yamlFile) explain(err error) error {
	const quotes = "this is no valid YAML; a value with special characters (: # @ % & * ! ` { [ or quotes) must stand in 'single quotes'"
	var e yaml.Error
	if !errors.As(err, &e) || e.GetToken() == nil || e.GetToken().Position == nil {
		return y.fail(0, "is no valid YAML")
	}
	line, message := e.GetToken().Position.Line, e.GetMessage()
	switch {
	case strings.Contains(message, "already defined"):
		name := e.GetToken().Value
		if !slices.Contains(allFields(), name) && ruleOf(name).treatment == unknownKey {
			return y.fail(line, "the key stands twice in one place")
		}
		return y.fail(line, "%s stands twice in one place", name)
	case strings.Contains(message, "\t"), strings.Contains(message, "tab character"):
		return y.fail(line, "the line begins with a tab; YAML is indented with spaces")
	case strings.Contains(message, "could not find end character"):
		return y.fail(line, "a quote is opened here and not closed")
	}
	return y.fail(line, "%s", quotes)
}

// mapping reads a mapping with known keys and tells the line of each.
func (y yamlFile) mapping(n ast.Node, what string, known fields) (map[string]int, error) {
	m, ok := n.(ast.MapNode)
	if !ok {
		return nil, y.fail(lineOf(n), "%s must be a mapping with the keys %s", what, names(known))
	}
	lines := map[string]int{}
	for it := m.MapRange(); it.Next(); {
		key, line := it.Key(), lineOf(it.Key())
		name, ok := key.(*ast.StringNode)
		if !ok {
			return nil, y.fail(line, "%s has a key that is no text (aliases and merges, << and *, are not supported)", what)
		}
		read := known[name.Value]
		if read == nil {
			return nil, y.fail(line, "%s", unknownField(what, name.Value, known))
		}
		if err := read(it.Value()); err != nil {
			return nil, err
		}
		lines[name.Value] = line
	}
	return lines, nil
}

// allFields are the keys of all mappings.
func allFields() []string {
	var y yamlFile
	var e Environment
	var out []string
	for _, f := range []fields{new(File).fields(y), e.fields(y), e.auditFields(y), e.timeFields(y), e.password.fields(y, "")} {
		out = slices.AppendSeq(out, maps.Keys(f))
	}
	return out
}

func names(known fields) string { return strings.Join(slices.Sorted(maps.Keys(known)), ", ") }

// unknownField names a key only where it resembles one: a password that was
// broken over lines can stand where a key should be.
func unknownField(what, name string, known fields) string {
	if near := closest(slices.Sorted(maps.Keys(known)), strings.ToLower(name), 2); near != "" {
		return what + " has no key " + name + ", did you mean " + near + "?"
	}
	if known["bootstrap"] != nil {
		switch {
		case slices.Contains([]string{"bootstrap.servers", "bootstrap_servers", "bootstrap-server", "brokers", "servers"}, name):
			return what + " has no key " + name + ", did you mean bootstrap?"
		case ruleOf(name).treatment != unknownKey:
			return name + " is a setting of Kafka's clients: put it under settings"
		}
	}
	return what + " has no such key; there are " + names(known)
}

// text reads a text; numbers and the like want quotes.
func (y yamlFile) text(key string, into *string) func(ast.Node) error {
	return func(n ast.Node) error {
		switch n := n.(type) {
		case *ast.StringNode:
			*into = n.Value
			return nil
		case *ast.LiteralNode:
			*into = n.Value.Value
			return nil
		}
		return y.noText(key, n)
	}
}

func (y yamlFile) noText(key string, n ast.Node) error {
	switch n.(type) {
	case *ast.NullNode:
		return y.fail(lineOf(n), "%s has no value", key)
	case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
		return y.fail(lineOf(n), "%s begins with *, & or !, which mean something in YAML: put the value in 'single quotes'", key)
	case ast.ScalarNode:
		return y.fail(lineOf(n), "%s must be text: put the value in 'single quotes'", key)
	}
	return y.fail(lineOf(n), "%s must be text", key)
}

// word reads a text that may not be empty.
func (y yamlFile) word(key string, into *string) func(ast.Node) error {
	read := y.text(key, into)
	return func(n ast.Node) error {
		if err := read(n); err != nil {
			return err
		}
		if strings.TrimSpace(*into) == "" {
			return y.fail(lineOf(n), "%s is empty", key)
		}
		return nil
	}
}

func (y yamlFile) flag(key string, into *bool) func(ast.Node) error {
	return func(n ast.Node) error {
		b, ok := n.(*ast.BoolNode)
		if !ok {
			return y.fail(lineOf(n), "%s must be true or false", key)
		}
		*into = b.Value
		return nil
	}
}

// words reads a list of texts.
func (y yamlFile) words(key string, into *[]string) func(ast.Node) error {
	return func(n ast.Node) error {
		list, ok := n.(*ast.SequenceNode)
		if !ok || len(list.Values) == 0 {
			return y.fail(lineOf(n), "%s must be a list of texts, as in [one, two]", key)
		}
		for _, item := range list.Values {
			var word string
			if err := y.text("an entry of "+key, &word)(item); err != nil {
				return err
			}
			*into = append(*into, word)
		}
		return nil
	}
}

// period reads a time such as 10s or 1m30s.
func (y yamlFile) period(key string, into *time.Duration) func(ast.Node) error {
	return func(n ast.Node) error {
		var text string
		if s, ok := n.(*ast.StringNode); ok {
			text = s.Value
		}
		d, err := time.ParseDuration(text)
		if err != nil || d < time.Millisecond || d > time.Hour {
			return y.fail(lineOf(n), "%s must be a time from 1ms to 1h with its unit, as in 10s or 1m30s", key)
		}
		*into = d
		return nil
	}
}
