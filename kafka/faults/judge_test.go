package faults

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

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
	check("secrets", e.quiet())
	if e.run.kind == none || e.run.kind == split {
		if e.claim != done && e.claim != other {
			check("a connection that only comes in pieces", fmt.Errorf("claim %s", e.claim))
		}
	}
	return errors.Join(wrong...)
}

// changesSent are the changes that the client began to send, and how many of
// them were answered 62, after which it may send once more.
func (e *ended) changesSent(key int16) (sent []asked, again int) {
	for i, b := range e.requests {
		for _, a := range requestsOf(b[min(e.begin(i).requests, len(b)):]) {
			if a.key != key || !a.isChange() {
				continue
			}
			sent = append(sent, a)
			if codes := codesOf(answerTo(a, e.answers[i])); slices.Equal(codes, []int16{int16(kafka.CodeTokenNotFound)}) {
				again++
			}
		}
	}
	return sent, again
}

// sent reports whether the client began to send its change.
func (e *ended) sent() bool {
	sent, _ := e.changesSent(e.changes[0])
	return len(sent) > 0
}

func (e *ended) begin(conn int) marks {
	if conn < len(e.began) {
		return e.began[conn]
	}
	return marks{} // it was made by the operation, or after it
}

// sentOnce: on the client's side of the proxy no change is sent again, unless
// the answer before it was 62, which changes nothing.
func (e *ended) sentOnce() error {
	if e.run.way == tls13 {
		return nil // the broker's count, which no fault can raise there
	}
	for _, key := range []int16{38, 39, 40, 30, 31, 49} {
		sent, again := e.changesSent(key)
		allowed := again
		if e.mayChange(key) {
			allowed++
		}
		if len(sent) > allowed {
			return fmt.Errorf("%d requests with key %d, of which %d were answered 62", len(sent), key, again)
		}
		if (e.claim == failed || e.claim == refused && e.saysNothingSent()) && len(sent) > again {
			return fmt.Errorf("it says that nothing was sent, and %d requests with key %d were, of which %d were answered 62", len(sent), key, again)
		}
	}
	return nil
}

// mayChange reports whether a request with that key belongs to the operation: its
// own, and the expiry of a token that was made for somebody else.
func (e *ended) mayChange(key int16) bool {
	return slices.Contains(e.changes, key) || key == 40 && is[*kafka.WrongOwnerError](e.err)
}

// arrivedOnce is the same at the broker. Bytes that lie can double a request on
// the way there, or turn its answer into a 62: then sentOnce decides.
func (e *ended) arrivedOnce() error {
	if e.run.lied() {
		return nil
	}
	counts := map[int16]int{}
	for _, key := range e.arrived() {
		counts[key]++
	}
	for key, n := range counts {
		allowed := 1
		if e.young {
			allowed++ // the first one is refused with 62
		}
		if !slices.Contains(e.changes, key) || n > allowed {
			return fmt.Errorf("%d requests with key %d arrived", n, key)
		}
	}
	return nil
}

// arrived are the keys of the changes that reached the broker from the client.
func (e *ended) arrived() []int16 {
	var keys []int16
	for _, r := range e.broker.Requests() {
		quotas, isQuotas := r.Message.(*kmsg.AlterClientQuotasRequest)
		prepared := e.young && r.Key == 38
		if r.Principal != kafka.UserPrincipal(observer) && isChangeKey(r.Key) && !(isQuotas && quotas.ValidateOnly) && !prepared {
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// signedInOnce: one sign-in for each connection, and at most one connection
// more than there was.
func (e *ended) signedInOnce() error {
	// Bytes that lie can make a sign-in test try another mechanism.
	if len(e.over) > len(e.began)+1 && !(e.name == opTestSignIn && e.run.lied()) {
		return fmt.Errorf("%d connections", len(e.over))
	}
	for i, b := range e.requests {
		n := 0
		for _, a := range requestsOf(b) {
			if a.key == int16(kmsg.SASLHandshake) {
				n++
			}
		}
		if n > 1 {
			return fmt.Errorf("%d sign-ins on connection %d", n, i)
		}
	}
	return nil
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
	for what, text := range texts {
		if at := e.secrets.in(text); at >= 0 {
			return fmt.Errorf("the %s holds one at %d", what, at)
		}
	}
	return nil
}
