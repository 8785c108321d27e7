package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// header is the first line: which cluster, how, as whom, and how old the list
// is. The environment's name and READ-ONLY are never cut away.
func (m *Model) header() string {
	env := m.envs.current()
	parts := []string{" dtok", m.th.env.Render(safeText(env.Name))}
	if env.ReadOnly != "" {
		parts = append(parts, m.th.warn.Render("READ-ONLY"))
	}
	s := m.session()
	if s.Protocol != "" {
		how := string(s.Protocol)
		if s.Mechanism != "" {
			how += "/" + s.Mechanism
		}
		parts = append(parts, how)
		switch {
		case s.TokenID != "":
			parts = append(parts, "as token "+safeText(s.TokenID))
		case s.Principal.IsZero():
			parts = append(parts, "as the broker says")
		default:
			parts = append(parts, "as "+safeText(s.Principal.String()))
		}
	}
	line := strings.Join(parts, "  ")
	add := func(text string) bool {
		fits := ansi.StringWidth(line)+2+ansi.StringWidth(text) <= m.width
		if text != "" && fits {
			line += "  " + text
		}
		return fits
	}
	// What may be left out in a narrow window comes last.
	r := m.focused().last()
	at := r.read.In(m.opts.Location).Format("15:04:05")
	if r.err != nil && !r.read.IsZero() && !add(m.th.warn.Render("stale: read "+at)) && !add(m.th.warn.Render("STALE")) {
		// It is no less important than who one is.
		line = strings.Join(slices.Insert(parts, 2, m.th.warn.Render("STALE")), "  ")
	}
	if m.all.soon > 0 {
		add(m.th.warn.Render(strconv.Itoa(m.all.soon) + " end in 24 h"))
	}
	switch {
	case m.broker == nil:
	case r.loading():
		add("reading…")
	case r.err == nil && !r.read.IsZero() && !add(m.th.muted.Render("read "+at)):
		add(m.th.muted.Render(at))
	}
	add(m.th.muted.Render(safeText(env.ReadOnly)))
	return fit(line, m.width)
}

// breadcrumbs say where one is, and the filter.
func (m *Model) breadcrumbs() string {
	where := []string{safeText(m.envs.current().Name), "Users"}
	filter := m.focused().state().filter
	if m.trail != nil {
		where = append(where[:1], "Audit trail > "+plural(len(m.trail.rows), "record"))
	} else if m.inPage() {
		where = append(where[:1], m.pageTitle())
	}
	switch {
	case m.running != nil || m.dialog != nil:
		d := m.dialog
		if d == nil {
			d = m.running.dialog
		}
		if d != nil {
			where = append(where, d.name())
		}
	case m.over != nil:
		where = append(where, m.over.title)
	case m.card != nil:
		where = append(where, "New token")
	}
	line := " " + strings.Join(where, " > ") + m.sortText()
	switch {
	case m.filter.active:
		before, after := m.filter.input.parts()
		line += "  /" + safeText(before) + m.th.sign.caretBefore(after) + safeText(after)
	case filter != "":
		line += "  /" + safeText(filter)
		if m.running == nil && m.dialog == nil && m.over == nil && m.card == nil {
			line += " (esc clears)"
		}
	}
	if m.wide() && m.where() == onUsers && m.open != nil && m.dialog == nil && m.over == nil && m.card == nil && m.running == nil {
		line = fit(line, m.usersWidth()-1)
		line += spaces(m.usersWidth()-ansi.StringWidth(line)) + "│ " + m.pageTitle()
	}
	return fit(m.th.title.Render(line), m.width)
}

// pageTitle names what the page shows.
func (m *Model) pageTitle() string {
	switch m.shownTab() {
	case onRules:
		return safeText(m.open.owner.Label()) + " > ACL rules"
	case onQuotas:
		return safeText(m.open.owner.Label()) + " > quotas"
	}
	n := plural(len(m.open.tokens), "token")
	if m.open.read.IsZero() && len(m.open.tokens) == 0 {
		n = "tokens"
	}
	if m.open.forAll() {
		return "All tokens > " + n
	}
	return safeText(m.open.owner.Label()) + " > " + n
}

