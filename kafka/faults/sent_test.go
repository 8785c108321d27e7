package faults

import (
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// What was sent, counted on both sides of the proxy.

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
