package config

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// imported is what a file of another tool comes to.
type imported struct {
	path         string
	tool         string
	standard     string // the environment to open by default
	environments []importedEnvironment
	notes        []string
}

// importedEnvironment has no password: it is asked for.
type importedEnvironment struct {
	name       string
	bootstrap  []string
	properties string
	settings   [][2]string // in the order of writing
	user       string
	prompt     bool
}

func (e *importedEnvironment) set(key, value string) {
	e.settings = append(e.settings, [2]string{key, value})
}

// note tells of something that was not carried over.
func (i *imported) note(format string, args ...any) {
	i.notes = append(i.notes, strings.Map(shownRune, fmt.Sprintf(format, args...)))
}

// resolve makes a path of the file absolute: it is meant from there.
func (i *imported) resolve(path string) string {
	return yamlFile{i.path}.resolve(path)
}

// yaml writes a config file for dtok.
func (i *imported) yaml() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Made from the config of %s at %s\n", i.tool, strings.Map(shownRune, filepath.Clean(i.path)))
	if i.standard != "" {
		fmt.Fprintf(&b, "default: %s\n", quoteYAML(i.standard))
	}
	b.WriteString("environments:\n")
	for _, e := range i.environments {
		fmt.Fprintf(&b, "  - name: %s\n", quoteYAML(e.name))
		if len(e.bootstrap) > 0 {
			b.WriteString("    bootstrap:\n")
			for _, address := range e.bootstrap {
				fmt.Fprintf(&b, "      - %s\n", quoteYAML(address))
			}
		}
		if e.properties != "" {
			fmt.Fprintf(&b, "    properties: %s\n", quoteYAML(e.properties))
		}
		if len(e.settings) > 0 {
			b.WriteString("    settings:\n")
			for _, s := range e.settings {
				fmt.Fprintf(&b, "      %s: %s\n", s[0], quoteYAML(s[1]))
			}
		}
		if e.user != "" {
			fmt.Fprintf(&b, "    user: %s\n", quoteYAML(e.user))
		}
		if e.prompt {
			b.WriteString("    password_prompt: true  # or password_file: FILE, or password_command: [COMMAND, …]\n")
		}
	}
	return []byte(b.String())
}

// quoteYAML writes a text so that it is read back as the same text, bare where
// that is plain to see. Double quotes are those of JSON, which YAML shares.
func quoteYAML(text string) string {
	bare := regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`)
	switch strings.ToLower(text) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
	default:
		if bare.MatchString(text) {
			return text
		}
	}
	if printableText(text) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	quoted, err := json.Marshal(strings.ToValidUTF8(text, "\ufffd"))
	if err != nil {
		return "''"
	}
	return string(quoted)
}
