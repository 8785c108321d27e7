package ui

import (
	"slices"
	"strconv"
	"time"
)

// group is a part of the list of all tokens: what an on-call person looks for
// comes first.
type group int

const (
	groupExpired group = iota
	groupHour
	groupDay
	groupLater
	groupCount
)

func (g group) String() string {
	return [...]string{"expired", "within 1 h", "within 24 h", "later"}[g]
}

// groupOf is the group of a token by the time it has left.
func groupOf(left time.Duration) group {
	switch {
	case left < 0:
		return groupExpired
	case left < time.Hour:
		return groupHour
	case left < 24*time.Hour:
		return groupDay
	}
	return groupLater
}

// heading is the row number of a group's heading.
func (g group) heading() int32 { return headingRow - int32(g) }

// grouped puts the headings between the rows, where the list is in the order
// of expiry.
func (p *tokensPane) grouped(shown []int32) []int32 {
	p.counts = [groupCount]int{}
	for _, row := range shown {
		p.counts[groupOf(p.tokens[row].Expires.Sub(p.now))]++
	}
	if !p.forAll() || p.list.sortBy != byExpires || p.list.reverse {
		return shown
	}
	at := 0
	for g, n := range p.counts {
		if n > 0 {
			shown = slices.Insert(shown, at, group(g).heading())
			at += n + 1
		}
	}
	return shown
}

// headingCell is the text of a heading.
func (p *tokensPane) headingCell(row int32, col int) cell {
	if col != 0 {
		return cell{}
	}
	g := group(headingRow - row)
	text := g.String() + " (" + strconv.Itoa(p.counts[g]) + ")"
	switch g {
	case groupExpired:
		return cell{text: text, mark: markDanger, span: true}
	case groupHour:
		return cell{text: text, mark: markWarn, span: true}
	}
	return cell{text: text, mark: markMuted, span: true}
}

// regroup moves tokens from group to group as time passes.
func (p *tokensPane) regroup(now time.Time, height int) {
	p.now = now
	if p.forAll() && len(p.tokens) > 0 {
		rows := slices.DeleteFunc(slices.Clone(p.list.shown), func(row int32) bool { return row < 0 })
		p.list.shown = p.grouped(rows)
		p.list.settle(height, p.key)
	}
}

// endingSoon counts the tokens that expire within 24 hours.
func (p *tokensPane) endingSoon() int {
	n := 0
	for i := range p.tokens {
		if g := groupOf(p.tokens[i].Expires.Sub(p.now)); g == groupHour || g == groupDay {
			n++
		}
	}
	return n
}
