package config

import (
	"maps"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
)

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
	// ClipboardClear is how long a copied HMAC may stay on the clipboard; 0 is
	// until somebody takes it off.
	ClipboardClear time.Duration
	// ChangeTimeout is 0 when not set; the other times are in the Connection.
	ChangeTimeout time.Duration
	// Ran is told of each command that was run for a password; nobody when nil.
	Ran func(CommandRun)

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
	return utf8.RuneCountInString(name) <= 64 && printableText(name)
}

func printableText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

func (e *Environment) fields(y yamlFile) fields {
	out := fields{
		"name":            y.word("name", &e.Name),
		"bootstrap":       e.readBootstrap,
		"properties":      y.location("properties", &e.properties),
		"settings":        e.readSettings,
		"user":            y.word("user", &e.user),
		"color":           y.color("color", &e.Color),
		"read_only":       y.word("read_only", &e.ReadOnly),
		"clipboard_clear": y.period("clipboard_clear", &e.ClipboardClear),
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
