package config

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// File is dtok's own configuration: the clusters it knows, as environments.
// dtok never writes to it.
type File struct {
	// Path is where it was read.
	Path string
	// Default is the environment to open when none is named, "" when the file
	// does not say.
	Default string
	// Accessible asks for screens for a screen reader.
	Accessible bool
	// Environments are in the order of the file, each name once; there is at
	// least one.
	Environments []*Environment
	// Notes are what should be known of the file as a whole.
	Notes []string
}

// Load reads a config file strictly: unknown keys, keys that stand twice and
// wrong types are an *Error with a line. What an environment refers to is not
// looked at before its Connection.
func Load(path string) (*File, error) {
	path = expandHome(path)
	data, mode, err := readFile(path)
	if err != nil {
		return nil, err
	}
	defer clear(data)
	f, err := load(path, data)
	if err != nil {
		return nil, err
	}
	f.noteMode(mode)
	return f, nil
}

// load reads the content of a config file; path is for messages, and where
// relative paths start.
func load(path string, data []byte) (*File, error) {
	f := &File{Path: path}
	y := yamlFile{path}
	root, err := y.parse(data)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return nil, y.fail(0, "is empty: it needs environments")
	}
	lines, err := y.mapping(root, "the file", f.fields(y))
	if err != nil {
		return nil, err
	}
	if len(f.Environments) == 0 {
		return nil, y.fail(0, "has no environments")
	}
	if f.Default != "" && f.find(f.Default) == nil {
		return nil, y.fail(lines["default"], "default names no environment of the file%s", f.hint(f.Default))
	}
	return f, nil
}

func (f *File) fields(y yamlFile) fields {
	return fields{
		"default":    y.word("default", &f.Default),
		"accessible": y.flag("accessible", &f.Accessible),
		"environments": func(n ast.Node) error {
			list, ok := n.(*ast.SequenceNode)
			if !ok {
				return y.fail(lineOf(n), "environments must be a list: each begins with \"- name:\"")
			}
			for _, item := range list.Values {
				e, err := readEnvironment(y, item)
				if err != nil {
					return err
				}
				if old := f.find(e.Name); old != nil {
					return y.fail(e.lines["name"], "the environment %q stands on line %d as well", e.Name, old.lines["name"])
				}
				f.Environments = append(f.Environments, e)
			}
			return nil
		},
	}
}

// noteMode warns of passwords that others can read.
func (f *File) noteMode(mode fs.FileMode) {
	held := func(e *Environment) bool {
		inline := func(s setting) bool { return (isSecretKey(s.key) || s.key == jaasKey) && s.from.key == "" }
		return e.password.inline != nil || slices.ContainsFunc(e.settings, inline)
	}
	if readableByOthers(mode) && slices.ContainsFunc(f.Environments, held) {
		s := &settings{file: f.Path}
		s.note(place{}, "holds a password and can be read by others (mode %04o): chmod 600 it", mode.Perm())
		f.Notes = append(f.Notes, s.notes...)
	}
}

// Environment finds an environment by its name; "" is the default one, or the
// only one. The error names those that there are.
func (f *File) Environment(name string) (*Environment, error) {
	if name == "" {
		name = f.Default
	}
	if name == "" && len(f.Environments) == 1 {
		return f.Environments[0], nil
	}
	if name == "" {
		return nil, &Error{File: f.Path, Problem: "has several environments and no default: name one of " + strings.Join(f.names(), ", ")}
	}
	if e := f.find(name); e != nil {
		return e, nil
	}
	return nil, &Error{File: f.Path, Problem: "has no environment of that name" + f.hint(name)}
}

func (f *File) find(name string) *Environment {
	for _, e := range f.Environments {
		if e.Name == name {
			return e
		}
	}
	return nil
}

func (f *File) names() []string {
	var out []string
	for _, e := range f.Environments {
		out = append(out, e.Name)
	}
	return out
}

func (f *File) hint(name string) string {
	if near := closest(f.names(), name, 2); near != "" {
		return ", did you mean " + near + "?"
	}
	return "; there are " + strings.Join(f.names(), ", ")
}
