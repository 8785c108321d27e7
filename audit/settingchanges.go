package audit

import (
	"context"
	"strings"

	"dtok/kafka"
)

// AddRules records and passes on the adding of ACL rules.
func (r *Recorder) AddRules(ctx context.Context, change kafka.RuleChange) (kafka.RulesChanged, error) {
	return r.changeRules(ctx, kafka.OpAddRules, change, r.next.AddRules)
}

// DeleteRules records and passes on the deletion of ACL rules. It needs a
// reason that is more than blanks; without one it returns a *NoReasonError.
// A deletion that removed another number of rules than one says so.
func (r *Recorder) DeleteRules(ctx context.Context, change kafka.RuleChange) (kafka.RulesChanged, error) {
	if strings.TrimSpace(change.Reason) == "" {
		return kafka.RulesChanged{}, &NoReasonError{Op: kafka.OpDeleteRules}
	}
	return r.changeRules(ctx, kafka.OpDeleteRules, change, r.next.DeleteRules)
}

func (r *Recorder) changeRules(ctx context.Context, op kafka.Op, change kafka.RuleChange,
	next func(context.Context, kafka.RuleChange) (kafka.RulesChanged, error)) (kafka.RulesChanged, error) {
	if change.Progress == nil {
		change.Progress = new(kafka.Progress)
	}
	intent := r.intent(op)
	intent.Rules, intent.Reason = rulesOf(change.Rules), strings.TrimSpace(change.Reason)
	return record(ctx, r, intent, change.Progress,
		func() (kafka.RulesChanged, error) { return next(ctx, change) },
		func(rec *Record, changed kafka.RulesChanged) { rec.Rules = became(changed, op) })
}

// SetQuota records and passes on a value of a quota. It needs a reason, like
// DeleteRules.
func (r *Recorder) SetQuota(ctx context.Context, change kafka.QuotaChange) (kafka.QuotaChanged, error) {
	return r.changeQuota(ctx, kafka.OpSetQuota, change, r.next.SetQuota)
}

// RemoveQuota records and passes on the removal of a quota. It needs a reason,
// like DeleteRules.
func (r *Recorder) RemoveQuota(ctx context.Context, change kafka.QuotaChange) (kafka.QuotaChanged, error) {
	return r.changeQuota(ctx, kafka.OpRemoveQuota, change, r.next.RemoveQuota)
}

func (r *Recorder) changeQuota(ctx context.Context, op kafka.Op, change kafka.QuotaChange,
	next func(context.Context, kafka.QuotaChange) (kafka.QuotaChanged, error)) (kafka.QuotaChanged, error) {
	if strings.TrimSpace(change.Reason) == "" {
		return kafka.QuotaChanged{}, &NoReasonError{Op: op}
	}
	if change.Progress == nil {
		change.Progress = new(kafka.Progress)
	}
	intent := r.intent(op)
	intent.Quota, intent.Reason = quotaOf(change, op), strings.TrimSpace(change.Reason)
	return record(ctx, r, intent, change.Progress,
		func() (kafka.QuotaChanged, error) { return next(ctx, change) },
		func(rec *Record, changed kafka.QuotaChanged) { rec.Quota = intent.Quota.done(changed) })
}

var _ kafka.Changer = (*Recorder)(nil)
