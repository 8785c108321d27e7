package kerberos

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/jcmturner/gokrb5/v8/config"
)

// DefaultConfig is where krb5.conf is: KRB5_CONFIG, of which the first of
// several files counts, or /etc/krb5.conf.
func DefaultConfig(getenv func(string) string) string {
	first, _, _ := strings.Cut(getenv("KRB5_CONFIG"), ":")
	if first != "" {
		return first
	}
	return "/etc/krb5.conf"
}

// maxDepth and maxConfig bound what include lines can pull in.
const (
	maxDepth  = 10
	maxConfig = 1 << 20
)

// readConfig reads krb5.conf with the files that it includes. gokrb5 refuses
// sections with an include in them, and passes over the others, while
// distributions keep half of the settings in /etc/krb5.conf.d.
func readConfig(path string) (*config.Config, error) {
	var whole strings.Builder
	if err := include(&whole, path, 0); err != nil {
		return nil, err
	}
	conf, err := config.NewFromString(whole.String())
	var partly config.UnsupportedDirective
	if err != nil && (!errors.As(err, &partly) || conf == nil) {
		return nil, &Error{problem: path + " cannot be understood", hint: "Its form is that of krb5.conf(5): sections in brackets, NAME = VALUE in them.", cause: err}
	}
	return conf, nil
}

func include(into *strings.Builder, path string, depth int) error {
	text, err := os.ReadFile(path) //nolint:gosec // the user's own settings name it
	if err != nil {
		return &Error{problem: "the Kerberos settings " + path + " cannot be read: " + cause(err), hint: "KRB5_CONFIG or the environment's own settings say where krb5.conf is."}
	}
	if depth > maxDepth || into.Len()+len(text) > maxConfig {
		return &Error{problem: "the Kerberos settings include too much, or each other: " + path}
	}
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "include":
			if err := include(into, rest, depth+1); err != nil {
				return err
			}
		case "includedir":
			if err := includeDir(into, rest, depth+1); err != nil {
				return err
			}
		case "module": // a plug-in of MIT Kerberos
		default:
			into.WriteString(line)
		}
	}
	into.WriteString("\n")
	return nil
}

// included are the names that count in an included folder (krb5.conf(5)).
var included = regexp.MustCompile(`^[A-Za-z0-9_-]+$|^[^.].*\.conf$`)

func includeDir(into *strings.Builder, dir string, depth int) error {
	entries, err := os.ReadDir(dir) // in the order of their names
	if err != nil {
		return &Error{problem: "the Kerberos settings include the folder " + dir + ", which cannot be read: " + cause(err)}
	}
	for _, e := range entries {
		if e.IsDir() || !included.MatchString(e.Name()) {
			continue
		}
		if err := include(into, filepath.Join(dir, e.Name()), depth); err != nil {
			return err
		}
	}
	return nil
}

// cause is an error of the file system without the path around it.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
