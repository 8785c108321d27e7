package config

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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
	// Environments are in the order of the file, each name once; there is at
	// least one.
	Environments []*Environment
	// Notes are what should be known of the file as a whole.
	Notes []string
}

// Environment is a cluster and how to deal with it.
type Environment struct {
	// Name is unique and printable.
	Name string
	// Bootstrap is a list for Addresses; "" when only the properties file says.
	Bootstrap string
	// Color is as given; red when the name speaks of production and none is.
	Color Color
	// ReadOnly is why no change may be made, "" when changes may.
	ReadOnly string
	// AuditReads asks for a record of what is read, too.
	AuditReads bool
	// AuditFile is where the trail is kept; "" is dtok's default.
	AuditFile string
	// ChangeTimeout is 0 when not set; the other times are in the Connection.
	ChangeTimeout time.Duration

	file       yamlFile
	lines      map[string]int // of the keys
	properties string         // path, absolute
	settings   []setting
	user       string
	password   source
	connect    time.Duration
	read       time.Duration
	asking     time.Duration // how long a command may take to give a password
}

// setting is one of Kafka's settings. A password may come from elsewhere.
type setting struct {
	key string
	place
	value *Secret // many are none, but an Environment must be safe to print
	from  source
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
	f.noteMode(mode)
	return f, nil
}

func (f *File) fields(y yamlFile) fields {
	return fields{
		"default": y.word("default", &f.Default),
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

func readEnvironment(y yamlFile, n ast.Node) (*Environment, error) {
	e := &Environment{file: y, Color: NoColor}
	var err error
	if e.lines, err = y.mapping(n, "an environment", e.fields(y)); err != nil {
		return nil, err
	}
	start := lineOf(n)
	for _, line := range e.lines {
		start = min(start, line)
	}
	switch {
	case e.Name == "":
		return nil, y.fail(start, "the environment that begins here has no name")
	case !printable(e.Name):
		return nil, y.fail(e.lines["name"], "name may have up to 64 printable characters")
	case e.Bootstrap == "" && e.properties == "":
		return nil, y.fail(start, "the environment %q needs bootstrap, or properties that name the brokers", e.Name)
	}
	if e.lines["color"] == 0 {
		e.Color = defaultColor(e.Name)
	}
	return e, nil
}

func printable(name string) bool {
	bad := func(r rune) bool { return !unicode.IsPrint(r) }
	return utf8.RuneCountInString(name) <= 64 && !strings.ContainsFunc(name, bad)
}

func (e *Environment) fields(y yamlFile) fields {
	out := fields{
		"name":       y.word("name", &e.Name),
		"bootstrap":  e.readBootstrap,
		"properties": y.location("properties", &e.properties),
		"settings":   e.readSettings,
		"user":       y.word("user", &e.user),
		"color":      y.color("color", &e.Color),
		"read_only":  y.word("read_only", &e.ReadOnly),
		"audit": func(n ast.Node) error {
			_, err := y.mapping(n, "audit", e.auditFields(y))
			return err
		},
		"timeouts": func(n ast.Node) error {
			_, err := y.mapping(n, "timeouts", e.timeFields(y))
			return err
		},
	}
	maps.Copy(out, e.password.fields(y, "password"))
	return out
}

func (e *Environment) auditFields(y yamlFile) fields {
	return fields{"reads": y.flag("reads", &e.AuditReads), "file": y.location("file", &e.AuditFile)}
}

func (e *Environment) timeFields(y yamlFile) fields {
	return fields{
		"connect":  y.period("connect", &e.connect),
		"read":     y.period("read", &e.read),
		"change":   y.period("change", &e.ChangeTimeout),
		"password": y.period("password", &e.asking),
	}
}

// readBootstrap takes Kafka's list with commas or a YAML list.
func (e *Environment) readBootstrap(n ast.Node) error {
	var all []string
	if _, ok := n.(*ast.SequenceNode); ok {
		if err := e.file.words("bootstrap", &all)(n); err != nil {
			return err
		}
		e.Bootstrap = strings.Join(all, ",")
	} else if err := e.file.word("bootstrap", &e.Bootstrap)(n); err != nil {
		return err
	}
	if _, err := Addresses(e.Bootstrap); err != nil {
		return e.file.fail(lineOf(n), "%v", err)
	}
	return nil
}

// location reads the path of a file. A relative one starts at the folder of the
// config file, which is used from everywhere.
func (y yamlFile) location(key string, into *string) func(ast.Node) error {
	read := y.word(key, into)
	return func(n ast.Node) error {
		if err := read(n); err != nil {
			return err
		}
		*into = y.resolve(*into)
		return nil
	}
}

func (y yamlFile) resolve(path string) string {
	path = expandHome(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(y.path), path)
}

// readSettings takes keys of client.properties. Values are those that the
// properties format would give, without its escapes.
func (e *Environment) readSettings(n ast.Node) error {
	m, ok := n.(ast.MapNode)
	if !ok {
		return e.file.fail(lineOf(n), "settings must be a mapping with keys of client.properties")
	}
	table := knownKeys()
	for it := m.MapRange(); it.Next(); {
		line := lineOf(it.Key())
		name, ok := it.Key().(*ast.StringNode)
		if !ok {
			return e.file.fail(line, "settings has a key that is no text")
		}
		s := setting{key: name.Value, place: place{e.file.path, line}}
		switch ruleOf(table, s.key).treatment {
		case unknownKey:
			if showable(table, s.key) {
				return e.file.fail(line, "settings has an %s", (&settings{table: table}).describeUnknown(property{key: s.key}))
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
