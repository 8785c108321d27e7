package demo

import (
	"encoding/base64"
	"errors"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// codeIllegalSASLState answers SASL requests out of place.
const codeIllegalSASLState = 34

// stage is where a connection stands with its sign-in
// (SaslServerAuthenticator.SaslState).
type stage int

const (
	// awaitAny: the first request: ApiVersions or SaslHandshake.
	awaitAny stage = iota
	// awaitHandshake: ApiVersions was answered, SaslHandshake comes next.
	awaitHandshake
	// awaitToken: SaslAuthenticate, or bare tokens after SaslHandshake v0.
	awaitToken
	// badMechanism: another mechanism at re-authentication; the next request
	// ends the connection.
	badMechanism
	// signedIn: everything else is served.
	signedIn
)

// session is who a connection acts as, and until when.
type session struct {
	identity
	// ends is the time in Unix milliseconds at which the next request closes
	// the connection; 0 for never.
	ends int64
	// tokenRequests is false where the listener cannot know the client.
	tokenRequests bool
}

// mayUseTokens is KafkaApis.allowTokenRequests, the check behind 64.
func (s *session) mayUseTokens() bool { return s.tokenRequests && !s.tokenAuth }

// exchange is a sign-in under way.
type exchange struct {
	name string // of the mechanism
	mechanism
	// bare tokens without Kafka's headers follow SaslHandshake v0.
	bare bool
	// again is set for a re-authentication.
	again bool
}

// handshake answers SaslHandshake while a sign-in is due.
func (c *connection) handshake(req *kmsg.SASLHandshakeRequest, again bool) (kmsg.Response, bool) {
	resp := req.ResponseKind().(*kmsg.SASLHandshakeResponse)
	resp.SupportedMechanisms = c.cluster.setup.mechanisms
	m := c.newMechanism(req.Mechanism)
	if m == nil {
		resp.ErrorCode = int16(kafka.CodeUnsupportedMech)
		return resp, false
	}
	if again && req.Mechanism != c.mechanismName {
		c.stage = badMechanism
		return resp, true
	}
	c.stage = awaitToken
	c.exchange = &exchange{name: req.Mechanism, mechanism: m, bare: req.Version == 0, again: again}
	c.broker.record.signIn()
	return resp, true
}

func (c *connection) newMechanism(name string) mechanism {
	if !slices.Contains(c.cluster.setup.mechanisms, name) {
		return nil
	}
	switch name {
	case kafka.MechanismPlain:
		return &plainExchange{passwords: c.broker.passwords}
	case kafka.MechanismScramSHA256:
		return &scramExchange{mechanism: scramSHA256, lookup: c.lookup(scramSHA256)}
	case kafka.MechanismScramSHA512:
		return &scramExchange{mechanism: scramSHA512, lookup: c.lookup(scramSHA512)}
	}
	return nil
}

// lookup finds SCRAM credentials as the broker knows them by now. A token's
// password is the base64 text of its HMAC. Its expiry is not looked at: an
// expired token signs in until it is swept, with a session that is over at
// once. The session's user is the owner's name, whatever the owner's type.
func (c *connection) lookup(m scramMechanism) func(string, bool) (*credential, identity, bool) {
	return func(name string, tokenAuth bool) (cred *credential, who identity, ok bool) {
		c.cluster.view(func(s *state, _ int64) {
			if !tokenAuth {
				cred, ok = s.scram[credentialKey{name, m}]
				who = identity{principal: kafka.UserPrincipal(name)}
				return
			}
			t := s.tokens[name]
			if t == nil || !c.cluster.setup.brokerKey {
				return
			}
			cred = passwordCredential(m, base64.StdEncoding.EncodeToString(t.hmac[:]))
			who = identity{principal: kafka.UserPrincipal(t.owner.Name), tokenAuth: true, expires: t.expires}
			ok = true
		})
		return cred, who, ok
	}
}

// authenticate answers SaslAuthenticate while a sign-in is due.
func (c *connection) authenticate(req *kmsg.SASLAuthenticateRequest) (kmsg.Response, bool) {
	resp := req.ResponseKind().(*kmsg.SASLAuthenticateResponse)
	resp.ErrorMessage = nil
	server, lifetime, err := c.step(req.SASLAuthBytes)
	if err != nil {
		resp.ErrorCode = int16(kafka.CodeSASLFailed)
		resp.ErrorMessage = kmsg.StringPtr(c.failure(err))
		c.broker.pause(c.cluster.setup.SignInDelay)
		return resp, false
	}
	resp.ErrorMessage = c.success()
	resp.SASLAuthBytes, resp.SessionLifetimeMillis = server, lifetime
	return resp, true
}

// step passes one client message on, and opens the session after the last.
func (c *connection) step(client []byte) (server []byte, lifetime int64, err error) {
	server, done, err := c.exchange.next(client)
	if err != nil || !done {
		return server, 0, err
	}
	who := c.exchange.identity()
	if c.exchange.again && who.principal != c.session.principal { // whether a token is behind it does not matter
		return nil, 0, &refusedError{"Cannot change principals during re-authentication from " +
			dotted(c.session.principal) + ": " + dotted(who.principal)}
	}
	now := c.cluster.clock().UnixMilli()
	c.session.identity = who
	c.session.ends, lifetime = c.cluster.setup.sessionEnd(who, now)
	c.mechanismName, c.exchange, c.stage = c.exchange.name, nil, signedIn
	return server, lifetime, nil
}

// sessionEnd is when a session ends, 0 for never, and the
// session_lifetime_ms that the client is told. An expired token has a lifetime
// of 0 too, but its session has ended already (seen).
func (s *setup) sessionEnd(who identity, now int64) (ends, lifetime int64) {
	limit := s.MaxReauth.Milliseconds()
	counts := who.tokenAuth && s.release.tokenSessionsEnd
	if who.tokenAuth && !counts && who.expires <= now {
		return 0, 0 // before 3.3 an expired token gives a session without end
	}
	if !counts && limit > 0 && who.tokenAuth {
		counts = true // there an end was only set together with max.reauth
	}
	switch {
	case counts && limit > 0:
		lifetime = min(who.expires-now, limit)
	case counts:
		lifetime = who.expires - now
	case limit > 0:
		lifetime = limit
	default:
		return 0, 0
	}
	lifetime = max(lifetime, 0)
	return addMillis(now, lifetime), lifetime
}

// failure is the text that goes with 58.
func (c *connection) failure(err error) string {
	var refused *refusedError
	if errors.As(err, &refused) {
		return refused.text
	}
	during := "authentication"
	if c.exchange.again {
		during = "re-authentication"
	}
	if c.cluster.setup.release.textsOf1x {
		return "Authentication failed due to invalid credentials with SASL mechanism " + c.exchange.name
	}
	return "Authentication failed during " + during + " due to invalid credentials with SASL mechanism " + c.exchange.name
}

// dotted is how this one message writes a principal.
func dotted(p kafka.Principal) string { return p.Type + "." + p.Name }

// expired reports whether the session is over, so that any request but the
// start of a re-authentication closes the connection.
func (c *connection) expired() bool {
	return c.session.ends != 0 && c.session.ends <= c.cluster.clock().UnixMilli()
}

// mayReauthenticate: a session without an end cannot be renewed, nor one that
// was renewed within the last second; then SaslHandshake is answered with 34.
func (c *connection) mayReauthenticate() bool {
	now := c.cluster.clock()
	if c.session.ends == 0 || (!c.reauthenticated.IsZero() && now.Sub(c.reauthenticated) < time.Second) {
		return false
	}
	c.reauthenticated = now
	return true
}
