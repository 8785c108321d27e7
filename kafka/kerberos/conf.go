package kerberos

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jcmturner/gokrb5/v8/config"
)

// maxDepth and maxConfig bound what include lines can pull in.
const (
	maxDepth  = 10
	maxConfig = 1 << 20
)

// readConfig reads krb5.conf with the files that it includes, which gokrb5 does
// not, while distributions keep half of the settings in /etc/krb5.conf.d.
func readConfig(path string) (*config.Config, error) {
	p := profile{sections: map[string]*strings.Builder{}, set: map[string]bool{}}
	if err := p.include(path, 0); err != nil {
		return nil, err
	}
	conf, err := config.NewFromString(p.String())
	var partly config.UnsupportedDirective
	if err != nil && (!errors.As(err, &partly) || conf == nil) {
		return nil, &Error{problem: path + " cannot be understood", hint: "Its form is that of krb5.conf(5): sections in brackets, NAME = VALUE in them.", cause: err}
	}
	return conf, nil
}

// profile is krb5.conf put together from its files. A section may stand in
// several of them, and counts as one.
type profile struct {
	sections map[string]*strings.Builder
	size     int
	// set are the names in libdefaults: the first value counts, while gokrb5
	// takes the last.
	set map[string]bool
}

// String is the whole as one file.
func (p *profile) String() string {
	var whole strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.sections)) {
		whole.WriteString(name + "\n" + p.sections[name].String())
	}
	return whole.String()
}

func (p *profile) include(path string, depth int) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return &Error{problem: "the Kerberos settings " + path + " cannot be read: " + cause(err), hint: "Check the path and the rights of the file."}
	}
	if p.size += len(text); depth > maxDepth || p.size > maxConfig {
		return &Error{problem: "the Kerberos settings include too much, or each other: " + path}
	}
	section := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		switch {
		case word == "include":
			err = p.include(rest, depth+1)
		case word == "includedir":
			err = p.includeDir(rest, depth+1)
		case strings.HasPrefix(line, "["):
			section = line
			if p.sections[section] == nil {
				p.sections[section] = &strings.Builder{}
			}
		case section != "" && !p.repeats(section, line):
			p.sections[section].WriteString(line + "\n")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *profile) repeats(section, line string) bool {
	name, _, isValue := strings.Cut(line, "=")
	if !strings.HasPrefix(section, "[libdefaults]") || !isValue {
		return false
	}
	name = strings.TrimSpace(name)
	was := p.set[name]
	p.set[name] = true
	return was
}

// included reports whether a file's name counts in an included folder
// (krb5.conf(5)).
func included(name string) bool {
	odd := strings.ContainsFunc(name, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '_' && r != '-'
	})
	return name != "" && !odd || strings.HasSuffix(name, ".conf") && !strings.HasPrefix(name, ".")
}

func (p *profile) includeDir(dir string, depth int) error {
	entries, err := os.ReadDir(dir) // in the order of their names
	if err != nil {
		return &Error{problem: "the Kerberos settings include the folder " + dir + ", which cannot be read: " + cause(err)}
	}
	for _, e := range entries {
		if e.IsDir() || !included(e.Name()) {
			continue
		}
		if err := p.include(filepath.Join(dir, e.Name()), depth); err != nil {
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
