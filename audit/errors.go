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

// NoReasonError says that a change came without the reason that it needs.
// Nothing was sent.
type NoReasonError struct{ Op kafka.Op }

// Error is one sentence.
func (e *NoReasonError) Error() string {
	what := "expiring a token"
	switch e.Op {
	case kafka.OpDeleteRules:
		what = "deleting an ACL rule"
	case kafka.OpSetQuota:
		what = "setting a quota"
	case kafka.OpRemoveQuota:
		what = "removing a quota"
	}
	return "nothing was sent: " + what + " needs a reason, for the audit trail"
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
	return fmt.Sprintf("the audit trail%s lacks these records, because it cannot be written: %v\n%s",
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
