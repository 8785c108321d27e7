package kafka

import (
	"context"
	"errors"
	"fmt"
)

// ReplaceRequest asks for one rule to take the place of another.
type ReplaceRequest struct {
	// Wrong is deleted once Right is there.
	Wrong, Right ACLRule
	// Reason is the person's; it goes to the audit trail and never to Kafka.
	Reason   string
	Progress *Progress
}

// RuleReplaced is what became of both rules.
type RuleReplaced struct{ Added, Deleted RuleResult }

// ReplaceRule adds the right rule and then deletes the wrong one: two changes,
// so that there is no moment without either. The error is a *ReplaceError.
func ReplaceRule(ctx context.Context, changer RuleChanger, req ReplaceRequest) (RuleReplaced, error) {
	var done RuleReplaced
	if req.Wrong == req.Right {
		return done, errors.New("a rule cannot replace itself; nothing was sent")
	}
	change := RuleChange{Rules: []ACLRule{req.Right}, Reason: req.Reason, Progress: req.Progress}
	changed, err := changer.AddRules(ctx, change)
	if len(changed.Results) == 1 {
		done.Added = changed.Results[0]
	}
	if err != nil {
		return done, &ReplaceError{Right: req.Right, Wrong: req.Wrong, Err: err}
	}
	change.Rules = []ACLRule{req.Wrong}
	changed, err = changer.DeleteRules(ctx, change)
	if len(changed.Results) == 1 {
		done.Deleted = changed.Results[0]
	}
	if err != nil {
		return done, &ReplaceError{Right: req.Right, Wrong: req.Wrong, Added: true, Err: err}
	}
	return done, nil
}

// ReplaceError says how far a replacement came.
type ReplaceError struct {
	Right, Wrong ACLRule
	// Added is set when the right rule was added; Err is about deleting the
	// wrong one then, and about adding the right one otherwise.
	Added bool
	Err   error
}

// Error says which rules stand now.
func (e *ReplaceError) Error() string {
	if !e.Added {
		return fmt.Sprintf("%v The rule %s was left as it is.", sentence(e.Err), e.Wrong)
	}
	return fmt.Sprintf("The rule %s was added. Deleting %s did not end well: %v", e.Right, e.Wrong, sentence(e.Err))
}

// sentence is an error's text with a full stop.
func sentence(err error) string {
	s := err.Error()
	if s != "" && s[len(s)-1] != '.' {
		s += "."
	}
	return s
}

// Hint is the cause's.
func (e *ReplaceError) Hint() string {
	if h, ok := errors.AsType[interface {
		error
		Hint() string
	}](e.Err); ok {
		return h.Hint()
	}
	return ""
}

// Unwrap gives the cause.
func (e *ReplaceError) Unwrap() error { return e.Err }
