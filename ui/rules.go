package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"dtok/kafka"
)

// rulesPane is the tab of a user's ACL rules, in three groups.
type rulesPane struct {
	owner kafka.Principal
	known kafka.RuleList
	rows  []ruleRow
	list  list
	// counts are the rules of each group, whatever the filter shows.
	counts [groupsOfRules]int
	reading
}

// ruleRow is a rule and the group it stands in. A rule can stand in two.
type ruleRow struct {
	rule  kafka.ACLRule
	group kafka.RuleGroup
	// never is set for a rule that no check ever finds, right is the one that
	// was meant.
	never bool
	right kafka.ACLRule
	// id identifies the row: a rule has no other name than all its fields. It
	// is made once, because finding the cursor's row again looks at many.
	id string
}

const groupsOfRules = 3

// The columns of the rules, by which they can be sorted within their group.
const (
	byResource = iota
	byPattern
	byOperation
	byPermission
	byHost
	byPrincipal
	ruleSorts
)

var _ pane = (*rulesPane)(nil)

func (p *rulesPane) state() *list   { return &p.list }
func (p *rulesPane) last() *reading { return &p.reading }

// set replaces the rules and keeps the cursor on its rule.
func (p *rulesPane) set(l kafka.RuleList, height int) {
	p.known = l
	p.rows = p.rows[:0]
	for group, rules := range [groupsOfRules][]kafka.ACLRule{l.Of, l.Everyone, l.On} {
		p.counts[group] = len(rules)
		for _, r := range rules {
			right, never := r.NeverMatches()
			p.rows = append(p.rows, ruleRow{rule: r, group: kafka.RuleGroup(group), never: never, right: right,
				id: strconv.Itoa(group) + " " + r.String()})
		}
	}
	p.sort(height)
}

func (p *rulesPane) sort(height int) {
	by := map[int]func(a, b *kafka.ACLRule) int{
		byPattern:    func(a, b *kafka.ACLRule) int { return cmp.Compare(a.Pattern, b.Pattern) },
		byOperation:  func(a, b *kafka.ACLRule) int { return cmp.Compare(a.Operation, b.Operation) },
		byPermission: func(a, b *kafka.ACLRule) int { return cmp.Compare(a.Permission, b.Permission) },
		byHost:       func(a, b *kafka.ACLRule) int { return strings.Compare(a.Host, b.Host) },
		byPrincipal:  func(a, b *kafka.ACLRule) int { return strings.Compare(a.Principal, b.Principal) },
	}[p.list.sortBy]
	if by == nil {
		by = func(a, b *kafka.ACLRule) int { return 0 }
	}
	slices.SortStableFunc(p.rows, func(a, b ruleRow) int {
		if c := cmp.Compare(a.group, b.group); c != 0 {
			return c
		}
		c := cmp.Or(by(&a.rule, &b.rule), cmp.Compare(a.rule.ResourceType, b.rule.ResourceType),
			strings.Compare(a.rule.ResourceName, b.rule.ResourceName), strings.Compare(a.id, b.id))
		if p.list.reverse {
			return -c
		}
		return c
	})
	p.filter(p.list.filter, height)
}

func (p *rulesPane) order(reverse bool, height int) {
	p.list.order(reverse, (p.list.sortBy+1)%ruleSorts)
	p.sort(height)
}

// filter shows the rules that hold the text in any column. The headings stay,
// so that an empty group says that it is empty.
func (p *rulesPane) filter(text string, height int) {
	needle := foldNeedle(text)
	p.list.filter = text
	shown := make([]int32, 0, len(p.rows)+groupsOfRules)
	at := 0
	for group := range kafka.RuleGroup(groupsOfRules) {
		shown = append(shown, headingRow-int32(group))
		for ; at < len(p.rows) && p.rows[at].group == group; at++ {
			if needle == "" || ruleMatches(&p.rows[at].rule, needle) {
				shown = append(shown, int32(at))
			}
		}
	}
	p.list.shown = shown
	p.list.settle(height, p.key)
}

func ruleMatches(r *kafka.ACLRule, needle string) bool {
	return containsFold(r.ResourceName, needle) || containsFold(r.Principal, needle) ||
		containsFold(r.Operation.String(), needle) || containsFold(r.ResourceType.String(), needle) ||
		containsFold(r.Permission.String(), needle) || containsFold(r.Host, needle)
}

// key identifies a row.
func (p *rulesPane) key(row int) string {
	if row < 0 {
		return ""
	}
	return p.rows[row].id
}

// current is the rule under the cursor.
func (p *rulesPane) current() (ruleRow, bool) {
	if len(p.list.shown) == 0 || p.list.shown[p.list.cursor] < 0 {
		return ruleRow{}, false
	}
	return p.rows[p.list.shown[p.list.cursor]], true
}

// changeRules shows added and deleted rules without a reading.
func (p *rulesPane) changeRules(rules []kafka.ACLRule, deleted bool, height int) {
	l := p.known
	groups := [groupsOfRules]*[]kafka.ACLRule{&l.Of, &l.Everyone, &l.On}
	for _, rule := range rules {
		belongs := [groupsOfRules]bool{rule.Principal == p.owner.String(), rule.Principal == "User:*", rule.On(p.owner)}
		if right, never := rule.NeverMatches(); never {
			belongs[kafka.OnUser] = right.On(p.owner)
		}
		for g, in := range belongs {
			if !in {
				continue
			}
			kept := slices.DeleteFunc(slices.Clone(*groups[g]), func(r kafka.ACLRule) bool { return r == rule })
			if !deleted {
				kept = append(kept, rule)
			}
			*groups[g] = kept
		}
	}
	p.set(l, height)
}
