package ui

import (
	"strconv"

	"dtok/kafka"
)

// quotasView draws the quotas tab.
func (m *Model) quotasView(height, width int, focused bool) []string {
	p := &m.quotas
	if p.read.IsZero() {
		return m.waitingLines(&p.reading, "quotas", width)
	}
	lines := m.effectiveLines(width)
	rows := max(height-1-len(lines), 1)
	if len(p.rows) == 0 {
		return append(lines, " no quota is set on this user, on a client-id, or as a default; e sets one")
	}
	cols := p.columns()
	lines = append(lines, m.table(cols, p.content, &p.list, width, rows, focused, func(row, col int) cell {
		return p.cell(int(p.list.shown[row]), col)
	})...)
	if len(p.list.shown) == 0 {
		lines = append(lines, " no quota matches the filter")
	}
	return lines
}

// effectiveLines are the values that apply, for the client-id under the cursor
// or for all that no quota names, each with the level it comes from.
func (m *Model) effectiveLines(width int) []string {
	p := &m.quotas
	client := kafka.DefaultPart()
	title := "What applies to " + safeText(p.owner.Label()) + " with a client-id that no quota names"
	if row, ok := p.current(); ok {
		if name, named := row.entity.ClientID.Name(); named {
			client = kafka.NamedPart(name)
			title = "What applies to " + safeText(p.owner.Label()) + " with client-id " + safeText(strconv.Quote(name))
		}
	}
	lines := []string{" " + m.th.title.Render(fit(title, max(width-2, 1)))}
	for _, e := range p.known.Effective(client) {
		text := e.Key + spaces(26-len(e.Key))
		if !e.Limited {
			lines = append(lines, "   "+safeText(text)+m.th.muted.Render("not limited"))
			continue
		}
		v := kafka.QuotaValue{Key: e.Key, Value: e.Value}
		line := safeText(text) + valueText(v) + "  from " + levelText(e.Level) + ": " + safeText(e.From.String())
		lines = append(lines, "   "+fit(line, max(width-4, 1)))
	}
	return append(lines, "")
}

// levelText is a level with its place among Kafka's eight.
func levelText(l kafka.QuotaLevel) string {
	if l == 0 {
		return "other"
	}
	return "level " + strconv.Itoa(int(l)) + " of 8"
}

// valueText is a value for people with the exact one beside it.
func valueText(v kafka.QuotaValue) string {
	if v.Human() == v.Exact() {
		return v.Exact()
	}
	return v.Human() + " (" + v.Exact() + ")"
}

func (p *quotasPane) columns() []column {
	cols := []column{
		{title: "Level", min: 5},
		{title: "Set on", min: 16, grow: true, max: 60},
		{title: "Quota", min: 18},
		{title: "Value", min: 14, grow: true, max: 40},
	}
	cols[p.list.sortBy].order = p.list.sorting()
	return cols
}

func (p *quotasPane) content(col int) int {
	width := 0
	for _, row := range p.rows[:min(len(p.rows), 500)] {
		switch col {
		case byEntity:
			width = max(width, textWidth(row.on))
		case byKey:
			width = max(width, textWidth(row.value.Key))
		case byValue:
			width = max(width, textWidth(valueText(row.value)))
		}
	}
	return width
}

func (p *quotasPane) cell(row, col int) cell {
	r := &p.rows[row]
	switch col {
	case byLevel:
		if r.entity.Level() == 0 {
			return cell{text: "other", mark: markMuted}
		}
		return cell{text: strconv.Itoa(int(r.entity.Level())), mark: markMuted}
	case byEntity:
		return cell{text: safeText(r.on)}
	case byKey:
		return cell{text: safeText(r.value.Key)}
	}
	return cell{text: safeText(valueText(r.value))}
}
