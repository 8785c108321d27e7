package ui

import (
	"errors"
	"time"

	"dtok/kafka"
)

// noTokens is the text of an empty list.
const noTokens = "No delegation tokens"

// tokensView draws the open tokens list.
func (m *Model) tokensView(height, width int, focused bool) []string {
	p := m.open
	if p == nil {
		return []string{" enter opens a user"}
	}
	notes := m.tokensNotes(p, width)
	rows := max(height-1-len(notes), 1)
	if len(p.tokens) == 0 {
		return m.noteLines(notes)
	}
	cols := p.columns()
	lines := m.table(cols, p.content, &p.list, width, rows, focused, func(row, col int) cell {
		return m.tokenCell(p, int(p.list.shown[row]), col)
	})
	if len(p.list.shown) == 0 {
		lines = append(lines, " no token matches the filter")
	}
	return append(lines, m.noteLines(notes)...)
}

func (m *Model) noteLines(notes []string) []string {
	for i, n := range notes {
		notes[i] = " " + n
	}
	return notes
}

// shownColumns are the columns of the two kinds of list, by which one sorts.
func (p *tokensPane) shownColumns() []int {
	if p.forAll() {
		return []int{byID, byOwner, byExpires, byRenewers, byRequester, byMaxLifetime}
	}
	return []int{byID, byRenewers, byIssued, byExpires, byMaxLifetime}
}

func (p *tokensPane) columns() []column {
	all := map[int]column{
		byID:          {title: "Token ID", min: 22},
		byOwner:       {title: "Owner", min: 8, max: 24, grow: true},
		byRequester:   {title: "Requester", min: 9, max: 24, grow: true},
		byRenewers:    {title: "Renewers", min: 8, max: 24, grow: true},
		byIssued:      {title: "Issued", min: 11},
		byExpires:     {title: "Expires", min: 10},
		byMaxLifetime: {title: "Max lifetime ends", min: 17},
	}
	shown := p.shownColumns()
	cols := make([]column, len(shown))
	for i, by := range shown {
		cols[i] = all[by]
		if by == p.list.sortBy {
			cols[i].order = p.list.sorting()
		}
	}
	return cols
}

// content is the widest cell of a column. It depends on the whole list and not
// on the rows in view, so that columns stay where they are while one scrolls.
func (p *tokensPane) content(col int) int {
	switch p.shownColumns()[col] {
	case byID:
		return len("aaaaaaaaaaaaaaaaaaaaaa")
	case byOwner:
		return p.widths.owner
	case byRequester:
		return p.widths.requester
	case byRenewers:
		return p.widths.renewers
	case byIssued:
		return len("Nov 30 19:31")
	case byExpires:
		return len("*in 23h 59m")
	}
	return len("in 6d 23h")
}

func (m *Model) tokenCell(p *tokensPane, row, col int) cell {
	if row < 0 {
		return p.headingCell(int32(row), col)
	}
	t := &p.tokens[row]
	switch p.shownColumns()[col] {
	case byID:
		return cell{text: safeText(t.ID)}
	case byOwner:
		return cell{text: safeText(t.Owner.Label())}
	case byRequester:
		return cell{text: safeText(t.Requester.Label()), mark: markMuted}
	case byRenewers:
		if len(t.Renewers) == 0 {
			return cell{text: m.th.sign.none, mark: markMuted}
		}
		return cell{text: m.renewers(*t)}
	case byIssued:
		return cell{text: shortStamp(t.Issued, m.told, m.opts.Location), mark: markMuted}
	case byExpires:
		return m.expiryCell(*t, m.markOf(t.ID))
	}
	return cell{text: untilText(t.MaxLifetimeEnds.Sub(m.told)), mark: markMuted}
}

// expiryCell is how long a token still works, or EXPIRED.
func (m *Model) expiryCell(t kafka.Token, prefix string) cell {
	left := t.Expires.Sub(m.told)
	switch {
	case t.Expired(m.told):
		return cell{text: prefix + "EXPIRED", mark: markDanger}
	case left < time.Hour:
		return cell{text: prefix + untilText(left), mark: markWarn}
	}
	return cell{text: prefix + untilText(left)}
}

