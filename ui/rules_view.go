package ui

import (
	"fmt"

	"dtok/kafka"
)

// rulesView draws the ACL rules tab.
func (m *Model) rulesView(height, width int, focused bool) []string {
	p := &m.rules
	if p.read.IsZero() {
		return m.waitingLines(&p.reading, "ACL rules", width)
	}
	notes := m.rulesNotes(width)
	rows := max(height-1-len(notes), 1)
	cols := p.columns()
	lines := m.table(cols, func(col int) int { return p.content(m.th.sign, col) }, &p.list, width, rows, focused, func(row, col int) cell {
		return p.cell(m.th.sign, int(p.list.shown[row]), col)
	})
	return append(lines, m.noteLines(notes)...)
}

// waitingLines stand for a list that has never been read.
func (m *Model) waitingLines(r *reading, what string, width int) []string {
	switch {
	case r.err != nil:
		var lines []string
		for _, l := range wrap("error: "+sentence(r.err), max(width-2, 1)) {
			lines = append(lines, " "+m.th.danger.Render(l))
		}
		return append(lines, "", " r reads again")
	case r.loading():
		return []string{" reading " + what + " …"}
	}
	return []string{" not read yet; r reads"}
}

func (p *rulesPane) columns() []column {
	cols := []column{
		{title: "Resource", min: 16, grow: true, max: 60},
		{title: "Pattern", min: 8},
		{title: "Operation", min: 14},
		{title: "Permission", min: 10},
		{title: "Host", min: 4, max: 20},
		{title: "Principal", min: 12, grow: true, max: 60},
	}
	cols[p.list.sortBy].order = p.list.sorting()
	return cols
}

// content is bounded, so that a list of 50 000 rules is not measured at every
// key.
func (p *rulesPane) content(sign signs, col int) int {
	width := 0
	for _, row := range p.rows[:min(len(p.rows), 500)] {
		switch col {
		case byResource:
			sign := sign.never
			if !row.never {
				sign = ""
			}
			width = max(width, len(sign)+len(row.rule.ResourceType.String())+1+len(row.rule.ResourceName))
		case byHost:
			width = max(width, len(row.rule.Host))
		case byPrincipal:
			width = max(width, len(row.rule.Principal))
		}
	}
	return width
}

func (p *rulesPane) cell(sign signs, row, col int) cell {
	if row < 0 {
		if col != byResource {
			return cell{}
		}
		group := kafka.RuleGroup(headingRow - row)
		text := fmt.Sprintf("%s (%d)", group, p.counts[group])
		if p.known.Failed[group] != nil {
			text = group.String() + " (" + sign.unread + ")"
		}
		return cell{text: text, mark: markMuted, span: true}
	}
	r := &p.rows[row]
	mark := markPlain
	if r.rule.Permission == kafka.PermissionDeny {
		mark = markDanger
	}
	if r.never {
		mark = markWarn
	}
	text := ""
	switch col {
	case byResource:
		text = safeText(r.rule.ResourceType.String() + " " + r.rule.ResourceName)
		if r.never {
			text = sign.never + text
		}
	case byPattern:
		text = r.rule.Pattern.String()
	case byOperation:
		text = r.rule.Operation.String()
	case byPermission:
		text = r.rule.Permission.String()
		if r.rule.Permission == kafka.PermissionDeny {
			text = sign.deny + text
		}
	case byHost:
		text = safeText(r.rule.Host)
	default:
		text = safeText(r.rule.Principal)
	}
	return cell{text: text, mark: mark}
}

// rulesNotes are the lines below the rules: what could not be read, and what
// the rule under the cursor needs.
func (m *Model) rulesNotes(width int) []string {
	p := &m.rules
	var notes []string
	said := ""
	for group := range kafka.RuleGroup(groupsOfRules) {
		if err := p.known.Failed[group]; err != nil && err.Error() != said {
			said = err.Error()
			notes = append(notes, wrap(m.th.sign.source+group.String()+": "+sentence(err), max(width-2, 1))...)
		}
	}
	if text := m.onPage.note(len(m.onPage.rules)); text != "" && !m.refresh.due {
		notes = append(notes, mutedLines(m.th, max(width-2, 1), text)...)
	}
	if row, ok := p.current(); ok && row.never {
		notes = append(notes, warnLines(m.th, max(width-2, 1), neverText(row)+" f replaces it.")...)
	}
	return notes
}

// neverText says why a rule on a bare name does nothing.
func neverText(row ruleRow) string {
	return "This rule never matches: the authorizer looks for " + safeText(row.right.ResourceName) + ", not " +
		safeText(row.rule.ResourceName) + "."
}

// ruleLines shows one rule whole, with the commands of Kafka's own tool.
func ruleLines(m *Model, width int, row ruleRow) []string {
	r := row.rule
	lines := []string{m.th.title.Render("ACL rule"), ""}
	lines = append(lines, factLines(m.th, width,
		[2]string{"Principal", safeText(r.Principal)},
		[2]string{"Permission", r.Permission.String()},
		[2]string{"Operation", r.Operation.String()},
		[2]string{"Resource", safeText(r.ResourceType.String() + " " + r.ResourceName)},
		[2]string{"Pattern", r.Pattern.String()},
		[2]string{"Host", safeText(r.Host)})...)
	lines = append(lines, "")
	if row.never {
		lines = append(lines, warnLines(m.th, width, neverText(row))...)
	}
	if !r.Meaningful() {
		lines = append(lines, warnLines(m.th, width, r.Operation.String()+" means nothing on a resource of type "+
			r.ResourceType.String()+".")...)
	}
	lines = append(lines, mutedLines(m.th, width, "The same with Kafka's own tool, to add and to remove it:")...)
	return append(lines, m.commandLines(width, r.AddCommand, r.RemoveCommand)...)
}

// commandLines shows the kafka-acls equivalents.
func (m *Model) commandLines(width int, commands ...func(bootstrap string) (string, error)) []string {
	var lines []string
	for _, command := range commands {
		text, err := command(m.session().Address)
		if err != nil {
			text = err.Error()
		}
		lines = append(lines, wrap(safeText(text), width)...)
	}
	return lines
}
