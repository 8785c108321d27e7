package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// RuleChanger adds and deletes ACL rules. Client is one.
type RuleChanger interface {
	AddRules(context.Context, RuleChange) (RulesChanged, error)
	DeleteRules(context.Context, RuleChange) (RulesChanged, error)
}

// RuleChange asks for rules to be added, or deleted, in one request.
type RuleChange struct {
	// Rules are at most MaxRules, each different.
	Rules []ACLRule
	// Reason is the person's; it goes to the audit trail and never to Kafka.
	Reason   string
	Progress *Progress
}

// MaxRules is how many rules one change may hold.
const MaxRules = 100

// RulesChanged is what became of each rule, in the order of the request. It is
// empty when no usable answer came.
type RulesChanged struct{ Results []RuleResult }

// RuleResult is what became of one rule.
type RuleResult struct {
	Rule ACLRule
	// Existed tells whether the broker listed the rule just before the change,
	// unless ExistedErr says why that could not be read. Adding a rule that is
	// there succeeds in Kafka and changes nothing.
	Existed    bool
	ExistedErr error
	// Removed are the rules that a deletion removed, by the cluster's answer.
	Removed []ACLRule
	// Err is nil when the change was done: a *RefusedError, a
	// *RemovedCountError, or an *UnknownOutcomeError.
	Err error
}

// AddRules adds rules. It reads first whether they exist, and then sends the
// one change over the connection that has just answered: two round trips. The
// error is nil when all were added, and otherwise the one rule's error or a
// *SomeRulesError.
func (c *Client) AddRules(ctx context.Context, change RuleChange) (RulesChanged, error) {
	return c.changeRules(ctx, OpAddRules, protocol.CreateAcls, ACLRule.CheckAdd, change,
		func(results []RuleResult) *call {
			return &call{req: creation(change.Rules), read: reading(kmsg.NewPtrCreateACLsResponse(),
				func(a *kmsg.CreateACLsResponse) { added(results, a) })}
		})
}

// DeleteRules deletes rules, each by a filter that nothing but the rule itself
// fits, and compares the number that the cluster removed for it with one. The
// errors are those of AddRules.
func (c *Client) DeleteRules(ctx context.Context, change RuleChange) (RulesChanged, error) {
	return c.changeRules(ctx, OpDeleteRules, protocol.DeleteAcls, ACLRule.checkExact, change,
		func(results []RuleResult) *call {
			return &call{req: deletion(change.Rules), read: reading(kmsg.NewPtrDeleteACLsResponse(),
				func(a *kmsg.DeleteACLsResponse) { removed(results, a) })}
		})
}

func (c *Client) changeRules(ctx context.Context, op Op, key protocol.ApiKey, check func(ACLRule) error, change RuleChange,
	ask func([]RuleResult) *call) (_ RulesChanged, err error) {
	defer c.log().operation(op)(&err)
	if err := checkRules(change.Rules, check); err != nil {
		return RulesChanged{}, nothingSent(err)
	}
	giveBack, err := c.take(ctx)
	if err != nil {
		return RulesChanged{}, nothingSent(err)
	}
	defer giveBack()
	change.Progress.Set(PhaseChecking)
	changed, err := c.existing(ctx, key, change.Rules)
	if err != nil {
		return RulesChanged{}, nothingSent(err)
	}
	for _, r := range change.Rules {
		if err := c.conn.offers.oldRules(key, r); err != nil {
			return RulesChanged{}, err
		}
	}
	// What the answer does not speak of stays unknown.
	for i := range changed.Results {
		changed.Results[i].Err = &UnknownOutcomeError{Op: op, Err: errors.New("the answer does not speak of this rule")}
	}
	if err := c.change(ctx, op, change.Progress, ask(changed.Results)); err != nil {
		return RulesChanged{}, err
	}
	return changed, changed.problem(op)
}

func checkRules(rules []ACLRule, check func(ACLRule) error) error {
	if len(rules) == 0 || len(rules) > MaxRules {
		return fmt.Errorf("a change holds 1 to %d rules, not %d", MaxRules, len(rules))
	}
	for i, r := range rules {
		if err := check(r); err != nil {
			return err
		}
		if slices.Contains(rules[:i], r) {
			return fmt.Errorf("the rule %s is named twice", r)
		}
	}
	return nil
}

// existing asks whether each rule is there, which also proves that the
// connection works. A refusal of that is no obstacle to the change.
func (c *Client) existing(ctx context.Context, key protocol.ApiKey, rules []ACLRule) (RulesChanged, error) {
	changed := RulesChanged{Results: make([]RuleResult, len(rules))}
	answers := make([]kmsg.DescribeACLsResponse, len(rules))
	asked := make([]*call, len(rules))
	alive := aliveCall()
	err := c.read(ctx, func(o offers) []*call {
		calls := []*call{alive}
		_, unsupported := o.version(describeACLs)
		for i, r := range rules {
			asked[i] = &call{req: existence(r), read: reading(&answers[i], func(*kmsg.DescribeACLsResponse) {})}
			if asked[i].err = cmp.Or(unsupported, o.oldRules(key, r), o.oldRules(describeACLs, r)); asked[i].err == nil {
				calls = append(calls, asked[i])
			}
		}
		return c.withClusterID(o, calls)
	})
	if err == nil {
		err = alive.err
	}
	if err != nil {
		return RulesChanged{}, err
	}
	for i, r := range rules {
		found, err := describedRules(asked[i], &answers[i])
		changed.Results[i] = RuleResult{Rule: r, Existed: slices.Contains(found, r), ExistedErr: err}
	}
	return changed, nil
}

var (
	_ RuleChanger = (*Client)(nil)
	_ RuleChanger = ReadOnly{}
)

// AddRules refuses.
func (r ReadOnly) AddRules(context.Context, RuleChange) (RulesChanged, error) {
	return RulesChanged{}, &ReadOnlyError{Reason: r.Reason}
}

// DeleteRules refuses.
func (r ReadOnly) DeleteRules(context.Context, RuleChange) (RulesChanged, error) {
	return RulesChanged{}, &ReadOnlyError{Reason: r.Reason}
}
