package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"dtok/kafka"
)

// tokensPane is a list of tokens: one owner's, or all for a zero owner.
type tokensPane struct {
	owner  kafka.Principal
	tokens []kafka.Token
	sorted []int32 // every token in the order chosen, before the filter
	list   list
	widths struct{ owner, requester, renewers int }
	now    time.Time       // as of the last change, for the groups
	counts [groupCount]int // tokens shown in each group
	soon   int             // tokens that expire within 24 hours
	// soonest is the next expiry at the time of the reading (kafka.NextExpiry).
	soonest time.Time
	// index is what a filter searches; built by the first one after a reading.
	index *tokenIndex

	reading
}

// The columns of the tokens lists, by which they can be sorted.
const (
	byID = iota
	byOwner
	byRequester
	byRenewers
	byIssued
	byExpires
	byMaxLifetime
	tokenSorts
)

// forAll reports whether the pane lists every owner's tokens.
func (p *tokensPane) forAll() bool { return p.owner.IsZero() }

// newTokensPane opens a list in its own order: newest first for a user,
// soonest expiry first for all.
func newTokensPane(owner kafka.Principal) tokensPane {
	p := tokensPane{owner: owner}
	p.list.sortBy, p.list.reverse = byIssued, true
	if owner.IsZero() {
		p.list.sortBy, p.list.reverse = byExpires, false
	}
	return p
}

// set replaces the tokens and keeps the cursor on its token.
func (p *tokensPane) set(tokens []kafka.Token, now time.Time, height int) {
	p.tokens, p.index = tokens, nil
	p.widths.owner, p.widths.requester, p.widths.renewers = 0, 0, 0
	p.soonest = time.Time{}
	for i := range tokens {
		p.soonest = kafka.NextExpiry(p.soonest, tokens[i].Expires, now)
		p.widths.owner = max(p.widths.owner, len(tokens[i].Owner.Label()))
		p.widths.requester = max(p.widths.requester, len(tokens[i].Requester.Label()))
		p.widths.renewers = max(p.widths.renewers, renewersWidth(tokens[i].Renewers))
	}
	p.soon = p.endingSoon()
	p.sort(height)
}

// sort orders the tokens by the column chosen.
func (p *tokensPane) sort(height int) {
	p.sorted = slices.Grow(p.sorted[:0], len(p.tokens))
	for i := range p.tokens {
		p.sorted = append(p.sorted, int32(i))
	}
	compare := p.comparison()
	if !slices.IsSortedFunc(p.sorted, compare) {
		slices.SortFunc(p.sorted, compare)
	}
	p.filter(p.list.filter, height)
}

// comparison is a total order: equal tokens keep the order of their IDs, so
// that a reading, which comes in no order, never shuffles the rows.
func (p *tokensPane) comparison() func(a, b int32) int {
	tokens := p.tokens
	by := map[int]func(a, b *kafka.Token) int{
		byID:          func(a, b *kafka.Token) int { return 0 },
		byOwner:       func(a, b *kafka.Token) int { return cmp.Compare(a.Owner.Label(), b.Owner.Label()) },
		byRequester:   func(a, b *kafka.Token) int { return cmp.Compare(a.Requester.Label(), b.Requester.Label()) },
		byRenewers:    func(a, b *kafka.Token) int { return cmp.Compare(renewersText(a.Renewers), renewersText(b.Renewers)) },
		byIssued:      func(a, b *kafka.Token) int { return a.Issued.Compare(b.Issued) },
		byExpires:     func(a, b *kafka.Token) int { return a.Expires.Compare(b.Expires) },
		byMaxLifetime: func(a, b *kafka.Token) int { return a.MaxLifetimeEnds.Compare(b.MaxLifetimeEnds) },
	}[p.list.sortBy]
	sign := 1
	if p.list.reverse {
		sign = -1
	}
	return func(i, j int32) int {
		a, b := &tokens[i], &tokens[j]
		if c := by(a, b); c != 0 {
			return sign * c
		}
		return sign * cmp.Compare(a.ID, b.ID)
	}
}

// filter shows the tokens that hold the text in their ID, owner, requester or
// renewers.
func (p *tokensPane) filter(text string, height int) {
	needle := []byte(foldNeedle(text))
	if len(needle) > 0 && p.index == nil {
		p.index = indexTokens(p.tokens)
	}
	from := p.sorted
	if p.list.filter != "" && strings.HasPrefix(text, p.list.filter) && p.list.filter != text {
		from = p.list.shown // a longer filter finds only what the shorter one found
	}
	p.list.filter = text
	shown := make([]int32, 0, len(from)+int(groupCount))
	for _, i := range from {
		if i >= 0 && (len(needle) == 0 || p.index.holds(i, needle)) {
			shown = append(shown, i)
		}
	}
	p.list.shown = p.grouped(shown)
	p.list.settle(height, p.key)
}

// key identifies a row.
func (p *tokensPane) key(row int) string { return p.tokens[row].ID }

// current is the token under the cursor.
func (p *tokensPane) current() (kafka.Token, bool) {
	if len(p.list.shown) == 0 {
		return kafka.Token{}, false
	}
	row := p.list.shown[p.list.cursor]
	if row < 0 {
		return kafka.Token{}, false
	}
	return p.tokens[row], true
}

// visible are the tokens on the screen.
func (p *tokensPane) visible(height int) []int32 { return p.list.window(height) }

// renewersText is "–" when there are none.
func renewersText(renewers []kafka.Principal) string {
	if len(renewers) == 0 {
		return "–"
	}
	names := make([]string, len(renewers))
	for i, r := range renewers {
		names[i] = r.Label()
	}
	return strings.Join(names, ", ")
}

func renewersWidth(renewers []kafka.Principal) int {
	n := 0
	for i := range renewers {
		n += len(renewers[i].Name) + 2
	}
	return n - 2
}
