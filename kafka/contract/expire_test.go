package contract

import (
	"time"

	"dtok/kafka/contract/apache"
)

func expireCases() []contractCase {
	return only(offering(createToken), []contractCase{
		{"expire: a negative period removes", expireRemoves, always},
		{"expire: by owner and renewer", expireByRole, always},
		{"expire: 0 ends the token and leaves it listed", expireNow, always},
		{"expire: positive periods shorten and lengthen up to the maximum", expirePeriods, always},
		{"expire: sums do not overflow", expireSaturates, since("4.0")},
		{"expire: a sum that overflows ends the token", expireOverflows, before("4.0")},
		{"expire: right after its creation, once the token is found", expireRightAfterCreate, always},
		{"expire: several tokens", expireSeveral, always},
		{"expire: a renewal right behind a removal brings the token back", expireThenRenew, always},
	})
}

func expiredCases() []contractCase {
	return only(offering(createToken), []contractCase{
		{"expired: listed until the sweep, then gone", expiredSwept, always},
		{"expired: refused to be renewed or moved", expiredRefused, always},
		{"expired: can still be removed by those who may", expiredRemoved, removesExpired},
		{"expired: cannot be removed any more, only swept", expiredStays, not(removesExpired)},
		{"expired: only what is over is swept", expiredOthersStay, always},
	})
}

// removesExpired: KAFKA-17315 for KRaft, KAFKA-13771 for ZooKeeper.
func removesExpired(r apache.Release) bool {
	if r.ZooKeeper() {
		return r.Since("3.5")
	}
	return r.Since("3.7.2")
}

func expireRemoves(e *env) {
	c := e.as(e.user())
	for _, period := range []int64{-1, -5, -1 << 63} {
		t := c.newToken(newToken{})
		before := e.millis()
		r := c.expire(t, period)
		equal(e, "code", r.code, 0)
		if e.answersPeriod() {
			equal(e, "expiry", r.expires, period)
		} else {
			within(e, "expiry", r.expires, before, e.millis())
		}
		c.awaitRemoved(t)
		equal(e, "expire", c.expireOnce(t.hmac, -1), changed{62, e.noTime()})
	}
}

// answersPeriod: KRaft before 3.7.2 gives the period back as the expiry of a
// removed token (KAFKA-17315).
func (e *env) answersPeriod() bool { return !e.Kafka().ZooKeeper() && !e.Kafka().Since("3.7.2") }

// expireOverflows: before Kafka 4.0 (KAFKA-17415) the sum becomes negative.
func expireOverflows(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	r := c.expire(t, 1<<63-1)
	equal(e, "code", r.code, 0)
	within(e, "expiry", r.expires, -1<<63, 0)
	c.awaitOver(t, r.expires)
}

func expireByRole(e *env) {
	t, owner, _, renewer, _ := parties(e, -1)
	equal(e, "by the renewer", renewer.expire(t, 3600_000).code, 0)
	equal(e, "by the owner", owner.expire(t, 3600_000).code, 0)
	equal(e, "removal by the renewer", renewer.expire(t, -1).code, 0)
}

func expireNow(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	before := e.millis()
	r := c.expire(t, 0)
	equal(e, "code", r.code, 0)
	within(e, "expiry", r.expires, before, e.millis())
	c.awaitOver(t, r.expires)
	code := c.renewOnce(t.hmac, -1).code
	if code != 66 && code != 62 { // 62 where the sweep was faster
		e.Fatalf("renew: code %d", code)
	}
}

func expirePeriods(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	expiry, hour := e.Settings().ExpiryTime.Milliseconds(), time.Hour.Milliseconds()
	for _, period := range []int64{200_000, hour, 2 * expiry, 5000, expiry + 1} {
		before := e.millis()
		r := c.expire(t, period)
		equal(e, "code", r.code, 0)
		within(e, "expiry", r.expires, before+period, e.millis()+period)
	}
	equal(e, "longer than the maximum lifetime", c.expire(t, e.Settings().MaxLifetime.Milliseconds()+hour), changed{0, t.ends})
	equal(e, "a moment taken for a period", c.expire(t, t.ends+1), changed{0, t.ends})

	short := c.newToken(newToken{life: 50_000})
	equal(e, "past a short maximum", c.expire(short, 100_000), changed{0, short.ends})
	r := c.expire(short, 20_000)
	equal(e, "code", r.code, 0)
	within(e, "a shorter expiry", r.expires, short.issued+20_000, short.expires-1)
	e.await("the shorter expiry is described", arrival, func() bool { return c.shown(short.id).expires == r.expires })
}

func expireSaturates(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	equal(e, "Long.MAX", c.expire(t, 1<<63-1), changed{0, t.ends})
	equal(e, "Long.MAX less one", c.expire(t, 1<<63-2), changed{0, t.ends})
}

func expireRightAfterCreate(e *env) {
	c := e.as(e.user())
	r := c.create(newToken{life: 10_000})
	got := c.expireOnce(string(r.HMAC), -1)
	if got.code != 0 && got != (changed{62, e.noTime()}) {
		e.Fatalf("expire right after create: %+v", got)
	}
	if got.code != 0 {
		got = c.expire(token{hmac: string(r.HMAC)}, -1)
	}
	equal(e, "code", got.code, 0)
	if !e.answersPeriod() {
		within(e, "expiry", got.expires, r.IssueTimestamp, r.MaxTimestamp-1)
	}
}

func expireSeveral(e *env) {
	c := e.as(e.user())
	tokens := []token{c.newToken(newToken{}), c.newToken(newToken{}), c.newToken(newToken{})}
	for _, t := range tokens {
		equal(e, "code", c.expire(t, -1).code, 0)
	}
	e.await("all are gone", arrival, func() bool { return len(c.ids(nil)) == 0 })
}

