package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dtok/ui"
)

// TestReadmeNamesTheFlagsThereAre holds the README to the command line: every
// flag is in it, and it names no other.
func TestReadmeNamesTheFlagsThereAre(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	// Lines with Kafka's own scripts have their flags.
	text = regexp.MustCompile(`(?m)^ *kafka-\S+\.sh .*$`).ReplaceAll(text, nil)
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

var update = flag.Bool("update", false, "write the key table into the README")

// TestReadmeHasTheKeyTable holds the README's keys to the key map.
func TestReadmeHasTheKeyTable(t *testing.T) {
	const file, begin, end = "../../README.md", "-update -->\n", "<!-- keys end -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	have, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("the README lacks the marks around the key table")
	}
	if have == ui.KeyTable() {
		return
	}
	if !*update {
		t.Fatal("the README's keys are not those of the key map; run go test ./cmd/dtok -run Readme -update")
	}
	if err := os.WriteFile(file, []byte(head+begin+ui.KeyTable()+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
