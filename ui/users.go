package ui

import (
	"cmp"
	"slices"
	"strings"

	"dtok/kafka"
)

// usersPane is the user list. Its first row is "All tokens".
type usersPane struct {
	users  []kafka.User
	sorted []int32
	list   list
	// failed says why a source could not be read.
	failed map[kafka.Source]error
	total  int // tokens that the connection may see
	// onUsers are the rules on all users, as far as rules could be read.
	onUsers []kafka.ACLRule
	widest  int // length of the longest name

	reading
}

// allTokensRow is the row number of "All tokens", which is no user.
const allTokensRow = -1

// The columns of the user list, by which it can be sorted.
const (
	byUser = iota
	byTokens
	byNextExpiry
	byRules
	byQuotas
	bySCRAM
	userSorts

	onlyIn = userSorts // the column that names a user's only source
)

// set replaces the users and keeps the cursor on its user.
func (p *usersPane) set(list kafka.UserList, height int) {
	p.users, p.failed, p.total, p.onUsers = list.Users, list.Failed, len(list.Tokens), list.OnUsers
	p.widest = len("All tokens")
	for i := range p.users {
		p.widest = max(p.widest, len(p.users[i].Principal.Label()))
	}
	p.sort(height)
}

func (p *usersPane) sort(height int) {
	p.sorted = p.sorted[:0]
	for i := range p.users {
		p.sorted = append(p.sorted, int32(i))
	}
	by := p.comparison()
	slices.SortFunc(p.sorted, func(i, j int32) int {
		a, b := &p.users[i], &p.users[j]
		c := by(a, b)
		if p.list.reverse {
			c = -c
		}
		return cmp.Or(c, cmp.Compare(a.Principal.Label(), b.Principal.Label()))
	})
	p.filter(p.list.filter, height)
}

// comparison puts what one looks for first: most tokens, soonest expiry.
func (p *usersPane) comparison() func(a, b *kafka.User) int {
	switch p.list.sortBy {
	case byTokens:
		return func(a, b *kafka.User) int { return cmp.Compare(b.Tokens, a.Tokens) }
	case byNextExpiry:
		return func(a, b *kafka.User) int {
			if a.NextExpiry.IsZero() != b.NextExpiry.IsZero() {
				if a.NextExpiry.IsZero() {
					return 1
				}
				return -1
			}
			return a.NextExpiry.Compare(b.NextExpiry)
		}
	case byRules:
		return func(a, b *kafka.User) int { return cmp.Compare(b.ACLRules, a.ACLRules) }
	case byQuotas:
		return func(a, b *kafka.User) int { return cmp.Compare(b.Quotas, a.Quotas) }
	case bySCRAM:
		return func(a, b *kafka.User) int { return cmp.Compare(len(b.SCRAM), len(a.SCRAM)) }
	}
	return func(a, b *kafka.User) int { return cmp.Compare(a.Principal.Label(), b.Principal.Label()) }
}

// visible are the rows on the screen.
func (p *usersPane) visible(height int) []int32 { return p.list.window(height) }

// filter shows the users whose name holds the text. "All tokens" stays only
// without a filter, so that enter opens the first match.
func (p *usersPane) filter(text string, height int) {
	needle := foldNeedle(text)
	p.list.filter = text
	shown := make([]int32, 0, len(p.sorted)+1)
	if needle == "" {
		shown = append(shown, allTokensRow)
	}
	for _, i := range p.sorted {
		if needle == "" || containsFold(p.users[i].Principal.Label(), needle) {
			shown = append(shown, i)
		}
	}
	p.list.shown = shown
	p.list.settle(height, p.key)
}

// key identifies a row. No principal is without a colon, so "all" is none.
func (p *usersPane) key(row int) string {
	if row == allTokensRow {
		return "all"
	}
	return p.users[row].Principal.String()
}

// current is the principal under the cursor, zero for "All tokens"; false when
// there is no row.
func (p *usersPane) current() (kafka.Principal, bool) {
	if len(p.list.shown) == 0 {
		return kafka.Principal{}, false
	}
	row := p.list.shown[p.list.cursor]
	if row == allTokensRow {
		return kafka.Principal{}, true
	}
	return p.users[row].Principal, true
}

// find is the row of a principal.
func (p *usersPane) find(who kafka.Principal) (kafka.User, bool) {
	for i := range p.users {
		if p.users[i].Principal == who {
			return p.users[i], true
		}
	}
	return kafka.User{}, false
}

// scramText shortens the mechanisms: both are the usual case.
func scramText(mechanisms []string) string {
	short := make([]string, len(mechanisms))
	for i, m := range mechanisms {
		short[i] = strings.TrimPrefix(m, "SCRAM-SHA-")
	}
	return strings.Join(short, " ")
}