// statusLines is the last result, above the footer. Errors are shown whole as
// far as statusMost lines go.
func (m *Model) statusLines() []string {
	var trouble []string
	if m.trouble != "" {
		trouble = dangerLines(m.th, max(m.width-2, 1), safeText(m.trouble))
		if most := min(statusMost, max(m.height/3, 1)); len(trouble) > most {
			trouble = trouble[:most]
		}
	}
	return append(trouble, m.resultLines()...)
}

func (m *Model) resultLines() []string {
	if m.status.kind == statusNone {
		return []string{""}
	}
	prefix, style := "", m.th.muted
	switch m.status.kind {
	case statusDone:
		prefix, style = "done: ", m.th.ok
	case statusWarn:
		prefix, style = m.th.sign.warn, m.th.warn
	case statusError:
		prefix, style = "error: ", m.th.danger
	}
	lines := wrap(m.numbered(prefix)+m.status.text, max(m.width-2, 1))
	if most := min(statusMost, max(m.height/3, 1)); len(lines) > most {
		lines = lines[:most]
		lines[most-1] = fit(lines[most-1]+" …", max(m.width-2, 1))
	}
	for i, l := range lines {
		lines[i] = " " + style.Render(l)
	}
	return lines
}

// footer names the keys that work now; a disabled one stands in parentheses
// and says why when it is pressed.
func (m *Model) footer() string {
	switch {
	case m.running != nil:
		return " " + m.th.key.Render("esc") + " stop waiting"
	case m.dialog != nil:
		if _, list := m.dialog.(*environmentDialog); list {
			return m.hints("j k", "choose", "enter", "open", "esc", "cancel")
		}
		if m.dialog.chooses() {
			return m.hints("← →", "choose", "tab", "next field", "enter", "next", "esc", "cancel")
		}
		return m.hints("tab", "next field", "enter", "next, or press the button", "esc", "cancel")
	case m.over != nil:
		return m.hints("j k", "scroll", "esc", "close")
	case m.filter.active:
		return m.hints("enter", "keep the filter", "esc", "clear it")
	case m.broker == nil && m.trail == nil:
		return m.hints("r", "try again", "d", "diagnose", "E", "environments", "A", "audit trail", "q", "quit")
	}
	where := m.where()
	if m.card != nil {
		where = onCard
	}
	var line strings.Builder
	line.WriteByte(' ')
	room := m.width - 1
	last := m.hint("?", "help")
	if m.held != nil {
		last = m.hint("Y", "clear clipboard") + "  " + last
	}
	for _, e := range m.keys {
		if e.footer&where == 0 || e.act == actHelp {
			continue
		}
		h := e.binding.Help()
		k, _, _ := strings.Cut(h.Key, " ")
		if e.act == actDetails && m.inPage() && m.open.forAll() {
			h.Desc = "owner"
		}
		text := m.hint(k, h.Desc)
		if m.disabled(e.act) != "" {
			text = m.th.muted.Render(m.th.sign.off[0] + k + " " + h.Desc + m.th.sign.off[1])
		}
		if w := ansi.StringWidth(text) + 2; w+ansi.StringWidth(last) <= room {
			line.WriteString(text + "  ")
			room -= w
		}
	}
	line.WriteString(last)
	return fit(line.String(), m.width)
}

func (m *Model) hint(key, text string) string { return m.th.key.Render(key) + " " + text }

func (m *Model) hints(pairs ...string) string {
	parts := make([]string, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		parts = append(parts, m.hint(pairs[i], pairs[i+1]))
	}
	return fit(" "+strings.Join(parts, "  "), m.width)
}
