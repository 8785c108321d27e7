package kafka

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// RuleGroup is one of the three ways in which ACL rules concern a user.
type RuleGroup int

// The groups of a RuleList, in the order they are shown.
const (
	// OfUser: the rule's principal is the user.
	OfUser RuleGroup = iota
	// ForEveryone: the rule's principal is User:*.
	ForEveryone
	// OnUser: the rule's resource is the user.
	OnUser
	ruleGroups
)

// String is the group's name for people.
func (g RuleGroup) String() string {
	switch g {
	case OfUser:
		return "rules of this user"
	case ForEveryone:
		return "rules for everyone"
	case OnUser:
		return "rules on this user"
	}
	return "unknown group"
}

// RuleList is the answer to one reading of everything that concerns a user.
type RuleList struct {
	User Principal
	// Of are the rules whose principal is the user, and Everyone those for
	// User:*, which apply to the user as well.
	Of, Everyone []ACLRule
	// On are the rules on the User resource that cover the user, by name, by
	// PREFIXED or by "*", and those that would if they were not on the bare
	// name (ACLRule.NeverMatches).
	On []ACLRule
	// Failed says why a group could not be read: a *RefusedError with 31 where
	// Describe on the cluster is missing and with 54 where the cluster has no
	// authorizer, an *OldRulesError where the broker knows no rules on User
	// resources, an *UnsupportedError, an error of the connection otherwise.
	Failed map[RuleGroup]error
	// Read is when the last answer arrived.
	Read time.Time
}

// Rules reads all groups in one round trip. A group that cannot be read is
// named in RuleList.Failed and costs only itself; the error is for a reading of
// which nothing came back.
func (c *Client) Rules(ctx context.Context, user Principal) (_ RuleList, err error) {
	defer c.log().operation(OpListACLs)(&err)
	if err := checkLengths(user.String()); err != nil {
		return RuleList{}, err
	}
	giveBack, err := c.take(ctx)
	if err != nil {
		return RuleList{}, err
	}
	defer giveBack()
	var r *rulesReading
	err = c.read(ctx, func(o offers) []*call {
		r = newRulesReading(o, user)
		calls := r.calls()
		if len(calls) == 0 { // nothing to ask, but the connection may be dead
			calls = []*call{aliveCall()}
		}
		return c.withClusterID(o, calls)
	})
	if err != nil && (ctx.Err() != nil || r == nil || !r.any()) {
		return RuleList{}, err
	}
	l := r.list()
	l.Read = c.clock.now()
	return l, nil
}

// rulesReading collects the answers of one reading.
type rulesReading struct {
	user   Principal
	asked  []*rulesAsked
	failed map[RuleGroup]error
}

// rulesAsked is one DescribeAcls request for a group.
type rulesAsked struct {
	group  RuleGroup
	call   *call
	answer kmsg.DescribeACLsResponse
}

func newRulesReading(o offers, user Principal) *rulesReading {
	r := &rulesReading{user: user, failed: map[RuleGroup]error{}}
	// A principal in a filter is compared as text, so User:* is a question of
	// its own (AccessControlEntryFilter).
	r.ask(o, OfUser, principalFilter(user))
	if user != everyone {
		r.ask(o, ForEveryone, principalFilter(everyone))
	}
	if err := o.oldRules(describeACLs, ACLRule{ResourceType: ResourceUser}); err != nil {
		r.failed[OnUser] = err
		return r
	}
	// MATCH finds the name itself, "*", and the prefixes that cover the name.
	// The second question finds rules that were made for the bare name.
	r.ask(o, OnUser, userFilter(user.String()))
	if user.Name != "" {
		r.ask(o, OnUser, userFilter(user.Name))
	}
	return r
}

// describeACLs is the key of DescribeAcls.
const describeACLs = protocol.DescribeAcls

func principalFilter(p Principal) *kmsg.DescribeACLsRequest {
	f := kmsg.NewPtrDescribeACLsRequest()
	f.ResourceType, f.ResourcePatternType, f.Operation, f.PermissionType = anything, anything, anything, anything
	f.Principal = kmsg.StringPtr(p.String())
	return f
}

