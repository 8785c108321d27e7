package contract

import (
	"time"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func sessionCases() []contractCase {
	return only(offering(createToken), []contractCase{
		{"session: with a token, all four token requests are refused", sessionRefused, always},
		{"session: with a token, everything else is as for its owner", sessionRights, always},
		{"session: ends at the first request after the token's expiry", sessionCut, endsSessions},
		{"session: survives the removal of its token until the expiry at sign-in", sessionOfRemoved, endsSessions},
		{"session: is not longer for a renewal, nor shorter for an earlier expiry", sessionOfChanged, endsSessions},
		{"session: survives the expiry, the sweep and the removal of its token", sessionEndless, not(endsSessions)},
	})
}

// refusedEverywhere holds the connection to 64 on the four token requests.
func (c *client) refusedEverywhere(principal string) {
	c.Helper()
	e := c.env
	for _, n := range []newToken{{}, {owner: "User:" + e.fresh("other")}, {renewers: []string{"Group:x"}}} {
		owner := principal
		if n.owner != "" && e.Kafka().Since("3.3") {
			owner = n.owner
		}
		equal(e, "create", refusalOf(c.create(n)), e.refusal(64, owner, principal, -1))
	}
	equal(e, "renew", c.renewOnce("", -1), changed{64, -1})
	equal(e, "expire", c.expireOnce("", -1), changed{64, -1})
	for _, owners := range []ownerFilter{nil, {}, {principal}} {
		r := do[*kmsg.DescribeDelegationTokenResponse](c, describeRequest(3, owners))
		equal(e, "code of describe", r.ErrorCode, 64)
		equal(e, "tokens", len(r.TokenDetails), 0)
	}
}

func sessionRefused(e *env) {
	user := e.user()
	t := e.as(user).newToken(newToken{})
	for _, listener := range []string{apache.SASLPlaintext, apache.SASLSSL} {
		for _, mechanism := range []string{raw.ScramSHA256, raw.ScramSHA512} {
			c, _ := e.sessionOn(listener, withToken(t, mechanism))
			c.refusedEverywhere("User:" + user)
			equal(e, "renew of its own token", c.renewOnce(t.hmac, -1), changed{64, -1})
		}
	}
	super, _ := e.session(e.admin().newToken(newToken{}))
	super.refusedEverywhere("User:admin")
}

func sessionRights(e *env) {
	// Of the super user: it may do everything else.
	super, _ := e.session(e.admin().newToken(newToken{}))
	name := e.fresh("u")
	if e.makesUsers() {
		super.setPassword(name, raw.ScramSHA256, "secret")
	}
	super.addRules(topicRule("User:"+name, "x", kmsg.ACLOperationRead))

	// Of a user without rights and then with them.
	user := e.user()
	c, _ := e.session(e.as(user).newToken(newToken{}))
	listed := func() int16 { return do[*kmsg.DescribeACLsResponse](c, filter{}.request()).ErrorCode }
	equal(e, "list ACL rules without the right", listed(), 31)
	e.allow(user, kmsg.ACLResourceTypeCluster, "kafka-cluster", kmsg.ACLOperationDescribe, func() bool { return listed() == 0 })
}

func sessionCut(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{life: 2500})
	s, session := e.session(t)
	within(e, "session lifetime", session.LifetimeMillis, 1, t.expires-t.issued)
	do[*kmsg.ApiVersionsResponse](s, anything())
	e.over(t.expires)
	e.closed(s, anything())
}

// sessionEndless: before 3.3 nothing but a broker ends the session of a token
// that was revoked.
func sessionEndless(e *env) {
	c := e.as(e.user())
	short, long := c.newToken(newToken{life: 1500}), c.newToken(newToken{})
	expired, session := e.session(short)
	equal(e, "session lifetime", session.LifetimeMillis, 0)
	removed, _ := e.session(long)
	equal(e, "expire", c.expire(long, -1).code, 0)
	c.awaitRemoved(long)
	e.over(short.expires)
	e.await("the sweep removes the token", e.sweeps(), func() bool { return !c.sees(short.id) })
	do[kmsg.Response](expired, anything())
	do[kmsg.Response](removed, anything())
}

func sessionOfRemoved(e *env) {
	for _, period := range []int64{-1, 0} {
		c := e.as(e.user())
		t := c.newToken(newToken{life: 3000})
		s, _ := e.session(t)
		r := c.expire(t, period)
		equal(e, "expire", r.code, 0)
		if period < 0 {
			c.awaitRemoved(t)
		} else {
			c.awaitOver(t, r.expires)
		}
		if e.millis() < t.expires-200 {
			do[*kmsg.ApiVersionsResponse](s, anything())
		} else {
			e.Log("the machine was too slow to see the session survive the token")
		}
		e.over(t.expires)
		e.closed(s, anything())
	}
}

func sessionOfChanged(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	first := c.expire(t, 4000)
	e.await("the earlier expiry is described", arrival, func() bool { return c.shown(t.id).expires == first.expires })
	s, _ := e.session(t)
	renewed := c.renew(t, time.Hour.Milliseconds())
	equal(e, "code of renew", renewed.code, 0)
	e.await("the renewal is described", arrival, func() bool { return c.shown(t.id).expires == renewed.expires })
	e.over(first.expires)
	e.closed(s, anything())

	long, _ := e.session(t)
	earlier := c.expire(t, 500)
	equal(e, "code of expire", earlier.code, 0)
	e.over(earlier.expires + 500)
	do[*kmsg.ApiVersionsResponse](long, anything())
}
