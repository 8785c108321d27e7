package audit

import (
	"errors"
	"slices"
	"strings"

	"dtok/kafka"
)

// classify tells how a change ended from the error it returned and from how
// far it had come.
func classify(err error, phase kafka.Phase) (Outcome, *Problem) {
	if err == nil {
		return Done, nil
	}
	problem := &Problem{Text: err.Error(), Code: codeOf(err)}
	if problem.Code != 0 {
		// Code.String is "NAME (63)", or "error code 99" for one without a name.
		problem.Name, _, _ = strings.Cut(problem.Code.String(), " (")
	}
	switch {
	case as[*kafka.UnknownOutcomeError](err):
		return Unknown, problem
	case as[*kafka.SomeRulesError](err) && someDone(err):
		return Done, problem
	case removedNothing(err):
		return Refused, problem // confirmed, and nothing changed
	case as[*kafka.WrongOwnerError](err), as[*kafka.RemovedCountError](err):
		// The cluster did make a token, though not the one asked for, or
		// did delete, though not exactly the one rule that was meant.
		return Done, problem
	case as[*kafka.RefusedError](err), as[*kafka.MismatchError](err), as[*kafka.GoneError](err),
		as[*kafka.OldBrokerError](err), as[*kafka.UnsupportedError](err), as[*kafka.ReadOnlyError](err),
		as[*kafka.OffError](err), as[*kafka.OldRulesError](err):
		return Refused, problem
	case phase == kafka.PhaseSent:
		// An error of no known kind after the request was on its way proves
		// nothing about what the cluster did.
		return Unknown, problem
	}
	return Failed, problem
}

func codeOf(err error) kafka.Code {
	var refused *kafka.RefusedError
	if errors.As(err, &refused) {
		return refused.Code
	}
	var signIn *kafka.SignInError
	if errors.As(err, &signIn) {
		return signIn.Code
	}
	return kafka.CodeNone
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// removedNothing reports whether the cluster confirmed a deletion that found no
// rule.
func removedNothing(err error) bool {
	var count *kafka.RemovedCountError
	return errors.As(err, &count) && len(count.Removed) == 0
}

// someDone reports whether the cluster confirmed any rule of a change.
func someDone(err error) bool {
	var some *kafka.SomeRulesError
	return errors.As(err, &some) && slices.ContainsFunc(some.Results, func(r kafka.RuleResult) bool { return r.Err == nil })
}

// answered reports whether a change came back with what became of each rule,
// although not all is as it was asked.
func answered(err error) bool {
	return err == nil || as[*kafka.RemovedCountError](err) || as[*kafka.SomeRulesError](err)
}
