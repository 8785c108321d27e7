package contract

import (
	"time"

	"dtok/kafka/contract/apache"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func renewCases() []contractCase {
	return only(offering(createToken), []contractCase{
		{"renew: an HMAC that no token has is not found", renewUnknown, always},
		{"renew: owner and renewers only", renewByRole, always},
		{"renew: periods of nothing or less, capped ones, shorter ones", renewPeriods, always},
		{"renew: a period of 0 ends the token", renewZero, zooKeeper},
		{"renew: the longest period there is", renewEndless, always},
		{"renew: never past the maximum lifetime", renewPastMaximum, always},
		{"renew: described with the new expiry", renewDescribed, always},
		{"renew: a removed token is not found", renewRemoved, always},
		{"renew: right after its creation a token may not be found yet", renewRightAfterCreate, always},
	})
}

func renewUnknown(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	equal(e, "answer for the token's own HMAC", c.renew(t, -1).code, 0)
	for _, hmac := range []string{"", "x", t.hmac[:63], t.hmac + "x", t.id, string(make([]byte, 64))} {
		equal(e, "renew", c.renewOnce(hmac, -1), changed{62, e.noTime()})
		equal(e, "expire", c.expireOnce(hmac, -1), changed{62, e.noTime()})
	}
}

// parties makes a token with a requester and a renewer, and a stranger. Where
// releases know no requester, the owner makes it and the requester is a
// stranger too.
func parties(e *env, life int64) (t token, owner, requester, renewer, stranger *client) {
	e.Helper()
	ownerName, requesterName, renewerName := e.user(), e.user(), e.user()
	if !e.Kafka().Since("3.3") {
		owner, requester, renewer, stranger = e.as(ownerName), e.as(requesterName), e.as(renewerName), e.as(e.user())
		t = owner.newToken(newToken{renewers: []string{"User:" + renewerName}, life: life})
		return t, owner, requester, renewer, stranger
	}
	e.admin().addRules(userRule("User:"+requesterName, "User:"+ownerName, kmsg.ACLOperationAll))
	e.settleRules()
	requester = e.as(requesterName)
	owner, renewer, stranger = e.as(ownerName), e.as(renewerName), e.as(e.user())
	t = requester.newToken(newToken{owner: "User:" + ownerName, renewers: []string{"User:" + renewerName}, life: life})
	return t, owner, requester, renewer, stranger
}

func renewByRole(e *env) {
	t, owner, requester, renewer, stranger := parties(e, -1)
	admin := e.admin()
	equal(e, "by the owner", owner.renew(t, -1).code, 0)
	equal(e, "by the renewer", renewer.renew(t, -1).code, 0)
	for name, c := range map[string]*client{"requester": requester, "stranger": stranger, "super user": admin} {
		for _, period := range []int64{-1, 0, 1000} {
			equal(e, "renew by the "+name, c.renew(t, period), changed{63, e.noTime()})
			equal(e, "expire by the "+name, c.expire(t, period), changed{63, e.noTime()})
		}
	}
}

func renewPeriods(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	standard := e.Settings().ExpiryTime.Milliseconds()
	hour := time.Hour.Milliseconds()
	for _, test := range []struct{ asked, given, zooKeeper int64 }{
		{-1, standard, standard},
		{hour, hour, hour},
		{0, standard, 0}, // with ZooKeeper only what is below 0 is the cluster's own
		{5000, 5000, 5000},
		{-5, standard, standard},
		{-1 << 63, standard, standard},
		{2 * standard, standard, 2 * standard}, // and nothing caps but the maximum
		{standard + 1, standard, standard + 1},
	} {
		if test.asked == 0 && e.Kafka().ZooKeeper() {
			continue // it would be the last renewal, see renewZero
		}
		given := test.given
		if e.Kafka().ZooKeeper() {
			given = test.zooKeeper
		}
		before := e.millis()
		r := c.renew(t, test.asked)
		equal(e, "code", r.code, 0)
		within(e, "expiry", r.expires, before+given, e.millis()+given)
	}
	// A moment taken for a period, as people do.
	before := e.millis()
	r := c.renew(t, t.issued)
	equal(e, "code", r.code, 0)
	if e.Kafka().ZooKeeper() {
		equal(e, "expiry", r.expires, t.ends)
	} else {
		within(e, "expiry", r.expires, before+standard, e.millis()+standard)
	}
}

// renewZero: with ZooKeeper a period of 0 ends the token.
func renewZero(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	before := e.millis()
	r := c.renew(t, 0)
	equal(e, "code", r.code, 0)
	within(e, "expiry", r.expires, before, e.millis())
	c.awaitOver(t, r.expires)
}

// renewEndless: KRaft caps the period; with ZooKeeper the sum overflows and the
// token ends in the distant past.
func renewEndless(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	before := e.millis()
	r := c.renew(t, 1<<63-1)
	equal(e, "code", r.code, 0)
	if e.Kafka().ZooKeeper() {
		within(e, "expiry", r.expires, -1<<63+before-1, -1<<63+e.millis())
		c.awaitOver(t, r.expires)
		return
	}
	standard := e.Settings().ExpiryTime.Milliseconds()
	within(e, "expiry", r.expires, before+standard, e.millis()+standard)
}

func renewPastMaximum(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{life: time.Hour.Milliseconds()})
	for _, period := range []int64{-1, 2 * time.Hour.Milliseconds()} {
		equal(e, "renew", c.renew(t, period), changed{0, t.ends})
	}
}

