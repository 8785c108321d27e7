package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"
)

// A token is not known to all brokers and controllers at once: on KRaft, 47 of
// 50 renewals sent right after a creation were answered 62 (seen), and at most
// 3.1 s passed until all knew it. So for a token that this client has just
// created or changed, "not found" is asked again for a while.
const (
	settling     = 5 * time.Second
	settlingPoll = 100 * time.Millisecond
)

// touch notes that this client has just created or changed a token.
func (c *Client) touch(tokenID string) {
	now := c.clock.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.recent, func(_ string, at time.Time) bool { return now.Sub(at) > settling })
	c.recent[tokenID] = now
}

// forget notes that a token is gone: from then on 62 is no surprise.
func (c *Client) forget(tokenID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.recent, tokenID)
}

// patience is how much longer a "not found" for one token is asked again.
type patience struct {
	c     *Client
	until time.Time
}

// patienceFor is none for a token that this client has not touched lately.
func (c *Client) patienceFor(tokenID string) patience {
	now := c.clock.now()
	c.mu.Lock()
	at, ok := c.recent[tokenID]
	c.mu.Unlock()
	if !ok || now.Sub(at) > settling {
		return patience{c, now}
	}
	return patience{c, now.Add(settling)}
}

// again waits for the next try and reports whether there is one. code is what
// the brokers answered, or would have.
func (p patience) again(ctx context.Context, progress *Progress, code Code) (bool, error) {
	if !p.c.clock.now().Before(p.until) {
		return false, nil
	}
	progress.Set(PhaseWaiting)
	p.c.log().wait(settlingPoll, code)
	return true, p.c.clock.sleep(ctx, settlingPoll)
}

// change sends one request that changes the cluster, once, over a connection
// that has answered a reading just before. It returns nil when an answer was
// read; whether that is a refusal is for the caller. Once a byte has left, all
// that is not an answer is an *UnknownOutcomeError. It needs the turn.
func (c *Client) change(ctx context.Context, op Op, progress *Progress, ask *call) error {
	if c.conn == nil {
		return nothingSent(errClosed)
	}
	progress.Set(PhaseSent)
	broken := c.conn.exchange(ctx, c.settings.ChangeTimeout, ask)
	if broken != nil {
		c.giveUp(broken)
	}
	if ask.err == nil {
		return nil
	}
	if unsent, ok := errors.AsType[*notSentError](ask.err); ok {
		progress.Set(PhaseChecking) // it is not on its way after all
		return nothingSent(unsent.err)
	}
	return &UnknownOutcomeError{Op: op, Err: ask.err}
}

// nothingSent says so about a failure before a change.
func nothingSent(err error) error {
	if strings.HasSuffix(err.Error(), ".") {
		return fmt.Errorf("%w Nothing was sent.", err)
	}
	return fmt.Errorf("%w; nothing was sent", err)
}

// outcome is the error for a change's code, nil for none. 7 and -1 do not tell
// whether the controller has done it: 7 comes when it did not answer in time.
func (c *Client) outcome(op Op, code Code, token Token) error {
	switch code {
	case CodeNone:
		return nil
	case CodeRequestTimedOut, CodeUnknownServer:
		return &UnknownOutcomeError{Op: op, Err: causeError{"the broker answered " + code.String(), nil}}
	case CodeTokenAuthDisabled:
		if !c.listed {
			return &OffError{Cause: OffNoSecretKey, Version: c.Detected()}
		}
		// The brokers list tokens, so only the controllers lack the key.
	}
	err := c.refusal(op, code)
	if r, ok := errors.AsType[*RefusedError](err); ok {
		r.TokenID, r.Owner = token.ID, token.Owner
	}
	return err
}
