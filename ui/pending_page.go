package ui

import (
	"dtok/kafka"
)

// pendingPage keeps the changes of ACL rules and quotas that the cluster has
// confirmed and that no reading of the page's user has shown yet, as
// pendingChanges does for tokens.
type pendingPage struct {
	rules  map[kafka.ACLRule]bool // true for a rule that was deleted
	quotas map[quotaID]*float64   // nil for a value that was removed
}

// quotaID names one value of one entity.
type quotaID struct {
	entity kafka.Entity
	key    string
}

func newPendingPage() pendingPage {
	return pendingPage{rules: map[kafka.ACLRule]bool{}, quotas: map[quotaID]*float64{}}
}

func (p pendingPage) empty() bool { return len(p.rules)+len(p.quotas) == 0 }

// settleRules forgets the rules that a reading shows and puts back the others.
func (p pendingPage) settleRules(pane *rulesPane, height int) {
	listed := make(map[kafka.ACLRule]bool, len(pane.rows))
	for i := range pane.rows {
		listed[pane.rows[i].rule] = true
	}
	for rule, deleted := range p.rules {
		if listed[rule] != deleted {
			delete(p.rules, rule)
			continue
		}
		pane.changeRules([]kafka.ACLRule{rule}, deleted, height)
	}
}

// settleQuotas does the same for values.
func (p pendingPage) settleQuotas(pane *quotasPane, height int) {
	for id, after := range p.quotas {
		now, set := pane.known.Value(id.entity, id.key)
		if set == (after != nil) && (after == nil || now == *after) {
			delete(p.quotas, id)
			continue
		}
		pane.changeQuota(id.entity, id.key, after, height)
	}
}

// note says how many changes on the page the broker does not show yet.
func (p pendingPage) note(n int) string {
	if n == 0 {
		return ""
	}
	return "* " + plural(n, "change") + " made a moment ago; the broker does not list it yet"
}