func renewDescribed(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{renewers: []string{"User:x"}})
	r := c.renew(t, 1000_000)
	want := t
	want.expires = r.expires
	e.await("the new expiry is described", arrival, func() bool { return c.shown(t.id).expires == r.expires })
	equal(e, "token", c.describe(nil), []token{want})
}

func renewRemoved(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	equal(e, "expire", c.expire(t, -1).code, 0)
	c.awaitRemoved(t)
	equal(e, "renew", c.renewOnce(t.hmac, -1), changed{62, e.noTime()})
	equal(e, "expire", c.expireOnce(t.hmac, -1), changed{62, e.noTime()})
}

// awaitRemoved waits until broker and controller know that the token is gone.
// It must not ask with a renewal: one that comes before the controller knows
// puts the token back (Kafka 4.4 writes the whole token anew).
func (c *client) awaitRemoved(t token) {
	c.Helper()
	c.await("the token is gone", arrival, func() bool { return !c.sees(t.id) })
	c.await("the removed token is not found", arrival, func() bool { return c.expireOnce(t.hmac, -1).code == 62 })
}

// awaitOver waits until broker and controller know an expiry that has passed.
func (c *client) awaitOver(t token, expires int64) {
	c.Helper()
	c.await("the new expiry is described", arrival, func() bool {
		shown := c.describe(nil)
		// A sweep may come in between; the token was listed until then.
		return len(shown) == 0 || shown[0].expires == expires
	})
	c.await("moving the expiry is refused", arrival, func() bool {
		code := c.expireOnce(t.hmac, 0).code
		return code == 66 || code == 62
	})
}

// renewRightAfterCreate: 62 is an answer that a client must wait out, and
// nothing else may come before the token has arrived.
func renewRightAfterCreate(e *env) {
	user := e.user()
	c := e.as(user)
	for range 5 {
		r := c.create(newToken{})
		equal(e, "code", r.ErrorCode, 0)
		t := token{hmac: string(r.HMAC)}
		got := c.renewOnce(t.hmac, -1)
		if got.code != 0 && got != (changed{62, e.noTime()}) {
			e.Fatalf("renew right after create: %+v", got)
		}
		equal(e, "renew, asked again", c.renew(t, -1).code, 0)
	}
	// The same for a sign-in: refused or right, in time right.
	r := c.create(newToken{})
	e.sessionOn(apache.SASLPlaintext, withToken(token{id: r.TokenID, hmac: string(r.HMAC)}, "SCRAM-SHA-512"))
}
