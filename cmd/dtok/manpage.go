package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manPage is a command's page for man(1), in the man macros of roff, from the
// same texts as --help. date and source stand in its last line.
func manPage(cmd *cobra.Command, date, source string) string {
	p := &page{}
	name := manName(cmd)
	p.macro("TH", strings.ToUpper(name), "1", date, source, "dtok manual")
	p.macro("SH", "NAME")
	p.text(name + " - " + lowerFirst(cmd.Short))
	p.macro("SH", "SYNOPSIS")
	p.macro("B", cmd.CommandPath())
	p.text(strings.TrimPrefix(strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath()), " "))
	prose, sections := splitHelp(cmd.Long)
	p.macro("SH", "DESCRIPTION")
	p.text(prose)
	p.commands(cmd)
	p.options(cmd)
	var last []section
	for _, s := range sections {
		if s.title == "Exit status" { // its place is near the end
			last = append(last, s)
			continue
		}
		p.section(s)
	}
	if cmd.Example != "" {
		p.section(section{"Examples", cmd.Example})
	}
	for _, s := range last {
		p.section(s)
	}
	p.seeAlso(cmd)
	return p.String()
}

// manName is the page's name: dtok-tokens for dtok tokens.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// section is a part of a help text with a title of its own.
type section struct{ title, text string }

// splitHelp takes a help text apart. A line that ends in a colon is the title of
// the indented lines after it.
func splitHelp(long string) (prose string, sections []section) {
	lines := strings.Split(long, "\n")
	for i := 0; i < len(lines); i++ {
		title, isTitle := strings.CutSuffix(lines[i], ":")
		if !isTitle || strings.HasPrefix(title, " ") || i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "  ") {
			prose += lines[i] + "\n"
			continue
		}
		s := section{title: title}
		for i+1 < len(lines) && (lines[i+1] == "" || strings.HasPrefix(lines[i+1], "  ")) {
			i++
			s.text += lines[i] + "\n"
		}
		sections = append(sections, s)
	}
	return strings.TrimSpace(prose), sections
}

// page collects roff.
type page struct{ strings.Builder }

func (p *page) macro(name string, args ...string) {
	p.WriteString("." + name)
	for _, a := range args {
		p.WriteString(` "` + strings.ReplaceAll(roff(a), `"`, `\(dq`) + `"`)
	}
	p.WriteString("\n")
}

// text is prose; an empty line begins a paragraph.
func (p *page) text(s string) {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line == "" {
			p.macro("PP")
			continue
		}
		p.WriteString(roff(line) + "\n")
	}
}

// section keeps its lines as they are, two columns further to the left.
func (p *page) section(s section) {
	p.macro("SH", strings.ToUpper(s.title))
	p.macro("nf")
	for line := range strings.Lines(strings.TrimRight(s.text, "\n") + "\n") {
		p.WriteString(roff(strings.TrimRight(strings.TrimPrefix(line, "  "), "\n")) + "\n")
	}
	p.macro("fi")
}

func (p *page) commands(cmd *cobra.Command) {
	begun := false
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if !begun {
			p.macro("SH", "COMMANDS")
			begun = true
		}
		p.macro("TP")
		p.macro("B", sub.CommandPath())
		p.text(sub.Short + ".")
	}
}

func (p *page) options(cmd *cobra.Command) {
	p.macro("SH", "OPTIONS")
	cmd.InheritedFlags() // merges those of all commands into Flags
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		names := `\fB` + roff("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			names = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + names
		}
		if value != "" {
			names += ` \fI` + roff(value) + `\fR`
		}
		p.macro("TP")
		p.WriteString(names + "\n")
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		p.text(usage + ".")
	})
}

func (p *page) seeAlso(cmd *cobra.Command) {
	var others []string
	add := func(c *cobra.Command) {
		if c != cmd && c.IsAvailableCommand() {
			others = append(others, manName(c)+"(1)")
		}
	}
	if cmd.HasParent() {
		others = append(others, manName(cmd.Parent())+"(1)")
		for _, c := range cmd.Parent().Commands() {
			add(c)
		}
	}
	if cmd.Name() != "completion" {
		for _, c := range cmd.Commands() {
			add(c)
		}
	}
	p.macro("SH", "SEE ALSO")
	p.text(strings.Join(others, ", "))
}

// roff escapes what roff would obey or set otherwise than it stands.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "…", "...").Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
