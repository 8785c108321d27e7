package audit

import (
	"fmt"
	"strings"

	"dtok/kafka"
)

// IntentError says that a change was not sent because its intent could not be
// recorded. Nothing changed in the cluster, and the HMAC that came with the
// request is destroyed.
type IntentError struct {
	Op kafka.Op
	// Path is the trail's file, "" where there is no place for one.
	Path string
	Err  error
}

// Error is one sentence.
func (e *IntentError) Error() string {
	return fmt.Sprintf("nothing was sent: the audit trail%s cannot record it: %v", at(e.Path), e.Err)
}

// Unwrap gives the cause.
func (e *IntentError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *IntentError) Hint() string {
	return "changes are refused until the trail can be written; --audit-file names another place for it"
}

// NoReasonError says that an expiry came without a reason. Nothing was sent.
type NoReasonError struct{}

// Error is one sentence.
func (e *NoReasonError) Error() string {
	return "nothing was sent: expiring a token needs a reason, for the audit trail"
}

// OutcomeError says that a change has ended and that its outcome could not be
// recorded. The result that is returned with it is the change's own and valid
// whenever ChangeErr is nil: a new token's HMAC, above all, is there. The
// trail keeps the record and tries again with the next one and in Close.
type OutcomeError struct {
	Op      kafka.Op
	Outcome Outcome
	Path    string
	// Change is the change's own error, nil when it was done.
	Change error
	// Err is why the outcome could not be written.
	Err error
}

// Error is the change's own error, where it has one, and then the gap.
func (e *OutcomeError) Error() string {
	if e.Change != nil {
		return e.Change.Error() + "; " + e.AuditGap()
	}
	return e.AuditGap()
}

// Unwrap gives both, so that errors.As finds the change's own error as if the
// outcome had been recorded.
func (e *OutcomeError) Unwrap() []error {
	if e.Change != nil {
		return []error{e.Change, e.Err}
	}
	return []error{e.Err}
}

// ChangeErr is the change's own error, nil when it was done. It lets the
// screens take the two apart without knowing this package.
func (e *OutcomeError) ChangeErr() error { return e.Change }

// AuditGap is the sentence about the record alone.
func (e *OutcomeError) AuditGap() string {
	return fmt.Sprintf("the outcome of this change (%s: %s) is not yet in the audit trail%s: %v; dtok keeps it and tries again",
		e.Op, e.Outcome, at(e.Path), e.Err)
}

// UnwrittenError is what Close returns when records are lost with the process.
type UnwrittenError struct {
	Path string
	// Lines are the records as they would stand in the file, for a person to
	// keep. They hold no secret.
	Lines []string
	Err   error
}

// Error names each record on a line of its own.
func (e *UnwrittenError) Error() string {
	return fmt.Sprintf("the audit trail%s lacks these outcomes, because it cannot be written: %v\n%s",
		at(e.Path), e.Err, strings.Join(e.Lines, "\n"))
}

// Unwrap gives the cause.
func (e *UnwrittenError) Unwrap() error { return e.Err }

func at(path string) string {
	if path == "" {
		return ""
	}
	return " " + path
}
