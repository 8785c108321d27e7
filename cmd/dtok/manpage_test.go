package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestManPages: each command has a page that says all that --help does.
func TestManPages(t *testing.T) {
	groff, _ := exec.LookPath("groff")
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		page := manPage(c, "2026-01-02", "dtok v1")
		for _, part := range []string{`.TH "` + strings.ToUpper(roff(manName(c))) + `" "1" "2026\-01\-02" "dtok v1"`,
			"\n.SH \"NAME\"\n", "\n.SH \"SYNOPSIS\"\n", "\n.SH \"OPTIONS\"\n", "\n.SH \"SEE ALSO\"\n"} {
			if !strings.Contains(page, part) {
				t.Errorf("%s: %q is missing", c.CommandPath(), part)
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(page, `\fB\-\-`+roff(f.Name)+`\fR`) == f.Hidden {
				t.Errorf("%s: --%s, hidden: %v", c.CommandPath(), f.Name, f.Hidden)
			}
		})
		for _, word := range strings.Fields(c.Long + " " + c.Example) {
			if word = strings.TrimSuffix(roff(word), ":"); !strings.Contains(page, word) && !strings.Contains(page, strings.ToUpper(word)) {
				t.Errorf("%s: %q of the help is missing", c.CommandPath(), word)
			}
		}
		if groff != "" {
			cmd := exec.Command(groff, "-man", "-Tutf8", "-ww")
			cmd.Stdin = strings.NewReader(page)
			var problems strings.Builder
			cmd.Stderr = &problems
			if err := cmd.Run(); err != nil || problems.Len() > 0 {
				t.Errorf("%s: groff says %v %s", c.CommandPath(), err, problems.String())
			}
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(rootCommand(newDebugLog()))
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		"plain words": "plain words", ".TH no macro": `\&.TH no macro`, `back\slash`: `back\eslash`, "--user": `\-\-user`,
		"'br": `\(aqbr`, "~/.local": `\(ti/.local`,
	} {
		if got := roff(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSplitHelp(t *testing.T) {
	prose, sections := splitHelp("One thing:\nand another.\n\nMore.\n\nFiles:\n  a\n\n    b\n  c\n\nEnd.\n\nLast:\n  x")
	if prose != "One thing:\nand another.\n\nMore.\n\nEnd." {
		t.Errorf("%q", prose)
	}
	if len(sections) != 2 || sections[0] != (section{"Files", "  a\n\n    b\n  c\n\n"}) || sections[1] != (section{"Last", "  x\n"}) {
		t.Errorf("%q", sections)
	}
}
