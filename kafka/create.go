package kafka

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/segmentio/kafka-go/protocol"

	"dtok/kafka/wire"
)

// ownerVersion is the first version of CreateDelegationToken that carries an
// owner (KIP-373, Kafka 3.3). Older brokers would make the token for the
// connection itself without an error.
const ownerVersion = 3

// CreateToken makes a token. It asks for the API versions first, to send the
// one creation over a connection that works, so it takes two round trips.
//
// The owner in the answer is compared with the one asked for; a token made for
// somebody else is expired at once and reported as a *WrongOwnerError.
func (c *Client) CreateToken(ctx context.Context, req CreateRequest) (_ Created, err error) {
	defer c.log().operation(OpCreateToken)(&err)
	giveBack, err := c.take(ctx)
	if err != nil {
		return Created{}, nothingSent(err)
	}
	defer giveBack()
	req.Progress.Set(PhaseChecking)
	if err := c.prove(ctx); err != nil {
		return Created{}, err
	}
	ask, err := c.createRequest(req)
	if err != nil {
		return Created{}, err
	}
	made, code, err := c.create(ctx, req, ask)
	if err != nil {
		return Created{}, err
	}
	if err := c.outcome(OpCreateToken, code, Token{Owner: c.named(req.Owner)}); err != nil {
		return Created{}, err
	}
	c.touch(made.Token.ID)
	if owner := made.Token.Owner; !req.Owner.IsZero() && owner != req.Owner {
		defer made.HMAC.Destroy()
		wrong := &WrongOwnerError{Asked: req.Owner, Got: owner, TokenID: made.Token.ID}
		wrong.Expired, wrong.Unknown = c.undo(ctx, made)
		return Created{}, wrong
	}
	return made, nil
}

// prove reads the API versions over the connection, so that a change is not
// the first to find out that it is broken.
func (c *Client) prove(ctx context.Context) error {
	if off := c.off(ctx); off != nil {
		return off
	}
	var ask *call
	err := c.read(ctx, func(o offers) []*call {
		ask = aliveCall()
		return c.withClusterID(o, []*call{ask})
	})
	if err == nil {
		err = ask.err
	}
	if err != nil {
		return nothingSent(err)
	}
	if off := c.Session().Off; off != nil {
		return off // another broker, after a redial
	}
	return nil
}

// createRequest is what to send, or why nothing is sent.
func (c *Client) createRequest(req CreateRequest) (*wire.CreateRequest, error) {
	s := c.Session()
	w := &wire.CreateRequest{MaxLifetimeMs: req.MaxLifetime.Wire()}
	// The connection's own principal goes as null: a broker then compares no
	// names, and brokers below v3 know nothing else.
	if !req.Owner.IsZero() && req.Owner != s.Principal {
		if c.conn.offers.max(protocol.CreateDelegationToken) < ownerVersion {
			return nil, &OldBrokerError{Owner: req.Owner, Version: c.Detected()}
		}
		w.OwnerType, w.OwnerName = req.Owner.Type, req.Owner.Name
	}
	for _, p := range append([]Principal{req.Owner}, req.Renewers...) {
		if len(p.Name) > math.MaxInt16 || len(p.Type) > math.MaxInt16 {
			return nil, nothingSent(fmt.Errorf("a name of %d bytes is longer than the protocol can carry", len(p.Name)))
		}
	}
	for _, p := range unique(req.Renewers) {
		if p.IsZero() || p.Name == "" {
			return nil, nothingSent(errors.New("a renewer without a name"))
		}
		w.Renewers = append(w.Renewers, wire.Principal{Type: p.Type, Name: p.Name})
	}
	return w, nil
}

// unique is the list without repetitions, which Kafka would keep.
func unique(list []Principal) []Principal {
	var once []Principal
	for _, p := range list {
		if !slices.Contains(once, p) {
			once = append(once, p)
		}
	}
	return once
}

// named is who a creation is for, as far as it is known.
func (c *Client) named(owner Principal) Principal {
	if owner.IsZero() {
		return c.Session().Principal
	}
	return owner
}

// create sends the creation and reads the token with its HMAC, which the frame
// loses as it is read.
func (c *Client) create(ctx context.Context, req CreateRequest, ask *wire.CreateRequest) (made Created, code Code, err error) {
	err = c.change(ctx, OpCreateToken, req.Progress, &call{req: ask, read: func(version int16, body []byte) (Code, error) {
		a, err := wire.ReadCreate(version, body)
		if err != nil {
			return CodeNone, err
		}
		code = Code(a.ErrorCode)
		switch {
		case code != CodeNone:
			return code, nil
		case a.TokenID == "" || len(a.HMAC) == 0:
			return code, errors.New("the answer says that a token was made, and not which")
		}
		made.Token = Token{
			ID: a.TokenID, Owner: principalOf(a.OwnerType, a.OwnerName),
			Requester: principalOf(a.RequesterType, a.RequesterName), Renewers: unique(req.Renewers),
			Issued: instant(a.IssuedMs), Expires: instant(a.ExpiresMs), MaxLifetimeEnds: instant(a.MaxMs),
			fingerprint: c.prints.of(a.HMAC),
		}
		made.HMAC = NewSecret(a.HMAC)
		lifetime := made.Token.MaxLifetimeEnds.Sub(made.Token.Issued)
		made.Capped = !req.MaxLifetime.IsDefault() && lifetime < req.MaxLifetime.Duration()
		return code, nil
	}})
	return made, code, err
}

// undo expires a token that was made for the wrong owner and reports whether
// the cluster said that it did, or that nobody knows. A cancelled ctx does not
// stop it: the token would otherwise stay, with rights nobody asked for.
func (c *Client) undo(ctx context.Context, made Created) (expired, unknown bool) {
	ctx = context.WithoutCancel(ctx)
	_, code, err := c.expire(ctx, made.Token.ID, made.HMAC, nil)
	if err == nil {
		err = c.outcome(OpExpireToken, code, made.Token)
	}
	_, unknown = errors.AsType[*UnknownOutcomeError](err)
	return err == nil, unknown
}
