package contract

import (
	"errors"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func noSecretKeyCases() []contractCase {
	return only(offering(createToken), []contractCase{
		{"no secret key: all four token requests", noKeyRefused, always},
		{"no secret key: what is refused before", noKeyOrder, always},
		{"no secret key: nothing signs in with a token", noKeySignIn, always},
		{"no secret key: the requests are offered all the same", tokensOffered, always},
		{"no secret key: dtok says so", dtokOffKey, always},
	})
}

func noKeyRefused(e *env) {
	for _, user := range []string{e.user(), apache.Admin} {
		c := e.as(user)
		equal(e, "create", refusalOf(c.create(newToken{})), e.refusal(61, "User:"+user, "User:"+user, e.noTime()))
		for _, hmac := range []string{"", "x", string(make([]byte, 64))} {
			equal(e, "renew", c.renewOnce(hmac, -1), changed{61, e.noTime()})
			equal(e, "expire", c.expireOnce(hmac, -1), changed{61, e.noTime()})
		}
		for _, owners := range []ownerFilter{nil, {}, {"User:" + user}} {
			r := do[*kmsg.DescribeDelegationTokenResponse](c, describeRequest(3, owners))
			equal(e, "code of describe", r.ErrorCode, 61)
			equal(e, "tokens", len(r.TokenDetails), 0)
		}
	}
}

func noKeyOrder(e *env) {
	user := e.user()
	c := e.as(user)
	e.dial(apache.Plaintext).refusedEverywhere("User:ANONYMOUS")
	other := "User:" + e.fresh("other")
	if e.Kafka().Since("3.3") {
		equal(e, "another owner", refusalOf(c.create(newToken{owner: other})), e.refusal(65, other, "User:"+user, -1))
	}
	equal(e, "a renewer of another type", refusalOf(c.create(newToken{renewers: []string{"Group:x"}})),
		e.refusal(67, "User:"+user, "User:"+user, -1))
}

func noKeySignIn(e *env) {
	cred := withToken(token{id: "AAAAAAAAAAAAAAAAAAAAAA", hmac: string(make([]byte, 64))}, raw.ScramSHA256)
	equal(e, "refusal", *e.refused(apache.SASLPlaintext, cred), raw.Refused{Step: 1, Code: 58, Text: e.wrongSCRAM(raw.ScramSHA256)})
}

func tokensOffered(e *env) {
	r := do[*kmsg.ApiVersionsResponse](e.dial(apache.SASLPlaintext), anything())
	got := offered(r)
	for key := int16(38); key <= 41; key++ {
		equal(e, "range of "+kmsg.NameForKey(key), got[key], e.Kafka().APIs[key])
	}
}

func oldMetadataCases() []contractCase {
	return only(both(offering(createToken), not(zooKeeper)), []contractCase{
		{"old metadata: the finalized feature tells", oldMetadataFeature, always},
		{"old metadata: changes are refused, listing is empty", oldMetadataRefused, always},
		{"old metadata: what is refused before", oldMetadataOrder, always},
		{"old metadata: the requests are offered all the same", tokensOffered, always},
		{"old metadata: dtok says so", dtokOffMetadata, always},
	})
}

func oldMetadataFeature(e *env) {
	r := do[*kmsg.ApiVersionsResponse](e.dial(apache.SASLPlaintext), anything())
	equal(e, "finalized metadata.version", finalized(r, "metadata.version"), [2]int16{11, 11})
	equal(e, "finalized features", len(r.FinalizedFeatures), 1)
}

func oldMetadataRefused(e *env) {
	for _, user := range []string{e.user(), apache.Admin} {
		c := e.as(user)
		equal(e, "create", refusalOf(c.create(newToken{})), e.refusal(35, "User:"+user, "User:"+user, e.noTime()))
		for _, hmac := range []string{"", string(make([]byte, 64))} {
			equal(e, "renew", c.renewOnce(hmac, -1), changed{35, 0})
			equal(e, "expire", c.expireOnce(hmac, -1), changed{35, 0})
		}
		equal(e, "tokens", c.ids(nil), []string{})
		equal(e, "tokens of the user", c.ids(ownerFilter{"User:" + user}), []string{})
	}
}

func oldMetadataOrder(e *env) {
	user := e.user()
	c := e.as(user)
	e.dial(apache.Plaintext).refusedEverywhere("User:ANONYMOUS")
	other := "User:" + e.fresh("other")
	if e.Kafka().Since("3.3") {
		equal(e, "another owner", refusalOf(c.create(newToken{owner: other})), e.refusal(65, other, "User:"+user, -1))
	}
	equal(e, "a renewer of another type", refusalOf(c.create(newToken{renewers: []string{"Group:x"}})),
		e.refusal(67, "User:"+user, "User:"+user, -1))
}

func noAuthorizerCases() []contractCase {
	return []contractCase{
		{"no authorizer: the ACL requests", noAuthorizerACLs, always},
		{"no authorizer: everybody creates for everybody and sees all", noAuthorizerTokens, both(offering(createToken), since("3.3"))},
		{"no authorizer: everybody reads and changes quotas and users", noAuthorizerOthers, offering(scramUsers)},
		{"no authorizer: dtok's client and rules", dtokNoAuthorizer, always},
	}
}

func noAuthorizerACLs(e *env) {
	c := e.as(e.user())
	r := topicRule("User:x", "t", kmsg.ACLOperationRead)
	listed := do[*kmsg.DescribeACLsResponse](c, filter{}.request())
	equal(e, "list", outcomeOf(listed.ErrorCode, listed.ErrorMessage), outcome{54, "No Authorizer is configured on the broker"})
	none := e.noAuthorizer()
	equal(e, "create", c.createRules(r.creation(), r.creation()), []outcome{none, none})
	req := kmsg.NewPtrDeleteACLsRequest()
	req.Version, req.Filters = 3, []kmsg.DeleteACLsRequestFilter{exactly(r).deletion(), filter{}.deletion()}
	var deleted []outcome
	for _, result := range do[*kmsg.DeleteACLsResponse](c, req).Results {
		deleted = append(deleted, outcomeOf(result.ErrorCode, result.ErrorMessage))
	}
	equal(e, "delete", deleted, []outcome{none, none})
}

func noAuthorizerTokens(e *env) {
	user, owner, stranger := e.user(), e.user(), e.user()
	t := e.as(user).newToken(newToken{owner: "User:" + owner})
	equal(e, "owner and requester", [2]string{t.owner, t.requester}, [2]string{"User:" + owner, "User:" + user})
	c := e.as(stranger)
	equal(e, "as a stranger sees it", c.shown(t.id), t)
	equal(e, "with the owner named", c.ids(ownerFilter{"User:" + owner}), idsOf(t))
	for _, not := range []*client{c, e.as(user), e.admin()} {
		equal(e, "renew by neither owner nor renewer", not.renew(t, -1), changed{63, e.noTime()})
		equal(e, "expire by neither owner nor renewer", not.expire(t, -1), changed{63, e.noTime()})
	}
	equal(e, "renew by the owner", e.as(owner).renew(t, -1).code, 0)
	e.dial(apache.Plaintext).refusedEverywhere("User:ANONYMOUS")
}

func noAuthorizerOthers(e *env) {
	c := e.as(e.user())
	name := e.fresh("u")
	c.setPassword(name, raw.ScramSHA256, "x")
	e.await("the user is listed", arrival, func() bool { return c.hasScram(name, raw.ScramSHA256) })
	c.setQuota(quota{entity{"user": name}, "producer_byte_rate", 5, false})
	e.await("the quota is read", arrival, func() bool { return len(c.quotas(true, exact("user", name))) == 1 })
}

func endlessCases() []contractCase {
	return only(since("4.0"), []contractCase{ // KAFKA-17415
		{"endless: lifetimes of Long.MAX do not overflow", endlessLifetimes, always},
		{"endless: nothing signs in with such a token", endlessSignIn, since("4.4")},
		{"endless: such a token signs in for as long", endlessSession, before("4.4")},
	})
}

func endlessLifetimes(e *env) {
	const long = 1<<63 - 1
	c := e.as(e.user())
	for _, life := range []int64{-1, long} {
		t := c.newToken(newToken{life: life})
		equal(e, "expiry and maximum", [2]int64{t.expires, t.ends}, [2]int64{long, long})
		equal(e, "expire Long.MAX", c.expire(t, long), changed{0, long})
		equal(e, "removed", c.expire(t, -1).code, 0)
	}
	short := c.newToken(newToken{life: 5000_000})
	equal(e, "lifetime and time to expiry", [2]int64{short.ends - short.issued, short.expires - short.issued}, [2]int64{5000_000, 5000_000})
}

func endlessSession(e *env) {
	before := e.millis()
	_, s := e.session(e.as(e.user()).newToken(newToken{}))
	within(e, "session lifetime", s.LifetimeMillis, 1<<63-1-e.millis(), 1<<63-1-before)
}

// endlessSignIn: the lifetime of the session would have to fit into 64 bits as
// nanoseconds; Kafka 4.4 fails over that and closes the connection instead of
// answering the last step.
func endlessSignIn(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	e.await("the sign-in is cut", arrival, func() bool {
		_, _, err := e.signIn(apache.SASLPlaintext, withToken(t, raw.ScramSHA256))
		var refused *raw.Refused
		if errors.As(err, &refused) && refused.Step == 1 {
			return false // the token has not arrived
		}
		if !hungUp(err) {
			e.Fatalf("sign-in: %v", err)
		}
		return true
	})
	equal(e, "expire in an hour", c.expire(t, 3600_000).code, 0)
	e.await("with an end it signs in", arrival, func() bool {
		_, _, err := e.signIn(apache.SASLPlaintext, withToken(t, raw.ScramSHA256))
		return err == nil
	})
}