func userFilter(name string) *kmsg.DescribeACLsRequest {
	f := kmsg.NewPtrDescribeACLsRequest()
	f.ResourceType, f.ResourcePatternType, f.Operation, f.PermissionType = kmsg.ACLResourceType(ResourceUser), match, anything, anything
	f.ResourceName = kmsg.StringPtr(name)
	return f
}

func (r *rulesReading) ask(o offers, g RuleGroup, req *kmsg.DescribeACLsRequest) {
	a := &rulesAsked{group: g}
	a.call = &call{req: encoded{req}, read: reading(&a.answer, func(*kmsg.DescribeACLsResponse) {})}
	if _, err := o.version(describeACLs); err != nil {
		r.failed[g] = err
		return
	}
	r.asked = append(r.asked, a)
}

func (r *rulesReading) calls() []*call {
	calls := make([]*call, len(r.asked))
	for i, a := range r.asked {
		calls[i] = a.call
	}
	return calls
}

// any reports whether any group is known, be it that it cannot be.
func (r *rulesReading) any() bool {
	return slices.ContainsFunc(r.asked, func(a *rulesAsked) bool { return a.call.err == nil })
}

func (r *rulesReading) list() RuleList {
	l := RuleList{User: r.user, Failed: r.failed}
	var on []ACLRule
	for _, a := range r.asked {
		rules, err := describedRules(a.call, &a.answer)
		switch {
		case err != nil:
			r.failed[a.group] = err
		case a.group == OfUser:
			l.Of = rules
		case a.group == ForEveryone:
			l.Everyone = rules
		default:
			on = append(on, rules...)
		}
	}
	if r.failed[OnUser] == nil {
		l.On = onUser(on, r.user)
	}
	for _, rules := range [][]ACLRule{l.Of, l.Everyone, l.On} {
		slices.SortFunc(rules, compareRules)
	}
	return l
}

// onUser keeps what covers the user, and what was meant to, each once: "*" is
// in both answers, and a prefix such as "U" may be.
func onUser(rules []ACLRule, user Principal) []ACLRule {
	seen := make(map[ACLRule]struct{}, len(rules))
	kept := rules[:0]
	for _, r := range rules {
		if _, twice := seen[r]; twice || r.ResourceType != ResourceUser {
			continue
		}
		seen[r] = struct{}{}
		if r.isOrMeantOn(user) {
			kept = append(kept, r)
		}
	}
	return kept
}

// describedRules are the rules of an answer.
func describedRules(asked *call, answer *kmsg.DescribeACLsResponse) ([]ACLRule, error) {
	if asked.err != nil {
		return nil, asked.err
	}
	if code := Code(answer.ErrorCode); code != CodeNone {
		return nil, &RefusedError{Op: OpListACLs, Code: code}
	}
	n := 0
	for i := range answer.Resources {
		n += len(answer.Resources[i].ACLs)
	}
	rules := make([]ACLRule, 0, n)
	for i := range answer.Resources {
		rules = appendRules(rules, &answer.Resources[i])
	}
	return rules, nil
}

// appendRules appends the rules on one resource of an answer.
func appendRules(rules []ACLRule, on *kmsg.DescribeACLsResponseResource) []ACLRule {
	for _, a := range on.ACLs {
		rules = append(rules, ACLRule{ResourceType: ResourceType(on.ResourceType), ResourceName: on.ResourceName,
			Pattern: PatternType(on.ResourcePatternType), Principal: a.Principal, Host: a.Host,
			Operation: Operation(a.Operation), Permission: Permission(a.PermissionType)})
	}
	return rules
}

// compareRules sorts by resource, DENY before ALLOW, because it wins.
func compareRules(a, b ACLRule) int {
	return cmp.Or(
		cmp.Compare(a.ResourceType, b.ResourceType),
		strings.Compare(a.ResourceName, b.ResourceName),
		cmp.Compare(a.Pattern, b.Pattern),
		cmp.Compare(a.Permission, b.Permission),
		cmp.Compare(a.Operation, b.Operation),
		strings.Compare(a.Principal, b.Principal),
		strings.Compare(a.Host, b.Host),
	)
}
