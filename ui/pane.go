package ui

// pane is a list that can have the keys: the users, a user's tokens, ACL
// rules and quotas, or all tokens.
type pane interface {
	// state is the cursor, the filter and the order.
	state() *list
	// key identifies a row.
	key(row int) string
	// filter shows the rows that hold the text.
	filter(text string, height int)
	// order sorts by the next column, or the other way round.
	order(reverse bool, height int)
	// last is the latest reading.
	last() *reading
}

var (
	_ pane = (*usersPane)(nil)
	_ pane = (*tokensPane)(nil)
)

func (p *usersPane) state() *list   { return &p.list }
func (p *usersPane) last() *reading { return &p.reading }

func (p *usersPane) order(reverse bool, height int) {
	p.list.order(reverse, (p.list.sortBy+1)%userSorts)
	p.sort(height)
}

func (p *tokensPane) state() *list   { return &p.list }
func (p *tokensPane) last() *reading { return &p.reading }

func (p *tokensPane) order(reverse bool, height int) {
	p.list.order(reverse, nextOf(p.shownColumns(), p.list.sortBy))
	p.sort(height)
}

// nextOf is the element after this one, the first after the last.
func nextOf(all []int, this int) int {
	for i, v := range all {
		if v == this {
			return all[(i+1)%len(all)]
		}
	}
	return all[0]
}

// focused is the pane that has the keys.
func (m *Model) focused() pane {
	if m.trail != nil {
		return m.trail
	}
	if !m.inPage() {
		return &m.users
	}
	switch m.shownTab() {
	case onRules:
		return &m.rules
	case onQuotas:
		return &m.quotas
	}
	return m.open
}

// shownTab is the tab that is drawn; the list of all tokens has only one.
func (m *Model) shownTab() place {
	if m.open == nil || m.open.forAll() {
		return onTokens
	}
	return m.tab
}

// where is the place whose keys work on the lists.
func (m *Model) where() place {
	if m.trail != nil {
		return onTrail
	}
	return m.at
}

// inPage reports whether the keys go to the tokens side and not to the users.
func (m *Model) inPage() bool { return m.at != onUsers && m.open != nil }
