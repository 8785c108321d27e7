package main

import (
	"flag"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dtok/config"
	"dtok/ui"
)

// TestReadmeNamesTheFlagsThereAre holds the README to the command line: every
// flag is in it, and it names no other.
func TestReadmeNamesTheFlagsThereAre(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	// Kafka's own scripts have flags of their own.
	text = regexp.MustCompile(`(?m)^ *kafka-\S+\.sh (.*\\\n)*.*$`).ReplaceAll(text, nil)
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`--([a-z][a-z-]+)`).FindAllStringSubmatch(string(text), -1) {
		named[m[1]] = true
	}
	there := map[string]bool{"help": true, "version": true}
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		c.InheritedFlags() // merges those of all commands into Flags
		c.Flags().VisitAll(func(f *pflag.Flag) { there[f.Name] = !f.Hidden })
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(rootCommand(newDebugLog()))
	for flag, listed := range there {
		if listed && !named[flag] {
			t.Errorf("the README does not name --%s", flag)
		}
	}
	for flag := range named {
		if _, exists := there[flag]; !exists {
			t.Errorf("the README names --%s, which does not exist", flag)
		}
	}
}

var update = flag.Bool("update", false, "write the README's tables, or the pictures of the screens")

// TestReadmeHasTheTables holds the README to what the program says of itself.
func TestReadmeHasTheTables(t *testing.T) {
	const file = "../../README.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root := rootCommand(newDebugLog())
	named := func(path ...string) *cobra.Command {
		cmd, rest, err := root.Find(path)
		if err != nil || len(rest) > 0 {
			t.Fatalf("there is no command %q", path)
		}
		return cmd
	}
	text := string(data)
	for _, part := range []struct{ name, table string }{
		{"keys", ui.KeyTable()},
		{"flags", flagTable(root, nil)},
		{"flags of dtok demo", flagTable(named("demo"), root)},
		{"flags of dtok audit", flagTable(named("audit"), nil)},
		{"flags of dtok audit verify", flagTable(named("audit", "verify"), named("audit"))},
		{"configuration", configTable(t)},
		{"exit statuses", statusTable(t)},
	} {
		head, rest, ok := strings.Cut(text, "<!-- "+part.name+": ")
		mark, rest, ok2 := strings.Cut(rest, "-->\n")
		have, tail, ok3 := strings.Cut(rest, "<!-- "+part.name+" end -->")
		switch {
		case !ok || !ok2 || !ok3:
			t.Fatalf("the README lacks the marks around the %s", part.name)
		case have != part.table && !*update:
			t.Errorf("the README's %s are not the program's; run go test ./cmd/dtok -run Readme -update (-README +program):\n%s",
				part.name, cmp.Diff(have, part.table))
		}
		text = head + "<!-- " + part.name + ": " + mark + "-->\n" + part.table + "<!-- " + part.name + " end -->" + tail
	}
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// flagTable has the flags of a command in the words of its --help; known is a
// command whose flags the reader has seen already.
func flagTable(cmd, known *cobra.Command) string {
	var b strings.Builder
	b.WriteString("| flag | meaning |\n|---|---|\n")
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { // with those that it hands down to its commands
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		if known != nil {
			if same := known.LocalFlags().Lookup(f.Name); same != nil {
				return
			}
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if value != "" {
			name += " " + value
		}
		names := "`" + name + "`"
		if f.Shorthand != "" {
			names = "`-" + f.Shorthand + "`, " + names
		}
		if f.DefValue != "" && f.DefValue != "false" {
			usage += "; `" + f.DefValue + "` when not given"
		}
		b.WriteString("| " + names + " | " + strings.ReplaceAll(usage, "|", `\|`) + " |\n")
	})
	return b.String()
}

// configTable has the keys of the configuration file and what its schema says
// of them. TestSchema holds the schema to the reader.
func configTable(t *testing.T) string {
	t.Helper()
	var schema yaml.MapSlice // which keeps the order, and JSON is YAML
	if err := yaml.UnmarshalWithOptions([]byte(config.Schema()), &schema, yaml.UseOrderedMap()); err != nil {
		t.Fatal(err)
	}
	at := func(in yaml.MapSlice, path ...string) yaml.MapSlice {
		for _, key := range path {
			in, _ = in.ToMap()[key].(yaml.MapSlice)
		}
		return in
	}
	var b strings.Builder
	b.WriteString("| where | key | meaning |\n|---|---|---|\n")
	var list func(where, prefix string, properties yaml.MapSlice)
	list = func(where, prefix string, properties yaml.MapSlice) {
		for _, p := range properties {
			name, of := prefix+p.Key.(string), p.Value.(yaml.MapSlice)
			if below := at(of, "properties"); below != nil {
				list(where, name+".", below)
				continue
			}
			text, ok := of.ToMap()["description"].(string)
			if !ok {
				t.Errorf("the schema does not say what %s is", name)
			}
			b.WriteString("| " + where + " | `" + name + "` | " + text + " |\n")
		}
	}
	list("The file", "", at(schema, "properties"))
	list("An environment", "", at(schema, "$defs", "environment", "properties"))
	return b.String()
}

// statusTable has the exit statuses as --help gives them.
func statusTable(t *testing.T) string {
	t.Helper()
	_, sections := splitHelp(rootHelp)
	for _, s := range sections {
		if s.title != "Exit status" {
			continue
		}
		for _, status := range []int{0, statusFailed, statusUsage, statusUnknown, statusExpiring, 128 + int(syscall.SIGHUP)} {
			if !regexp.MustCompile(`(?m)^  ` + strconv.Itoa(status) + ` +\w`).MatchString(s.text) {
				t.Errorf("--help does not say what status %d is", status)
			}
		}
		rows := regexp.MustCompile(`(?m)^  (\d+) +(.*)$`).ReplaceAllString(strings.TrimRight(s.text, "\n"), "| $1 | $2 |")
		return "| exit status | meaning |\n|---|---|\n" + rows + "\n"
	}
	t.Fatal("--help has no exit statuses")
	return ""
}