// expireThenRenew: until the controller has learnt of the removal, it accepts a
// renewal and writes the whole token anew (50 of 50 on Kafka 4.4). Whatever it
// answers must be what is then listed.
func expireThenRenew(e *env) {
	c := e.as(e.user())
	for range 5 {
		t := c.newToken(newToken{renewers: []string{"User:x"}})
		equal(e, "renew", c.renew(t, -1).code, 0)
		equal(e, "expire", c.expire(t, -1).code, 0)
		r := c.renewOnce(t.hmac, 1000_000)
		if r == (changed{62, e.noTime()}) {
			e.await("the token is gone", arrival, func() bool { return !c.sees(t.id) })
			continue
		}
		equal(e, "code of renew", r.code, 0)
		t.expires = r.expires
		e.await("the token is back", arrival, func() bool {
			for _, shown := range c.describe(nil) {
				if shown.id == t.id && shown.expires == r.expires {
					return true
				}
			}
			return false
		})
		e.settleRules() // whatever was under way has arrived
		equal(e, "the token", c.shown(t.id), t)
	}
}

// over waits until the token's expiry has passed, with a margin for the
// broker's clock.
func (e *env) over(expires int64) {
	e.Helper()
	if left := expires - e.millis() + 20; left > 0 {
		e.Pass(time.Duration(left) * time.Millisecond)
	}
}

// sweeps is how long a token that is over can stay listed.
func (e *env) sweeps() time.Duration { return 2*e.Settings().SweepInterval + arrival }

func expiredSwept(e *env) {
	c := e.as(e.user())
	// Between expiry and sweep there is up to one interval, and the expiry may
	// fall right before a sweep: one of several tokens is seen in between.
	seen := false
	var tokens []token
	for i := range int64(5) {
		tokens = append(tokens, c.newToken(newToken{life: 1000 + i*e.Settings().SweepInterval.Milliseconds()/5}))
	}
	for _, t := range tokens {
		e.over(t.expires)
		if c.sees(t.id) {
			seen = true
		}
	}
	equal(e, "an expired token is listed until the sweep", seen, true)
	e.await("the sweep removes them", e.sweeps(), func() bool { return len(c.ids(nil)) == 0 })
	for _, t := range tokens {
		equal(e, "expire a swept token", c.expireOnce(t.hmac, -1), changed{62, e.noTime()})
		equal(e, "renew a swept token", c.renewOnce(t.hmac, -1), changed{62, e.noTime()})
	}
}

// unswept runs check on an expired token that the sweep has not taken; should a
// sweep come in between, it tries with another token.
func (e *env) unswept(check func() (sweptMeanwhile bool)) {
	e.Helper()
	for range 5 {
		if !check() {
			return
		}
	}
	e.Fatal("the sweep removed five tokens right at their expiry")
}

func expiredRefused(e *env) {
	e.unswept(func() bool {
		t, owner, _, renewer, stranger := parties(e, 1500)
		e.over(t.expires)
		got := []changed{
			owner.renewOnce(t.hmac, -1), owner.renewOnce(t.hmac, 1000), renewer.renewOnce(t.hmac, 0),
			stranger.renewOnce(t.hmac, -1),
			owner.expireOnce(t.hmac, 0), owner.expireOnce(t.hmac, 100), renewer.expireOnce(t.hmac, 1<<40),
			stranger.expireOnce(t.hmac, 100), stranger.expireOnce(t.hmac, -1),
		}
		if got[len(got)-1].code == 62 {
			return true
		}
		// Which of the two refusals comes first for a stranger.
		renewed, expired := int16(66), int16(63)
		if e.Kafka().ZooKeeper() {
			renewed = 63
		} else if !removesExpired(e.Kafka()) {
			expired = 66
		}
		var codes []int16
		for _, answer := range got {
			equal(e, "expiry in a refusal", answer.expires, e.noTime())
			codes = append(codes, answer.code)
		}
		equal(e, "codes", codes, []int16{66, 66, 66, renewed, 66, 66, 66, expired, expired})
		return false
	})
}

func expiredStays(e *env) {
	e.unswept(func() bool {
		t, owner, _, renewer, _ := parties(e, 1500)
		e.over(t.expires)
		got := []changed{owner.expireOnce(t.hmac, -1), renewer.expireOnce(t.hmac, -1)}
		if got[1].code == 62 {
			return true
		}
		equal(e, "answers", got, []changed{{66, e.noTime()}, {66, e.noTime()}})
		return false
	})
}

func expiredRemoved(e *env) {
	for _, byRenewer := range []bool{false, true} {
		e.unswept(func() bool {
			t, by, _, renewer, _ := parties(e, 1000)
			if byRenewer {
				by = renewer
			}
			e.over(t.expires)
			before := e.millis()
			r := by.expireOnce(t.hmac, -1)
			if r.code == 62 {
				return true
			}
			equal(e, "code", r.code, 0)
			within(e, "expiry", r.expires, before, e.millis())
			e.await("the token is gone", arrival, func() bool { return !by.sees(t.id) })
			return false
		})
	}
}

func expiredOthersStay(e *env) {
	c := e.as(e.user())
	var short, long []token
	for range 2 {
		short = append(short, c.newToken(newToken{life: 1000}))
		long = append(long, c.newToken(newToken{life: time.Hour.Milliseconds()}))
	}
	e.over(short[1].expires)
	e.await("the sweep removes what is over", e.sweeps(), func() bool { return len(c.ids(nil)) <= 2 })
	equal(e, "what is left", c.ids(nil), idsOf(long...))
}
