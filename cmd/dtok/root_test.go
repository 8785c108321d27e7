package main

import (
	"bytes"
	"testing"

	"github.com/spf13/cobra"
)

// A command says the same whether it was made alone or with all the others.
func TestACommandMadeAlone(t *testing.T) {
	say := func(root *cobra.Command, args ...string) string {
		var out bytes.Buffer
		root.SetArgs(args)
		root.SetOut(&out)
		root.SetErr(&out)
		if err := root.Execute(); err != nil {
			out.WriteString(err.Error())
		}
		return out.String()
	}
	alone := 0
	for _, c := range rootCommand(newDebugLog()).Commands() {
		name := c.Name()
		if scriptCommand(name) == nil {
			continue
		}
		alone++
		if n := len(calledCommand(newDebugLog(), []string{name}).Commands()); n != 1 {
			t.Errorf("%d commands are made for dtok %s", n, name)
		}
		for _, rest := range [][]string{{"--help"}, {"-h"}, {"--nonsense"}, {"--version"}, {"one", "two", "three"}, {"--output", "yaml"}, {"--debug"}, {}} {
			args := append([]string{name}, rest...)
			got, want := say(calledCommand(newDebugLog(), args), args...), say(rootCommand(newDebugLog()), args...)
			if got != want || got == "" {
				t.Errorf("dtok %q:\n%s\nwith all commands:\n%s", args, got, want)
			}
		}
	}
	if alone != 5 {
		t.Errorf("%d commands are made alone", alone)
	}
	for _, args := range [][]string{nil, {"--help"}, {"help", "tokens"}, {"__complete", "tokens", "-"}, {"completion", "bash"}, {"man", "tokens"}, {"token"}} {
		if n := len(calledCommand(newDebugLog(), args).Commands()); n < 11 {
			t.Errorf("%d commands are made for dtok %q", n, args)
		}
	}
}
