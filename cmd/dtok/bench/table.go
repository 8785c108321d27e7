package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// row is one figure beside its peer's or its floor's.
type row struct {
	what string
	// ours and theirs are the figures with their units, peer is whose theirs is.
	ours, peer, theirs string
	ratio              float64
	// target is what the ratio, or the figure itself, is held to; nil for none.
	target *target
}

// target is a limit, and whether it was kept.
type target struct {
	text string
	met  bool
}

// atMost holds a value to a limit from above, atLeast from below.
func atMost(value, limit float64, unit string) *target {
	return &target{fmt.Sprintf("at most %g%s", limit, unit), value <= limit}
}

func atLeast(value, limit float64, unit string) *target {
	return &target{fmt.Sprintf("at least %g%s", limit, unit), value >= limit}
}

// table is the rows in groups.
type table struct{ groups []group }

type group struct {
	title string
	rows  []row
}

func (t *table) begin(format string, args ...any) {
	t.groups = append(t.groups, group{title: fmt.Sprintf(format, args...)})
}

func (t *table) add(r row) {
	g := &t.groups[len(t.groups)-1]
	g.rows = append(g.rows, r)
}

func (t *table) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "WHAT\tDTOK\tPEER OR FLOOR\tITS FIGURE\tRATIO\tTARGET\tVERDICT")
	for _, g := range t.groups {
		_, _ = fmt.Fprintf(w, "\t\t\t\t\t\t\n%s\t\t\t\t\t\t\n", g.title)
		for _, r := range g.rows {
			limit, verdict := "", ""
			if r.target != nil {
				limit, verdict = r.target.text, "missed"
				if r.target.met {
					verdict = "met"
				}
			}
			_, _ = fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.what, r.ours, r.peer, r.theirs, ratioText(r.ratio), limit, verdict)
		}
	}
	_ = w.Flush()
}

// ratioText has as many digits as the ratio deserves.
func ratioText(r float64) string {
	switch {
	case r == 0:
		return ""
	case r >= 100:
		return fmt.Sprintf("%.0f", r)
	case r >= 10:
		return fmt.Sprintf("%.1f", r)
	}
	return fmt.Sprintf("%.2f", r)
}
