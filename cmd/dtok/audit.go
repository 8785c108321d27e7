package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dtok/audit"
)

// trailFile names the trail that dtok audit reads.
type trailFile struct{ path string }

func (t *trailFile) flags(f *pflag.FlagSet) {
	f.StringVar(&t.path, "audit-file", "", "`FILE` of the audit trail (default audit.jsonl in $XDG_STATE_HOME/dtok, or ~/.local/state/dtok)")
}

func (t *trailFile) find() (string, error) {
	path, err := audit.Path(audit.Options{Path: t.path})
	if err != nil {
		return "", fmt.Errorf("the audit trail cannot be found: %w", err)
	}
	return path, nil
}

// listFlags choose what dtok audit prints.
type listFlags struct {
	trailFile
	filter       audit.Filter
	since, until string
	output       string
}

func auditCommand() *cobra.Command {
	var l listFlags
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List what dtok has changed, from its audit trail",
		Long: "audit lists the changes in the audit trail, the oldest first: one line for each\n" +
			"request, with how it ended. With -o json it prints the records themselves. A\n" +
			"change without an outcome has an unknown one. dtok audit verify says whether the\n" +
			"trail is as dtok wrote it.",
		Example: "  dtok audit --user alice --since 7d\n  dtok audit --outcome unknown -o json\n  dtok audit verify",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := l.check(cmd, time.Now()); err != nil {
				return err
			}
			path, err := l.find()
			if err != nil {
				return err
			}
			return listTrail(cmd.Context(), cmd.OutOrStdout(), path, l, time.Local)
		},
	}
	l.trailFile.flags(cmd.Flags())
	f := cmd.Flags()
	f.StringVarP(&l.filter.User, "user", "u", "", "only about tokens of the Kafka user `NAME`, or made as it")
	f.StringVarP(&l.filter.Environment, "environment", "e", "", "only of the environment `NAME`, as the configuration file or the cluster's first address names it")
	f.StringVar(&l.filter.Token, "token", "", "only about the token with this `ID`")
	f.StringVar(&l.filter.Kind, "kind", "", "only this `KIND`, such as \"renew token\", or its beginning")
	f.StringVar(&l.filter.Outcome, "outcome", "", "only what ended with this `OUTCOME`: done, refused, failed or unknown")
	f.StringVar(&l.since, "since", "", "only from this `TIME` on: 2026-01-02, \"2026-01-02 15:04\", 2026-01-02T15:04:05Z, or 36h or 7d ago")
	f.StringVar(&l.until, "until", "", "only up to this `TIME`")
	f.StringVarP(&l.output, "output", "o", "table", "`FORM` of the output: table, or json for the records as they are")
	complete(cmd, "kind", kinds()...)
	complete(cmd, "outcome", outcomes()...)
	complete(cmd, "output", "table", "json")
	cmd.AddCommand(verifyCommand())
	return cmd
}

func outcomes() []string {
	return []string{string(audit.Done), string(audit.Refused), string(audit.Failed), string(audit.Unknown)}
}

func kinds() []string {
	var names []string
	for _, k := range audit.Kinds() {
		names = append(names, string(k))
	}
	return names
}

func (l *listFlags) check(cmd *cobra.Command, now time.Time) error {
	if l.output != "table" && l.output != "json" {
		return wrongUsage(cmd, fmt.Errorf("there is no output %q; there are table and json", l.output))
	}
	if !slices.ContainsFunc(kinds(), func(k string) bool { return strings.HasPrefix(k, l.filter.Kind) }) {
		return wrongUsage(cmd, fmt.Errorf("there is no kind %q; there are %s", l.filter.Kind, strings.Join(kinds(), ", ")))
	}
	if l.filter.Outcome != "" && !slices.Contains(outcomes(), l.filter.Outcome) {
		return wrongUsage(cmd, fmt.Errorf("there is no outcome %q; there are %s", l.filter.Outcome, strings.Join(outcomes(), ", ")))
	}
	for _, f := range []struct {
		name, text string
		to         *time.Time
		ofDay      func(time.Time) time.Time
	}{
		{"--since", l.since, &l.filter.Since, func(day time.Time) time.Time { return day }},
		{"--until", l.until, &l.filter.Until, func(day time.Time) time.Time { return day.AddDate(0, 0, 1) }},
	} {
		if f.text == "" {
			continue
		}
		at, err := parseMoment(f.text, now, f.ofDay)
		if err != nil {
			return wrongUsage(cmd, fmt.Errorf("%s: %w", f.name, err))
		}
		*f.to = at
	}
	return nil
}

