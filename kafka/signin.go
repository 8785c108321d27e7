package kafka

import (
	"bytes"
	"context"
	"log/slog"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/sasl"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// signIn authenticates the connection once and returns how long the broker
// lets the session live, 0 for no limit.
func (cn *conn) signIn(ctx context.Context, wait time.Duration, c *Credentials) (time.Duration, error) {
	start := time.Now()
	lifetime, err := cn.prove(ctx, wait, c)
	cn.log.signedIn(start, c, lifetime, err)
	return lifetime, err
}

// prove goes through the mechanism's steps.
func (cn *conn) prove(ctx context.Context, wait time.Duration, c *Credentials) (time.Duration, error) {
	// Without SaslAuthenticate (Kafka before 1.0) the tokens go bare.
	bare := cn.offers.max(protocol.SaslAuthenticate) < 0 || cn.offers.max(protocol.SaslHandshake) < 1
	if bare && !c.byPassword() {
		return 0, causeError{"a sign-in with " + c.Mechanism + " needs Kafka 1.0 or later" + detectedText(cn.offers.detected()), nil}
	}
	if err := cn.handshake(ctx, wait, c); err != nil {
		return 0, err
	}
	state, token, err := cn.begin(ctx, wait, c)
	if err != nil {
		return 0, err
	}
	for done := false; ; {
		var challenge []byte
		var lifetime time.Duration
		if bare {
			challenge, err = cn.exchangeRaw(ctx, wait, token)
			if lost(err) {
				err = c.refused(CodeSASLFailed) // a refusal is a closed connection there
			}
		} else {
			challenge, lifetime, err = cn.authenticate(ctx, wait, c, token)
		}
		clear(token)
		if err != nil {
			return 0, explained(err, state)
		}
		if done {
			return lifetime, nil
		}
		done, token, err = state.Next(ctx, challenge)
		clear(challenge)
		if err != nil {
			return 0, err
		}
		// A mechanism that is done can have a last word (GSSAPI), which the
		// broker answers like the others.
		if done && len(token) == 0 {
			return lifetime, nil
		}
	}
}

// begin makes the first message. Where that takes somebody else than the
// broker, they have the connect timeout for themselves, and the broker has it
// once more afterwards: it waits, and a slow token endpoint is not its fault.
func (cn *conn) begin(ctx context.Context, wait time.Duration, c *Credentials) (state sasl.StateMachine, token []byte, err error) {
	mechanism := c.mechanism(cn.host)
	if c.byPassword() {
		state, token, err = mechanism.Start(ctx)
		if err != nil {
			// The library's text is not passed on: it can quote the password.
			err = causeError{"the sign-in with " + c.Mechanism + " could not begin", nil}
		}
		return state, token, err
	}
	asking, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	start := time.Now()
	defer func() { cn.log.came(saySource, start, err, slog.String("mechanism", c.Mechanism)) }()
	state, token, err = mechanism.Start(asking)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err != nil && asking.Err() != nil:
		err = &FaultError{Fault: FaultSilent, Wait: wait, Err: err}
		fallthrough
	case err != nil:
		return nil, nil, &SourceError{Mechanism: c.Mechanism, Err: err}
	}
	cn.limit = time.Now().Add(wait)
	return state, token, nil
}

// explainer is a mechanism's state that can tell more about a refusal than the
// broker's code does.
type explainer interface{ explain(*SignInError) }

func explained(err error, state sasl.StateMachine) error {
	refused, isRefused := err.(*SignInError) //nolint:errorlint // made here, never wrapped
	more, ok := state.(explainer)
	if isRefused && ok {
		more.explain(refused)
	}
	return err
}

// handshake names the mechanism. v1 is asked for where the broker knows it,
// because only after v1 a refusal has a code (KIP-152).
func (cn *conn) handshake(ctx context.Context, wait time.Duration, c *Credentials) error {
	var code Code
	var offered []string
	ask := &call{req: encoded{&kmsg.SASLHandshakeRequest{Mechanism: c.Mechanism}},
		read: reading(kmsg.NewPtrSASLHandshakeResponse(), func(a *kmsg.SASLHandshakeResponse) {
			code, offered = Code(a.ErrorCode), a.SupportedMechanisms
		})}
	if err := cn.exchange(ctx, wait, ask); err != nil {
		return err
	}
	switch {
	case ask.err != nil:
		return ask.err
	case code == codeIllegalSASLState:
		return causeError{"this listener does not use SASL", nil}
	case code == CodeUnsupportedMech:
		err := c.refused(code)
		err.Offered = offered
		return err
	case code != CodeNone:
		return causeError{"the broker refuses the SASL handshake: " + code.String(), nil}
	}
	return nil
}

// codeIllegalSASLState answers a handshake on a listener without SASL.
const codeIllegalSASLState Code = 34

func (cn *conn) authenticate(ctx context.Context, wait time.Duration, c *Credentials, token []byte) (challenge []byte, lifetime time.Duration, err error) {
	var code Code
	ask := &call{req: encoded{&kmsg.SASLAuthenticateRequest{SASLAuthBytes: token}},
		read: reading(kmsg.NewPtrSASLAuthenticateResponse(), func(a *kmsg.SASLAuthenticateResponse) {
			code, challenge = Code(a.ErrorCode), bytes.Clone(a.SASLAuthBytes)
			lifetime = millis(a.SessionLifetimeMillis)
		})}
	if err := cn.exchange(ctx, wait, ask); err != nil {
		return nil, 0, err
	}
	switch {
	case ask.err != nil:
		return nil, 0, ask.err
	case code == CodeSASLFailed:
		return nil, 0, c.refused(code)
	case code != CodeNone:
		return nil, 0, causeError{"the broker breaks the sign-in off: " + code.String(), nil}
	}
	return challenge, lifetime, nil
}

func (c *Credentials) refused(code Code) *SignInError {
	return &SignInError{Mechanism: c.Mechanism, User: c.User, TokenAuth: c.TokenAuth, Code: code}
}

// millis is a number of milliseconds from the wire as a Duration, cut to what
// a Duration holds.
func millis(ms int64) time.Duration {
	return time.Duration(min(max(ms, 0), maxPeriod)) * time.Millisecond
}
