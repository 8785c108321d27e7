package kafka

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/segmentio/kafka-go/protocol"

	"dtok/kafka/wire"
)

// removeNow is the period that makes the cluster remove a token at once: 0
// would leave it listed until the next sweep, by default for up to an hour.
const removeNow = -1

// RenewToken moves a token's expiry. The token is read first, which checks the
// HMAC and gives the expiry before; then the renewal is sent, at most once, so
// it takes two round trips. It destroys req.HMAC.
func (c *Client) RenewToken(ctx context.Context, req RenewRequest) (_ Renewed, err error) {
	defer c.log().operation(OpRenewToken)(&err)
	defer req.HMAC.Destroy()
	giveBack, err := c.take(ctx)
	if err != nil {
		return Renewed{}, nothingSent(err)
	}
	defer giveBack()
	token, err := c.verify(ctx, req.Token, req.HMAC, req.Progress)
	if err != nil {
		return Renewed{}, err
	}
	var answer wire.RenewResponse
	code, err := c.insist(ctx, OpRenewToken, token.ID, req.Progress, func() (Code, error) {
		err := c.sendHMAC(ctx, OpRenewToken, req.HMAC, req.Progress,
			func(hmac []byte) protocol.Message {
				return &wire.RenewRequest{HMAC: hmac, PeriodMs: req.Period.Wire()}
			},
			func(version int16, body []byte) (_ Code, err error) {
				answer, err = wire.ReadRenew(version, body)
				return Code(answer.ErrorCode), err
			})
		return Code(answer.ErrorCode), err
	})
	if err == nil {
		err = c.outcome(OpRenewToken, code, token)
	}
	if err != nil {
		return Renewed{}, err
	}
	c.touch(token.ID)
	before := token.Expires
	token.Expires = instant(answer.ExpiresMs)
	given := token.Expires.Sub(c.clock.now())
	capped := !req.Period.IsDefault() && given < req.Period.Duration()-time.Minute
	return Renewed{Token: token, Before: before, Capped: capped}, nil
}

// ExpireToken removes a token. Like RenewToken it reads the token first and
// sends the one change afterwards. It destroys req.HMAC.
func (c *Client) ExpireToken(ctx context.Context, req ExpireRequest) (_ Expired, err error) {
	defer c.log().operation(OpExpireToken)(&err)
	defer req.HMAC.Destroy()
	giveBack, err := c.take(ctx)
	if err != nil {
		return Expired{}, nothingSent(err)
	}
	defer giveBack()
	token, err := c.verify(ctx, req.Token, req.HMAC, req.Progress)
	if err != nil {
		return Expired{}, err
	}
	answer, code, err := c.expire(ctx, token.ID, req.HMAC, req.Progress)
	if err == nil {
		err = c.outcome(OpExpireToken, code, token)
	}
	if err != nil {
		return Expired{}, err
	}
	gone := Expired{Token: token, Before: token.Expires, At: instant(answer.ExpiresMs)}
	if gone.At.IsZero() {
		// KRaft 3.6 to 3.8 answers with the period it was sent, -1, and 4.x
		// with 0 for a token that had expired before (both seen).
		gone.At = c.clock.now()
	}
	gone.Token.Expires = gone.At
	return gone, nil
}

// expire sends the removal. The code says how the cluster took it.
func (c *Client) expire(ctx context.Context, tokenID string, hmac *Secret, progress *Progress) (answer wire.ExpireResponse, code Code, err error) {
	code, err = c.insist(ctx, OpExpireToken, tokenID, progress, func() (Code, error) {
		err := c.sendHMAC(ctx, OpExpireToken, hmac, progress,
			func(hmac []byte) protocol.Message { return &wire.ExpireRequest{HMAC: hmac, PeriodMs: removeNow} },
			func(version int16, body []byte) (_ Code, err error) {
				answer, err = wire.ReadExpire(version, body)
				return Code(answer.ErrorCode), err
			})
		return Code(answer.ErrorCode), err
	})
	if err == nil && code == CodeNone {
		c.forget(tokenID)
	}
	return answer, code, err
}

// sendHMAC sends a change that carries an HMAC, from a copy that is cleared:
// a secret in use could not be destroyed while the answer is waited for.
func (c *Client) sendHMAC(ctx context.Context, op Op, hmac *Secret, progress *Progress,
	request func(hmac []byte) protocol.Message, read func(int16, []byte) (Code, error)) error {
	var own []byte
	hmac.Use(func(raw []byte) { own = bytes.Clone(raw) })
	defer clear(own)
	return c.change(ctx, op, progress, &call{req: request(own), read: read})
}

// insist repeats a change that was refused with 62 while the token is so young
// that the controller may not know it yet. A refusal changes nothing, so this
// is no second change. An older token's 62 is final.
func (c *Client) insist(ctx context.Context, op Op, tokenID string, progress *Progress, send func() (Code, error)) (Code, error) {
	patience := c.patienceFor(tokenID)
	for {
		code, err := send()
		if err != nil || code != CodeTokenNotFound {
			return code, err
		}
		again, err := patience.again(ctx, progress, code)
		if err != nil {
			return code, causeError{"the " + string(op) + " request was refused so far and is not sent again", err}
		}
		if !again {
			return code, nil
		}
	}
}

// verify finds the token in the cluster and compares its HMAC with the given
// one, before anything is sent. It returns the token as it stands there.
func (c *Client) verify(ctx context.Context, chosen Token, hmac *Secret, progress *Progress) (Token, error) {
	progress.Set(PhaseChecking)
	patience := c.patienceFor(chosen.ID)
	for {
		token, found, err := c.find(ctx, chosen)
		switch {
		case err != nil:
			if _, off := errors.AsType[*OffError](err); off {
				return Token{}, err
			}
			return Token{}, nothingSent(err)
		case found && !c.prints.matches(token.fingerprint, hmac):
			return Token{}, &MismatchError{TokenID: chosen.ID}
		case found:
			// Another process may have made it a moment ago.
			if age := c.clock.now().Sub(token.Issued); age.Abs() <= settling {
				c.touch(token.ID)
			}
			return token, nil
		}
		again, err := patience.again(ctx, progress, CodeTokenNotFound)
		if err != nil {
			return Token{}, nothingSent(err)
		}
		if !again {
			return Token{}, &GoneError{TokenID: chosen.ID}
		}
	}
}

// find reads the tokens of the owner, and all tokens when it is not among
// those, and picks the one with the chosen ID.
func (c *Client) find(ctx context.Context, chosen Token) (Token, bool, error) {
	for _, owner := range unique([]Principal{chosen.Owner, {}}) {
		d, err := c.describe(ctx, owner)
		if err == nil {
			err = c.describeRefusal(d.code)
		}
		if err != nil {
			return Token{}, false, err
		}
		if i := slices.IndexFunc(d.tokens, func(t Token) bool { return t.ID == chosen.ID }); i >= 0 {
			return d.tokens[i], true, nil
		}
	}
	return Token{}, false, nil
}
