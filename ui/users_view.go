package ui

import (
	"strconv"
	"strings"

	"dtok/kafka"
)

// usersView draws the user list.
func (m *Model) usersView(height, width int, focused bool) []string {
	p := &m.users
	if p.read.IsZero() {
		return m.emptyUsers(width)
	}
	notes := m.usersNotes()
	rows := max(height-1-len(notes), 1)
	cols := m.userColumns()
	if m.wide() {
		width-- // a blank before the line between the panes
	}
	lines := m.table(cols, m.userContent, &p.list, width, rows, focused, func(row, col int) cell {
		return m.userCell(int(p.list.shown[row]), col)
	})
	if len(p.list.shown) == 0 {
		lines = append(lines, " no user matches the filter")
	}
	for _, n := range notes {
		lines = append(lines, " "+m.th.muted.Render(n))
	}
	return lines
}

func (m *Model) emptyUsers(width int) []string {
	if m.users.err != nil {
		var lines []string
		for _, l := range wrap("error: "+sentence(m.users.err), width-2) {
			lines = append(lines, " "+m.th.danger.Render(l))
		}
		return append(lines, "", " r reads again")
	}
	if m.users.loading() {
		return []string{" reading users …"}
	}
	return []string{" the users have not been read; r reads them"}
}

// table draws the part of a list that fits, with the cursor where the list has
// the keys. In a view the offset is only looked at: a window that became smaller
// still shows the cursor.
func (m *Model) table(cols []column, content func(col int) int, l *list, width, rows int, focused bool, at func(row, col int) cell) []string {
	if m.th.sign.spoken {
		for i := range cols {
			cols[i].order = unsorted // the breadcrumbs say it
		}
	}
	first := scrollTo(l.offset, l.cursor, rows, len(l.shown))
	cursor := -1
	if focused {
		cursor = l.cursor
	}
	var b strings.Builder
	drawRows(&b, m.rows, cols, layoutColumns(cols, content, width), first, min(rows, len(l.shown)-first), cursor, at)
	return strings.Split(b.String(), "\n")
}

func (m *Model) userColumns() []column {
	cols := []column{
		// Names that share a beginning must be told apart before quotas are shown.
		{title: "User", min: min(max(m.users.widest, 10), 18), grow: true},
		{title: "Tokens", min: 6, right: true},
		{title: "Next expiry", min: 11},
		{title: "ACL rules", min: 9, right: true},
		{title: "Quotas", min: 6, right: true},
		{title: "SCRAM", min: 7},
		{title: "Only in", min: 9},
	}
	cols[m.users.list.sortBy].order = m.users.list.sorting()
	return cols
}

func (m *Model) userContent(col int) int {
	switch col {
	case byUser:
		return m.users.widest
	case byNextExpiry:
		return len("in 23h 59m ")
	}
	return 0
}

func (m *Model) userCell(row, col int) cell {
	if row == allTokensRow {
		switch col {
		case byUser:
			return cell{text: "All tokens"}
		case byTokens:
			return m.countCell(m.users.total, kafka.FromTokens)
		case byNextExpiry:
			if !m.all.soonest.IsZero() {
				return m.expiryCell(kafka.Token{Expires: m.all.soonest, MaxLifetimeEnds: m.all.soonest}, "")
			}
		}
		return cell{}
	}
	u := &m.users.users[row]
	switch col {
	case byUser:
		return cell{text: safeText(u.Principal.Label())}
	case byTokens:
		return m.countCell(u.Tokens, kafka.FromTokens)
	case byNextExpiry:
		if u.Tokens == 0 {
			return cell{}
		}
		return m.expiryCell(kafka.Token{Expires: u.NextExpiry, MaxLifetimeEnds: u.NextExpiry}, "")
	case byRules:
		return m.countCell(u.ACLRules, kafka.FromACLs)
	case byQuotas:
		return m.countCell(u.Quotas, kafka.FromQuotas)
	}
	if col == onlyIn {
		if from, ok := u.From.Only(); ok {
			return cell{text: strings.TrimSuffix(from.String(), " users"), mark: markMuted}
		}
		return cell{}
	}
	if m.users.failed[kafka.FromSCRAM] != nil {
		return cell{text: m.th.sign.unread, mark: markMuted}
	}
	return cell{text: scramText(u.SCRAM), mark: markMuted}
}

// countCell is a number, or that its source could not be read.
func (m *Model) countCell(n int, from kafka.Source) cell {
	if m.users.failed[from] != nil {
		return cell{text: m.th.sign.unread, mark: markMuted}
	}
	if n == 0 {
		return cell{text: "0", mark: markMuted}
	}
	return cell{text: strconv.Itoa(n)}
}

// usersNotes name the sources that could not be read.
func (m *Model) usersNotes() []string {
	var notes []string
	for from := kafka.FromTokens; from <= kafka.FromSCRAM; from++ {
		if err := m.users.failed[from]; err != nil {
			notes = append(notes, wrap(m.th.sign.source+from.String()+": "+sentence(err), m.usersWidth()-2)...)
		}
	}
	return notes
}
