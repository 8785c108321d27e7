package faults

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dtok/kafka"
)

// claim is what dtok says became of an operation, in its error.
type claim string

const (
	done    claim = "done"
	partial claim = "partial" // a reading, some of whose sources failed
	other   claim = "other"   // done, and not as asked
	refused claim = "refused"
	failed  claim = "failed" // before anything was sent
	unknown claim = "unknown"
)

var claims = []claim{done, partial, other, refused, failed, unknown}

// claimOf reads it from a result. The package's own names for errors are the
// contract: the trail and the screens go by them.
func claimOf(o operation, result any, err error) claim {
	switch {
	case err == nil:
		users, isUsers := result.(kafka.UserList)
		rules, isRules := result.(kafka.RuleList)
		if isUsers && len(users.Failed) > 0 || isRules && len(rules.Failed) > 0 {
			return partial
		}
		return done
	case is[*kafka.UnknownOutcomeError](err):
		return unknown
	case is[*kafka.WrongOwnerError](err), is[*kafka.RemovedCountError](err):
		return other
	case is[*kafka.SomeRulesError](err):
		some, _ := errors.AsType[*kafka.SomeRulesError](err)
		if slices.ContainsFunc(some.Results, func(r kafka.RuleResult) bool { return r.Err == nil }) {
			return other
		}
		return refused
	case is[*kafka.RefusedError](err), is[*kafka.MismatchError](err), is[*kafka.GoneError](err), is[*kafka.OffError](err),
		is[*kafka.OldBrokerError](err), is[*kafka.UnsupportedError](err), is[*kafka.OldRulesError](err):
		return refused
	case is[*kafka.SignInError](err) && (o.name == opDial || o.name == opTestSignIn):
		return refused // elsewhere it is in the way
	}
	return failed
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// ended is a run that is over, and all that can be known of it.
type ended struct {
	*world
	operation
	claim  claim
	result any
	err    error
	// before and after are the cluster around the operation.
	before, after cluster
	// requests and answers are what each connection's client wrote and was
	// given; not with TLS.
	requests, answers [][]byte
	// began is where the operation begins in those, for each connection that
	// stood by then, and over where it ends.
	began, over []marks
}

type marks struct{ requests, answers int }

// judge says what is wrong with a run.
func judge(ctx context.Context, e *ended) error {
	var wrong []error
	check := func(what string, err error) {
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", what, err))
		}
	}
	check("never twice", e.sentOnce())
	check("the broker's count", e.arrivedOnce())
	check("sign-ins", e.signedInOnce())
	check("the claim and the cluster", e.claimHolds())
	if e.run.lied() {
		check("the claim and what was said", e.claimFollows())
	}
	check("the words", e.words())
	check("the audit trail", e.recorded(ctx))
	check("the log", e.logged())
	check("secrets", e.quiet())
	if e.run.kind == none || e.run.kind == split {
		if e.claim != done && e.claim != other {
			check("a connection that only comes in pieces", fmt.Errorf("claim %s", e.claim))
		}
	}
	return errors.Join(wrong...)
}

// claimHolds compares the claim with the cluster.
func (e *ended) claimHolds() error {
	same := unchanged(e.before, e.after)
	if len(e.changes) == 0 {
		if same == nil && (e.claim == done || e.claim == partial) && !e.run.lied() {
			return e.agrees(e.world, e.after, e.result)
		}
		if e.claim == refused && !e.run.lied() {
			return fmt.Errorf("the broker refuses nothing here: %w", e.err)
		}
		return same
	}
	if e.run.lied() && e.claim != failed && e.sent() {
		return nil // what arrived, and what was said of it, may be another thing: claimFollows
	}
	once := e.once(e.before, e.after)
	switch e.claim {
	case done:
		if once != nil {
			return once
		}
		return e.agrees(e.world, e.after, e.result)
	case other:
		wrong, ok := errors.AsType[*kafka.WrongOwnerError](e.err)
		switch {
		case !ok || e.name != opWrongOwner:
			return e.err
		case wrong.Expired:
			return same
		case !wrong.Unknown:
			return once
		}
	case refused:
		if !e.run.lied() {
			return fmt.Errorf("the broker refuses nothing here: %w", e.err)
		}
		return same
	case failed:
		return same
	}
	if same != nil && once != nil {
		return fmt.Errorf("it is neither unchanged nor changed once: %w", once)
	}
	return nil
}

// claimFollows compares the claim with the answer that the client was given,
// where that need not be what the broker said. It may always say unknown.
func (e *ended) claimFollows() error {
	if len(e.changes) == 0 || e.claim == unknown || e.claim == failed {
		return nil
	}
	var codes []int16
	heard := false
	for i := range e.requests {
		sent, _ := e.changesSent(e.changes[0])
		for _, a := range sent {
			if resp := answerTo(a, e.answers[i]); resp != nil {
				codes, heard = codesOf(resp), true
			}
		}
	}
	succeeded := heard && !slices.ContainsFunc(codes, func(c int16) bool { return c != 0 })
	switch {
	case (e.claim == done || e.claim == other && !is[*kafka.SomeRulesError](e.err)) && !succeeded:
		return fmt.Errorf("it says %s, and was told %v, %v", e.claim, heard, codes)
	case e.claim == refused && heard && succeeded:
		return errors.New("it says refused, and was told that all went well")
	}
	return nil
}

func (e *ended) saysNothingSent() bool {
	text := e.err.Error()
	if h, ok := errors.AsType[interface {
		error
		Hint() string
	}](e.err); ok {
		text += h.Hint()
	}
	return strings.Contains(strings.ToLower(text), "nothing was sent")
}

// words: the error says as much as it knows about the change.
func (e *ended) words() error {
	if len(e.changes) == 0 || e.err == nil {
		return nil
	}
	switch said := e.saysNothingSent() || strings.Contains(e.err.Error(), "refused so far"); {
	case e.claim == failed && !said, (e.claim == unknown || e.claim == other) && said:
		return fmt.Errorf("%s: %w", e.claim, e.err)
	}
	return nil
}

// quiet: no secret is in the error, in its hint, in the result or in the trail.
func (e *ended) quiet() error {
	texts := map[string][]byte{"result": shown(e.result)}
	for err := e.err; err != nil; err = errors.Unwrap(err) {
		texts["error"] = append(texts["error"], shown(err)...)
		if h, ok := err.(interface{ Hint() string }); ok {
			texts["error"] = append(texts["error"], h.Hint()...)
		}
	}
	texts["trail"] = e.trailText()
	texts["log"] = e.log.bytes()
	secrets := append(e.secrets, e.proofs()...)
	for what, text := range texts {
		if at := secrets.in(text); at >= 0 {
			return fmt.Errorf("the %s holds one at %d", what, at)
		}
	}
	return nil
}
