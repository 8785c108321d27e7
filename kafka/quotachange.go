package kafka

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// QuotaChanger sets and removes quotas. Client is one.
type QuotaChanger interface {
	SetQuota(context.Context, QuotaChange) (QuotaChanged, error)
	RemoveQuota(context.Context, QuotaChange) (QuotaChanged, error)
}

// QuotaChange asks for one value of one entity to be set or removed.
type QuotaChange struct {
	// Entity has a user, a client-id or both.
	Entity Entity
	Key    string
	// Value is in the key's unit (ParseQuota), and ignored when removing.
	Value float64
	// Reason is the person's; it goes to the audit trail and never to Kafka.
	Reason   string
	Progress *Progress
}

// QuotaChanged is the value before and after; nil is none.
type QuotaChanged struct {
	Entity Entity
	Key    string
	// Before is what the broker told just before the change, unless BeforeErr
	// says why that could not be read.
	Before    *float64
	BeforeErr error
	// After is what the cluster confirmed.
	After *float64
}

// SetQuota sets a value. The cluster is asked first whether it would
// (validate_only), so that its own refusal comes without a change; then the
// change is sent, at most once: two round trips. The error is a *RefusedError,
// an *UnknownOutcomeError, or says why nothing was sent.
func (c *Client) SetQuota(ctx context.Context, change QuotaChange) (QuotaChanged, error) {
	if err := CheckQuota(change.Key, change.Value); err != nil {
		return QuotaChanged{}, nothingSent(err)
	}
	return c.changeQuota(ctx, OpSetQuota, change, &change.Value)
}

// RemoveQuota removes a value, in the same way. Kafka also confirms the
// removal of a value that was not there.
func (c *Client) RemoveQuota(ctx context.Context, change QuotaChange) (QuotaChanged, error) {
	return c.changeQuota(ctx, OpRemoveQuota, change, nil)
}

func (c *Client) changeQuota(ctx context.Context, op Op, change QuotaChange, after *float64) (_ QuotaChanged, err error) {
	defer c.log().operation(op)(&err)
	if err := change.check(); err != nil {
		return QuotaChanged{}, nothingSent(err)
	}
	giveBack, err := c.take(ctx)
	if err != nil {
		return QuotaChanged{}, nothingSent(err)
	}
	defer giveBack()
	change.Progress.Set(PhaseChecking)
	done := QuotaChanged{Entity: change.Entity, Key: change.Key}
	if err := c.validateQuota(ctx, op, change, &done); err != nil {
		return QuotaChanged{}, err
	}
	var answer quotaAnswer
	if err := c.change(ctx, op, change.Progress, answer.to(alterQuota(change, after == nil, false))); err != nil {
		return QuotaChanged{}, err
	}
	if err := answer.outcome(op); err != nil {
		return QuotaChanged{}, err
	}
	if after != nil {
		done.After = new(*after)
	}
	return done, nil
}

// check says why the change cannot be sent.
func (q QuotaChange) check() error {
	switch {
	case q.Entity.Other != "":
		return fmt.Errorf("dtok does not change quotas of %s", q.Entity)
	case q.Entity.Level() == 0:
		return errors.New("a quota is set on a user, a client-id, or both")
	case q.Key == "":
		return errNoKey
	}
	return checkLengths(q.Key, q.Entity.User.name, q.Entity.ClientID.name)
}

// validateQuota reads the value before and asks whether the cluster would make
// the change. It proves that the connection works.
func (c *Client) validateQuota(ctx context.Context, op Op, change QuotaChange, done *QuotaChanged) error {
	var described kmsg.DescribeClientQuotasResponse
	var verdict quotaAnswer
	var before, validate *call
	err := c.read(ctx, func(o offers) []*call {
		before = &call{req: encoded{describeQuotas(true, change.Entity.components()...)},
			read: reading(&described, func(*kmsg.DescribeClientQuotasResponse) {})}
		validate = verdict.to(alterQuota(change, op == OpRemoveQuota, true))
		return c.withClusterID(o, []*call{before, validate})
	})
	if err == nil {
		err = validate.err
	}
	if err != nil {
		return nothingSent(err)
	}
	if err := verdict.outcome(op); err != nil {
		if unknown, ok := errors.AsType[*UnknownOutcomeError](err); ok {
			return nothingSent(fmt.Errorf("asked whether it would %s: %w", op, unknown.Err))
		}
		return err
	}
	entities, err := describedQuotas(before, &described)
	done.BeforeErr = err
	for _, q := range entities {
		if q.Entity != change.Entity {
			continue
		}
		for _, v := range q.Values {
			if v.Key == change.Key {
				done.Before = new(v.Value)
			}
		}
	}
	return nil
}

func (e Entity) components() []kmsg.DescribeClientQuotasRequestComponent {
	var parts []kmsg.DescribeClientQuotasRequestComponent
	if !e.User.IsAbsent() {
		parts = append(parts, component(userEntity, e.User))
	}
	if !e.ClientID.IsAbsent() {
		parts = append(parts, component(clientEntity, e.ClientID))
	}
	return parts
}

// quotaAnswer is the answer about one entity.
type quotaAnswer struct {
	msg kmsg.AlterClientQuotasResponse
}

// to makes ask read into the answer.
func (a *quotaAnswer) to(ask *call) *call {
	ask.read = reading(&a.msg, func(*kmsg.AlterClientQuotasResponse) {})
	return ask
}

func (a *quotaAnswer) outcome(op Op) error {
	if len(a.msg.Entries) != 1 {
		return &UnknownOutcomeError{Op: op, Err: fmt.Errorf("the answer speaks of %d entities instead of one", len(a.msg.Entries))}
	}
	return changeOutcome(op, Code(a.msg.Entries[0].ErrorCode), a.msg.Entries[0].ErrorMessage)
}

var (
	_ QuotaChanger = (*Client)(nil)
	_ QuotaChanger = ReadOnly{}
)

// SetQuota refuses.
func (r ReadOnly) SetQuota(context.Context, QuotaChange) (QuotaChanged, error) {
	return QuotaChanged{}, &ReadOnlyError{Reason: r.Reason}
}

// RemoveQuota refuses.
func (r ReadOnly) RemoveQuota(context.Context, QuotaChange) (QuotaChanged, error) {
	return QuotaChanged{}, &ReadOnlyError{Reason: r.Reason}
}
