package kafka

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestSignIn signs in as a worker would, over a second connection to the same
// address, and sends one request: an expired token that the broker has not
// swept yet passes the sign-in and is cut off at its first request. It destroys
// hmac. For a token made a moment ago a refusal is asked again for a while.
func (c *Client) TestSignIn(ctx context.Context, token Token, hmac *Secret) (_ SignIn, err error) {
	defer c.log().operation(OpTestSignIn)(&err)
	defer hmac.Destroy()
	if c.isClosed() {
		return SignIn{}, errClosed
	}
	s := c.Session()
	if !s.Protocol.Authenticates() {
		return SignIn{}, causeError{"a token signs in with SCRAM, which needs a SASL listener; this connection uses " + string(s.Protocol), nil}
	}
	as := &Credentials{User: token.ID, TokenAuth: true, Mechanism: MechanismScramSHA512}
	HMACText(hmac, func(text []byte) { as.Password = NewSecret(text) })
	defer as.Password.Destroy()
	if s.Mechanism == MechanismScramSHA256 {
		as.Mechanism = MechanismScramSHA256
	}
	if err := as.check(); err != nil {
		return SignIn{}, err
	}
	patience := c.patienceFor(token.ID)
	for {
		lifetime, err := c.signInOnce(ctx, s.Address, as)
		refused, ok := errors.AsType[*SignInError](err)
		switch {
		case err == nil:
			return SignIn{Mechanism: as.Mechanism, Lifetime: lifetime}, nil
		case !ok:
			return SignIn{}, err
		case refused.Code == CodeUnsupportedMech && as.Mechanism == MechanismScramSHA512 &&
			slices.Contains(refused.Offered, MechanismScramSHA256):
			as.Mechanism = MechanismScramSHA256
			continue
		case refused.Code != CodeSASLFailed:
			return SignIn{}, refused
		}
		again, err := patience.again(ctx, nil, CodeSASLFailed)
		if err != nil {
			return SignIn{}, err
		}
		if !again {
			return SignIn{}, refused
		}
	}
}

// signInOnce opens a connection as the token, asks one thing and closes it. A
// broker that closes it at the first request says that the token has expired,
// but only where it gave the session no time (seen since Kafka 3.3, and older
// ones do not close it): a connection that is lost otherwise tells nothing.
func (c *Client) signInOnce(ctx context.Context, address string, as *Credentials) (time.Duration, error) {
	cn, lifetime, err := c.settings.open(ctx, c.dial, address, as)
	if err != nil {
		if refused, ok := errors.AsType[*SignInError](err); ok {
			return 0, refused
		}
		if stage, ok := errors.AsType[*stageError](err); ok {
			return 0, &ConnectError{Address: address, Stage: stage.stage, Err: stage.err}
		}
		return 0, err
	}
	defer cn.close()
	ask := firstRequest(cn.offers)
	err = cn.exchange(ctx, c.settings.ReadTimeout, ask)
	fault, isFault := errors.AsType[*FaultError](err)
	switch {
	case lifetime == 0 && isFault && fault.Fault == FaultClosed:
		return 0, &RefusedError{Op: OpTestSignIn, Code: CodeTokenExpired, TokenID: as.User}
	case err != nil:
		return 0, err
	}
	return lifetime, ask.err
}

// firstRequest is a request that everybody may send.
func firstRequest(o offers) *call {
	if o.max(protocol.Metadata) >= 1 {
		return &call{req: noTopics(),
			read: reading(kmsg.NewPtrMetadataResponse(), func(*kmsg.MetadataResponse) {})}
	}
	return aliveCall()
}
