package kafka

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka/wire"
)

// Tokens lists the tokens that owner owns, or with a zero owner all that the
// connection may see; brokers leave out the others without an error. Where
// tokens are off the error is an *OffError.
func (c *Client) Tokens(ctx context.Context, owner Principal) (_ TokenList, err error) {
	defer c.log().operation(OpListTokens)(&err)
	giveBack, err := c.take(ctx)
	if err != nil {
		return TokenList{}, err
	}
	defer giveBack()
	d, err := c.describe(ctx, owner)
	if d == nil || !d.done() {
		return TokenList{}, err
	}
	// Whatever came after the tokens in the same reading does not matter here.
	return TokenList{Tokens: d.tokens, Read: c.clock.now()}, c.describeRefusal(d.code)
}

// describe reads the tokens of owner, or all for a zero owner. It needs the
// turn.
func (c *Client) describe(ctx context.Context, owner Principal) (*describing, error) {
	if off := c.off(ctx); off != nil {
		return nil, off
	}
	d := &describing{owner: owner}
	err := c.read(ctx, func(o offers) []*call {
		return c.withClusterID(o, []*call{d.call(c.listPrints())})
	})
	if err == nil {
		err = d.asked.err
	}
	return d, err
}

// describeRefusal is the error for a describe's code, nil for none.
func (c *Client) describeRefusal(code Code) error {
	switch code {
	case CodeNone:
		c.listed = true
		return nil
	case CodeTokenAuthDisabled:
		return &OffError{Cause: OffNoSecretKey, Version: c.Detected()}
	}
	return c.refusal(OpListTokens, code)
}

// describing is a DescribeDelegationToken request and its answer.
type describing struct {
	owner    Principal
	answered bool
	asked    *call
	tokens   []Token
	code     Code
}

func (d *describing) done() bool { return d.answered }

// listPrints makes the fingerprints of listed tokens, nil for none.
func (c *Client) listPrints() *fingerprinter {
	if c.settings.OnlyReads {
		return nil
	}
	return c.prints
}

// call makes the request, with prints for the tokens or without. The broker's
// own filter also matches requesters and renewers (DelegationTokenManager.
// filterToken), so the owner is compared once more here. No owner is sent as
// null: an empty list would ask for no token.
func (d *describing) call(prints *fingerprinter) *call {
	ask := &kmsg.DescribeDelegationTokenRequest{}
	if !d.owner.IsZero() {
		ask.Owners = []kmsg.DescribeDelegationTokenRequestOwner{{PrincipalType: d.owner.Type, PrincipalName: d.owner.Name}}
	}
	keep := func(w wire.Described[Principal]) (Token, bool) {
		if !d.owner.IsZero() && w.Owner != d.owner {
			return Token{}, false
		}
		t := Token{
			ID: w.ID, Owner: w.Owner, Requester: w.Requester, Renewers: w.Renewers,
			Issued: instant(w.IssuedMs), Expires: instant(w.ExpiresMs), MaxLifetimeEnds: instant(w.MaxMs),
		}
		if prints != nil {
			t.fingerprint = prints.of(w.HMAC)
		}
		return t, true
	}
	d.answered, d.tokens = false, nil
	d.asked = &call{req: encoded{ask},
		read: func(version int16, body []byte) (Code, error) {
			tokens, code, err := wire.ReadDescribe(version, body, principalOf, keep)
			if err == nil {
				d.tokens, d.code, d.answered = tokens, Code(code), true
			}
			return Code(code), err
		}}
	return d.asked
}

// principalOf is a principal as answers carry it; both parts empty is nobody.
func principalOf(kind, name string) Principal { return Principal{Type: kind, Name: name} }

// instant is a Kafka timestamp in milliseconds; -1 and 0 stand for none.
func instant(ms int64) time.Time {
	if ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
