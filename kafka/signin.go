package kafka

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/saslhandshake"
	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/twmb/franz-go/pkg/kmsg"
	franz "github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"dtok/kafka/wire"
)

// check refuses credentials that no broker can accept, before anything is
// dialled. Its errors name what is wrong and hold no part of the password.
func (c *Credentials) check() error {
	if c == nil {
		return errors.New("a user name and a password are needed for SASL")
	}
	switch c.Mechanism {
	case MechanismPlain, MechanismScramSHA256, MechanismScramSHA512:
	case "":
		return errors.New("the SASL mechanism is missing: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512")
	default:
		return fmt.Errorf("the SASL mechanism %s is not supported: use PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512", c.Mechanism)
	}
	nul := false
	c.Password.Use(func(b []byte) { nul = bytes.IndexByte(b, 0) >= 0 })
	switch {
	case c.User == "":
		return errors.New("the user name is empty")
	case c.Password.Len() == 0:
		return errors.New("the password is empty")
	case c.Mechanism == MechanismPlain && (nul || bytes.IndexByte([]byte(c.User), 0) >= 0):
		// RFC 4616: NUL separates the fields of a PLAIN message.
		return errors.New("the user name or the password holds a NUL character, which PLAIN cannot carry")
	case c.Mechanism == MechanismPlain && c.TokenAuth:
		return errors.New("a delegation token signs in with SCRAM-SHA-256 or SCRAM-SHA-512, not with PLAIN")
	}
	return nil
}

// mechanism is the SASL mechanism for the credentials. Its libraries take the
// password as a string, which cannot be overwritten; it is made here, at the
// last moment, and not kept.
func (c *Credentials) mechanism() sasl.Mechanism {
	var password string
	c.Password.Use(func(b []byte) { password = string(b) })
	// No SASLprep anywhere: Kafka takes names and passwords as plain UTF-8
	// (ScramFormatter.normalize), and a prepared password would not match.
	auth := scram.Auth{User: c.User, Pass: password, IsToken: c.TokenAuth}
	switch c.Mechanism {
	case MechanismScramSHA256:
		return scramMechanism{auth.AsSha256Mechanism()}
	case MechanismScramSHA512:
		return scramMechanism{auth.AsSha512Mechanism()}
	}
	return plain.Mechanism{Username: c.User, Password: password}
}

// scramMechanism puts franz-go's SCRAM, which knows tokenauth and does no
// SASLprep, behind kafka-go's interface.
type scramMechanism struct{ inner franz.Mechanism }

func (m scramMechanism) Name() string { return m.inner.Name() }

func (m scramMechanism) Start(ctx context.Context) (sasl.StateMachine, []byte, error) {
	session, first, err := m.inner.Authenticate(ctx, "")
	return scramState{session}, first, err
}

type scramState struct{ session franz.Session }

func (s scramState) Next(_ context.Context, challenge []byte) (bool, []byte, error) {
	return s.session.Challenge(challenge)
}

// signIn authenticates the connection once and returns how long the broker
// lets the session live, 0 for no limit.
func (cn *conn) signIn(ctx context.Context, wait time.Duration, c *Credentials) (time.Duration, error) {
	if err := cn.handshake(ctx, wait, c); err != nil {
		return 0, err
	}
	// Without SaslAuthenticate (Kafka before 1.0) the tokens go bare.
	bare := cn.offers.max(protocol.SaslAuthenticate) < 0 || cn.offers.max(protocol.SaslHandshake) < 1
	state, token, err := c.mechanism().Start(ctx)
	if err != nil {
		return 0, causeError{"the sign-in with " + c.Mechanism + " could not begin", nil}
	}
	var lifetime time.Duration
	for step := 1; ; step++ {
		var challenge []byte
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
			return 0, err
		}
		done, next, err := state.Next(ctx, challenge)
		clear(challenge)
		switch {
		case err != nil && step == 1:
			// The library's text is not passed on: it can quote what was sent.
			return 0, causeError{"the broker's SCRAM challenge is not valid", nil}
		case err != nil:
			return 0, causeError{"the broker could not prove that it knows the password too (SCRAM)", nil}
		case done:
			return lifetime, nil
		}
		token = next
	}
}

// handshake names the mechanism. v1 is asked for where the broker knows it,
// because only after v1 a refusal has a code (KIP-152).
func (cn *conn) handshake(ctx context.Context, wait time.Duration, c *Credentials) error {
	var code Code
	var offered []string
	ask := &call{req: &saslhandshake.Request{Mechanism: c.Mechanism},
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
	ask := &call{req: &wire.AuthenticateRequest{AuthBytes: token},
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
