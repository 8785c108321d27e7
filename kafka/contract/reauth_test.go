package contract

import (
	"errors"
	"time"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func reauthCases() []contractCase {
	// Sessions are re-authenticated where they have an end.
	return only(both(offering(createToken), endsSessions), []contractCase{
		{"re-authentication: with the renewed token the session goes on", reauthRenewed, always},
		{"re-authentication: with another token of the owner, after the deadline too", reauthOtherToken, always},
		{"re-authentication: with the owner's password it is an ordinary session again", reauthPassword, always},
		{"re-authentication: as another user is refused", reauthOtherUser, always},
		{"re-authentication: with another mechanism closes", reauthOtherMechanism, always},
		{"re-authentication: not without a deadline and not twice a second", reauthTooEarly, always},
	})
}

// aSecond is how far apart Kafka wants two sign-ins of a session to be.
const aSecond = 1100 * time.Millisecond

func reauthRenewed(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	short := c.expire(t, 6000)
	e.await("the earlier expiry is described", arrival, func() bool { return c.shown(t.id).expires == short.expires })
	s, _ := e.session(t)
	renewed := c.renew(t, time.Hour.Milliseconds())
	e.await("the renewal is described", arrival, func() bool { return c.shown(t.id).expires == renewed.expires })
	e.Pass(aSecond)
	before := e.millis()
	again, err := s.conn.SignIn(withToken(t, raw.ScramSHA256))
	if err != nil {
		e.Fatal(err)
	}
	within(e, "session lifetime", again.LifetimeMillis, renewed.expires-e.millis(), renewed.expires-before)
	e.over(short.expires)
	do[*kmsg.ApiVersionsResponse](s, anything())
	s.refusedEverywhere(t.owner)
}

func reauthOtherToken(e *env) {
	c := e.as(e.user())
	first, second := c.newToken(newToken{life: 2500}), c.newToken(newToken{})
	e.session(second)
	s, _ := e.session(first)
	e.over(first.expires)
	if _, err := s.conn.SignIn(withToken(second, raw.ScramSHA256)); err != nil {
		e.Fatal(err)
	}
	do[*kmsg.ApiVersionsResponse](s, anything())
}

func reauthPassword(e *env) {
	user := e.user()
	t := e.as(user).newToken(newToken{})
	s, _ := e.session(t)
	s.refusedEverywhere("User:" + user)
	e.Pass(aSecond)
	again, err := s.conn.SignIn(e.password(user))
	if err != nil {
		e.Fatal(err)
	}
	equal(e, "session lifetime", again.LifetimeMillis, 0)
	equal(e, "tokens seen", s.ids(nil), idsOf(t))
}

func reauthOtherUser(e *env) {
	user, other := e.user(), e.user()
	s, _ := e.session(e.as(user).newToken(newToken{}))
	e.Pass(aSecond)
	_, err := s.conn.SignIn(e.password(other))
	var refused *raw.Refused
	if !errors.As(err, &refused) {
		e.Fatalf("not refused: %v", err)
	}
	equal(e, "refusal", *refused, raw.Refused{
		Step: 2, Code: 58,
		Text: "Cannot change principals during re-authentication from User." + user + ": User." + other,
	})
	e.closed(s, anything())
}

func reauthOtherMechanism(e *env) {
	t := e.as(e.user()).newToken(newToken{})
	s, _ := e.session(t)
	e.Pass(aSecond)
	if _, err := s.conn.SignIn(withToken(t, raw.ScramSHA512)); !hungUp(err) {
		e.Fatalf("the connection is not closed: %v", err)
	}
}

func reauthTooEarly(e *env) {
	user := e.user()
	t := e.as(user).newToken(newToken{})
	ordinary := e.as(user)
	s, _ := e.session(t)
	e.Pass(aSecond)
	if _, err := s.conn.SignIn(withToken(t, raw.ScramSHA256)); err != nil {
		e.Fatal(err)
	}
	for name, c := range map[string]*client{"without a deadline": ordinary, "the second within a second": s} {
		_, err := c.conn.SignIn(e.password(user))
		var refused *raw.Refused
		if !errors.As(err, &refused) || refused.Step != 0 || refused.Code != 34 {
			e.Fatalf("%s: %v, want code 34 for the handshake", name, err)
		}
		do[*kmsg.ApiVersionsResponse](c, anything())
	}
}

// maxReauth is connections.max.reauth.ms of the variant reauth.
const maxReauth = 5 * time.Second

func demandedCases() []contractCase {
	return []contractCase{
		{"re-authentication demanded: of ordinary sessions and of those with a token", reauthDemanded, both(offering(createToken), since("2.2"))},
	}
}

func reauthDemanded(e *env) {
	limit := maxReauth.Milliseconds()
	user := e.user()
	c, s, err := e.signIn(apache.SASLPlaintext, e.password(user))
	if err != nil {
		e.Fatal(err)
	}
	equal(e, "lifetime of an ordinary session", s.LifetimeMillis, limit)
	over := e.millis() + limit
	owner := e.as(user)
	long, short := owner.newToken(newToken{}), owner.newToken(newToken{life: 3000})
	_, s = e.session(long)
	equal(e, "lifetime with a token that lives longer", s.LifetimeMillis, limit)
	_, s = e.session(short)
	within(e, "lifetime with a token that lives shorter", s.LifetimeMillis, 1, 3000)
	e.over(over)
	e.closed(c, anything())
}