// markOf is what stands before an expiry that needs a word below the list.
func (m *Model) markOf(id string) string {
	switch {
	case m.suspects[id]:
		return m.th.sign.suspect
	case m.pending.note(id) != "":
		return m.th.sign.pending
	}
	return ""
}

// tokensNotes are the lines below a tokens list: why it is empty, what may be
// hidden, and what the marks mean.
func (m *Model) tokensNotes(p *tokensPane, width int) []string {
	if p == nil {
		return nil
	}
	wrapped := func(text string) []string { return wrap(text, max(width-2, 1)) }
	if off := m.tokensOff(); off != nil {
		return warnLines(m.th, max(width-2, 1), sentence(off))
	}
	if len(p.tokens) == 0 {
		switch {
		case p.err != nil:
			return wrapped("error: " + sentence(p.err))
		case p.read.IsZero():
			return []string{"reading tokens …"}
		}
		return append([]string{noTokens}, mutedLines(m.th, max(width-2, 1), m.hiddenText(p.owner))...)
	}
	var notes []string
	for id := range m.pending {
		if _, shown := m.findToken(id); shown && len(notes) < 2 {
			notes = append(notes, mutedLines(m.th, max(width-2, 1), m.th.sign.pendingNote+safeText(id)+": "+m.pending.noteText(id))...)
		}
	}
	for id := range m.suspects {
		if _, shown := m.findToken(id); shown && len(notes) < 4 {
			notes = append(notes, warnLines(m.th, max(width-2, 1), m.th.sign.suspectNote+safeText(id)+": "+suspectText)...)
		}
	}
	if !p.forAll() && m.canHide(p.owner) {
		notes = append(notes, mutedLines(m.th, max(width-2, 1), "More may be hidden without "+m.describeAll(p.owner)+".")...)
	}
	return notes
}

// canHide reports whether the broker may leave out tokens of this owner. It
// does not where one is the owner, where nothing is checked, or where one has the
// right to see all of them as far as the rules have been read.
func (m *Model) canHide(owner kafka.Principal) bool {
	self := m.session().Principal
	const describe = kafka.OperationDescribeTokens
	switch {
	case m.noAuthorizer():
		return false
	case owner.IsZero():
		return !kafka.RightOnAll(m.users.onUsers, self, describe)
	case owner == self:
		return false
	case m.rules.owner == owner && !m.rules.read.IsZero() && m.rules.known.Failed[kafka.OnUser] == nil:
		return !m.rules.known.TokenRight(self, describe).Given() // the page is read more often than the users
	}
	return !kafka.RightOn(owner, m.users.onUsers, self, describe).Given()
}

// noAuthorizer reports whether a reading has told that the cluster checks no
// rights, so that everyone sees all tokens.
func (m *Model) noAuthorizer() bool {
	for _, err := range []error{m.users.failed[kafka.FromACLs], m.rules.known.Failed[kafka.OnUser]} {
		var refused *kafka.RefusedError
		if errors.As(err, &refused) && refused.Code == kafka.CodeSecurityDisabled {
			return true
		}
	}
	return false
}

// describeAll is the permission that shows all tokens of an owner, of each
// where it is zero. Rights on users came with creating for others (KIP-373);
// brokers before know those on tokens alone.
func (m *Model) describeAll(owner kafka.Principal) string {
	on := owner.String()
	switch {
	case !m.session().CanCreateForOthers:
		return describeOne
	case owner.IsZero():
		on = "User:<owner>"
	}
	return "DescribeTokens on the User resource " + safeText(on)
}

// describeOne is the permission that shows one token.
const describeOne = "Describe on the token"

// hiddenText says that tokens may be hidden and by which missing permission:
// the broker leaves out what a connection may not see, without a word. It is
// "" where nothing can be hidden: one sees all of one's own tokens.
func (m *Model) hiddenText(owner kafka.Principal) string {
	rights := m.describeAll(owner) + "."
	if m.session().CanCreateForOthers {
		rights = m.describeAll(owner) + ", or " + describeOne + "."
	}
	switch {
	case !m.canHide(owner):
		return ""
	case owner.IsZero():
		return "Tokens of others may be hidden: this connection sees those that it owns, requested or may renew, and others " +
			"only with " + rights
	}
	return "Tokens may be hidden: the connection is not this user, and sees them only with " + rights
}
