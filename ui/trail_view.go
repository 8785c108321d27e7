package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// trailView draws the audit trail.
func (m *Model) trailView(height int) []string {
	p := m.trail
	switch {
	case p.read.IsZero() && p.err != nil:
		return m.noteLines(m.dangerText("error: " + sentence(p.err)))
	case p.read.IsZero():
		return []string{" reading the audit trail …"}
	}
	notes := m.trailNotes()
	if len(p.rows) == 0 {
		return m.noteLines(append(wrap("Nothing has been recorded for this environment in "+safeText(p.path)+".", m.bodyWidth()), notes...))
	}
	cols := m.trailColumns()
	lines := m.table(cols, p.content, &p.list, m.width, max(height-1-len(notes), 1), true, func(row, col int) cell {
		return m.trailCell(&p.rows[p.list.shown[row]], col)
	})
	if len(p.list.shown) == 0 {
		lines = append(lines, " no record matches the filter")
	}
	return append(lines, m.noteLines(notes)...)
}

func (m *Model) dangerText(text string) []string {
	lines := wrap(text, m.bodyWidth())
	for i, l := range lines {
		lines[i] = m.th.danger.Render(l)
	}
	return lines
}

// trailNotes say what does not verify and what is left out.
func (m *Model) trailNotes() []string {
	p := m.trail
	var notes []string
	if n := len(p.faults); n > 0 {
		text := m.th.sign.fault + safeText(p.faults[0])
		if n > 1 {
			text += fmt.Sprintf("; and %s more: dtok audit verify names them", counted(int64(n-1), "fault"))
		}
		notes = m.dangerText(text)
		if len(notes) > 3 {
			notes = notes[:3]
		}
	}
	if p.older > 0 {
		notes = append(notes, mutedLines(m.th, m.bodyWidth(), fmt.Sprintf("%s before these: dtok audit lists all", counted(int64(p.older), "older request")))...)
	}
	return notes
}

func (m *Model) trailColumns() []column {
	cols := []column{
		{title: "Time", min: 8},
		{title: "Kind", min: 12},
		{title: "Outcome", min: len("no outcome") - len(drawnSigns().fault) + len(m.th.sign.fault)},
		{title: "User", min: 8, max: 20, grow: true},
		{title: "As", min: 6, max: 20, grow: true},
		{title: "Token ID", min: 8, max: 22, grow: true},
	}
	cols[m.trail.list.sortBy].order = m.trail.list.sorting()
	return cols
}

// content is the widest cell of a column.
func (p *trailPane) content(col int) int {
	switch col {
	case byTime:
		return p.widths.time
	case byKind:
		return p.widths.kind
	case byAbout:
		return p.widths.user
	case byActing:
		return p.widths.principal
	case byToken:
		return p.widths.token
	}
	return len("no outcome")
}

func (m *Model) trailCell(r *TrailRow, col int) cell {
	switch col {
	case byTime:
		return cell{text: m.trailTime(r.Time), mark: markMuted}
	case byKind:
		return cell{text: safeText(r.Kind)}
	case byOutcome:
		return r.outcomeCell(m.th.sign)
	case byAbout:
		return cell{text: safeText(r.User)}
	case byActing:
		return cell{text: safeText(principalLabel(r.Principal)), mark: markMuted}
	}
	return cell{text: safeText(r.Token)}
}

// outcomeCell marks what does not verify with a sign, whatever it says of its
// outcome.
func (r *TrailRow) outcomeCell(sign signs) cell {
	switch {
	case r.Fault != "" && r.Outcome == "":
		return cell{text: strings.TrimSuffix(sign.fault, "fault, ") + "fault", mark: markDanger}
	case r.Fault != "":
		return cell{text: sign.fault + safeText(r.Outcome), mark: markDanger}
	case r.Outcome == "done":
		return cell{text: r.Outcome, mark: markOK}
	case r.Outcome == "refused", r.Outcome == "failed":
		return cell{text: r.Outcome, mark: markWarn}
	case r.Outcome == "":
		return cell{}
	}
	return cell{text: safeText(r.Outcome), mark: markDanger}
}

// trailTime is a time to the second for today, and to the minute otherwise.
func (m *Model) trailTime(t time.Time) string {
	if t.IsZero() {
		return m.th.sign.none
	}
	in, now := t.In(m.opts.Location), m.told.In(m.opts.Location)
	if in.Year() == now.Year() && in.YearDay() == now.YearDay() {
		return in.Format("15:04:05")
	}
	return shortStamp(t, m.told, m.opts.Location)
}

// principalLabel leaves out the type that almost every principal has.
func principalLabel(p string) string { return strings.TrimPrefix(p, "User:") }

// recordMost bounds what is drawn of a record: a reading may have 100 000
// tokens.
const recordMost = 2000

// recordLines shows the records of a row as they stand in the trail, one field
// a line.
func (r TrailRow) recordLines() func(m *Model, width int) []string {
	var body []string // without the parts that depend on the width
	for i, l := range r.Lines {
		if len(body) > recordMost {
			body = append(body, "", fmt.Sprintf("… and %s; dtok audit -o json shows all of it", counted(int64(len(r.Lines)-i), "record")))
			break
		}
		if i > 0 {
			body = append(body, "")
		}
		body = append(body, fmt.Sprintf("%s:%d", safeText(filepath.Base(l.File)), l.Number))
		if l.Fault != "" {
			body = append(body, "! "+safeText(l.Fault))
		}
		body = append(body, fieldLines(l.Text)...)
	}
	return func(m *Model, width int) []string {
		lines := []string{m.th.title.Render(strings.TrimSpace(safeText(r.Kind + " " + r.Outcome))), ""}
		for _, l := range body {
			switch {
			case strings.HasPrefix(l, "! "):
				lines = append(lines, m.dangerText(l)...)
			default:
				lines = append(lines, hanging(l, width)...)
			}
		}
		return lines
	}
}

// fieldLines is a record with one field a line; a line that is none stays.
func fieldLines(text string) []string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return []string{safeText(text)}
	}
	var lines []string
	for l := range strings.SplitSeq(out.String(), "\n") {
		if l == "{" || l == "}" {
			continue
		}
		lines = append(lines, safeText(strings.TrimPrefix(l, "  ")))
		if len(lines) > recordMost {
			return append(lines, "…")
		}
	}
	return lines
}

// hanging cuts a line into pieces of the given width that keep its indent.
// Blanks within it stay: a record is shown as it is.
func hanging(line string, width int) []string {
	text := strings.TrimLeft(line, " ")
	indent := spaces(min(len(line)-len(text), width/2))
	var lines []string
	for {
		head := ansi.Truncate(text, max(width-len(indent), 1), "")
		lines = append(lines, indent+head)
		text = text[len(head):]
		if text == "" || head == "" {
			return lines
		}
	}
}