// listTrail prints the entries that the filter chooses.
func listTrail(ctx context.Context, w io.Writer, path string, l listFlags, zone *time.Location) error {
	entries, report, err := audit.Entries(ctx, path)
	if err != nil {
		return err
	}
	left := 0
	entries = slices.DeleteFunc(entries, func(e audit.Entry) bool {
		if l.filter.Match(e) {
			return false
		}
		if e.Record().Schema == 0 {
			left += len(e.Lines)
		}
		return true
	})
	print := printTable
	if l.output == "json" {
		print = printJSON
	}
	if err := print(w, entries, zone); err != nil {
		return err
	}
	// What is wrong with the trail must not get lost behind a filter.
	if n := len(report.Faults); n > 0 {
		_, _ = fmt.Fprintf(os.Stderr, "dtok: the trail does not verify (%s); dtok audit verify names what is wrong\n", countOf(n, "fault"))
	}
	if left > 0 {
		_, _ = fmt.Fprintf(os.Stderr, "dtok: %s could not be compared with the filter; without one they are shown as they are\n", countOf(left, "line"))
	}
	return nil
}

func printJSON(w io.Writer, entries []audit.Entry, _ *time.Location) error {
	for _, e := range entries {
		for _, l := range e.Lines {
			if _, err := w.Write(l.JSON()); err != nil {
				return err
			}
		}
	}
	return nil
}

// severalEnvironments reports whether the entries are of more than one: only
// then a table says of which.
func severalEnvironments(entries []audit.Entry) bool {
	seen := map[string]bool{}
	for _, e := range entries {
		if name := e.Record().Where.Environment; name != "" {
			seen[name] = true
		}
	}
	return len(seen) > 1
}

func printTable(w io.Writer, entries []audit.Entry, zone *time.Location) error {
	var drawn bytes.Buffer
	table := tabwriter.NewWriter(&drawn, 0, 0, 2, ' ', 0)
	heads := []string{"TIME", "KIND", "OUTCOME", "USER", "TOKEN", "AS", "BY", "REMARK"}
	several := severalEnvironments(entries)
	if several {
		heads = slices.Insert(heads, 1, "ENVIRONMENT")
	}
	if _, err := fmt.Fprintln(table, strings.Join(heads, "\t")); err != nil {
		return err
	}
	for _, e := range entries {
		r := rowOf(e)
		when := "–"
		if !r.Time.IsZero() {
			when = r.Time.In(zone).Format("2006-01-02 15:04:05 MST")
		}
		fields := []string{when, r.Kind, r.Outcome, r.User, r.Token, r.Principal, by(e.Record().Who), remark(e)}
		if several {
			fields = slices.Insert(fields, 1, e.Record().Where.Environment)
		}
		for i, f := range fields {
			fields[i] = oneLine(f)
		}
		if _, err := fmt.Fprintln(table, strings.Join(fields, "\t")); err != nil {
			return err
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	// The table pads cells that are empty, also at the end of a line.
	for line := range strings.Lines(drawn.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

func by(who audit.Who) string {
	if who.OSUser == "" || who.Host == "" {
		return who.OSUser
	}
	return who.OSUser + "@" + who.Host
}

// remark is what one must know of an entry first: that it does not verify, what
// it says where nobody else can tell, why it did not work, why it was done.
func remark(e audit.Entry) string {
	for _, l := range e.Lines {
		if l.Fault != "" { // of an intent and its outcome often one alone
			return fmt.Sprintf("! line %d: %s: %s", l.Number, l.Fault, excerpt(l.Text))
		}
	}
	r := e.Record()
	switch {
	case r.Schema == 0:
		return e.Lines[len(e.Lines)-1].Text
	case r.Problem != nil:
		return r.Problem.Text
	}
	return r.Reason
}

// excerpt keeps a damaged line from filling the screen.
func excerpt(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// oneLine keeps a cell on its line: tabs and newlines would break the table.
func oneLine(s string) string {
	return printable(strings.NewReplacer("\n", `\n`, "\t", `\t`, "\v", `\v`, "\f", `\f`).Replace(s))
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
