package contract

import (
	"slices"

	"dtok/kafka/contract/apache"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func describeCases() []contractCase {
	return only(offering(describeToken), []contractCase{
		{"describe: null owners is everything visible, an empty list is nothing", describeNullAndEmpty, always},
		{"describe: an unknown owner has no tokens and that is no error", describeUnknown, always},
		{"describe: the filter matches owner and renewers", describeFilter, always},
		{"describe: the filter matches the requester", describeFilterRequester, since("3.3")},
		{"describe: the type is part of the filter", describeFilterType, always},
		{"describe: an owner named twice is answered once", describeTwice, always},
		{"describe: below version 3 there is no requester", describeOldVersions, always},
		{"describe: shows the HMAC to everybody who sees the token", describeHMAC, always},
	})
}

func visibilityCases() []contractCase {
	return only(offering(describeToken), []contractCase{
		{"visible: to owner, renewers and the super user, not to strangers", visibleByRole, always},
		{"visible: to the requester", visibleToMaker, since("3.3")},
		{"visible: the matrix of Kafka's own tests", visibleMatrix, always},
		{"visible: by rules on the owner or on the token", visibleByRules, always},
		{"visible: a rule that is deleted shows no more", visibleRuleDeleted, always},
		{"visible: by rules to the requester's filter", visibleToRequester, since("3.3")},
	})
}

func describeNullAndEmpty(e *env) {
	c := e.as(e.user())
	equal(e, "tokens of a new user", c.ids(nil), []string{})
	t := c.newToken(newToken{})
	equal(e, "tokens, owners null", c.ids(nil), idsOf(t))
	for version := e.Kafka().APIs[describeToken].Min; version <= e.Kafka().APIs[describeToken].Max; version++ {
		equal(e, "tokens, owners empty", c.describeVersion(version, ownerFilter{}), nil)
	}
}

func describeUnknown(e *env) {
	c := e.as(e.user())
	c.newToken(newToken{})
	equal(e, "tokens of an unknown owner", c.ids(ownerFilter{"User:" + e.fresh("unknown")}), []string{})
	equal(e, "tokens of an owner without a name", c.ids(ownerFilter{"User:"}), []string{})
}

func describeFilter(e *env) {
	owner, other := e.user(), e.user()
	c, admin := e.as(owner), e.admin()
	own := c.newToken(newToken{})
	renewed := c.newToken(newToken{renewers: []string{"User:x", "User:" + other}})
	others := e.as(other).newToken(newToken{})
	// What comes last is visible last, so that everything is there.
	equal(e, "of the owner", admin.ids(ownerFilter{"User:" + owner}), idsOf(own, renewed))
	equal(e, "of the renewer", admin.ids(ownerFilter{"User:" + other}), idsOf(renewed, others))
	equal(e, "of both", admin.ids(ownerFilter{"User:" + owner, "User:" + other}), idsOf(own, renewed, others))
	equal(e, "of an unknown one and the renewer", c.ids(ownerFilter{"User:" + e.fresh("x"), "User:" + other}), idsOf(renewed))
}

func describeFilterRequester(e *env) {
	owner, maker := e.user(), apache.Admin
	c, admin := e.as(owner), e.admin()
	own := c.newToken(newToken{})
	requested := admin.newToken(newToken{owner: "User:" + owner})
	equal(e, "of the owner", admin.ids(ownerFilter{"User:" + owner}), idsOf(own, requested))
	equal(e, "of the requester, as the owner sees it", c.ids(ownerFilter{"User:" + maker}), idsOf(requested))
}

func describeFilterType(e *env) {
	owner := e.user()
	c := e.as(owner)
	t := c.newToken(newToken{})
	equal(e, "of User", c.ids(ownerFilter{"User:" + owner}), idsOf(t))
	equal(e, "of Group", c.ids(ownerFilter{"Group:" + owner}), []string{})
	equal(e, "of user", c.ids(ownerFilter{"user:" + owner}), []string{})
}

func describeTwice(e *env) {
	owner := e.user()
	c := e.as(owner)
	t := c.newToken(newToken{renewers: []string{"User:" + owner}})
	equal(e, "tokens", c.ids(ownerFilter{"User:" + owner, "User:" + owner}), idsOf(t))
}

func describeOldVersions(e *env) {
	owner := e.user()
	c := e.as(owner)
	t := c.newToken(newToken{renewers: []string{"User:b", "User:a"}})
	offered := e.Kafka().APIs[describeToken]
	equal(e, "newest version", c.describeVersion(offered.Max, nil), []token{t})
	t.requester = ""
	for version := offered.Min; version < min(3, offered.Max+1); version++ {
		equal(e, "older version", c.describeVersion(version, nil), []token{t})
	}
}

func describeHMAC(e *env) {
	owner, renewer := e.user(), e.user()
	t := e.as(owner).newToken(newToken{renewers: []string{"User:" + renewer}})
	for _, user := range []string{owner, renewer, "admin"} {
		if got := e.as(user).shown(t.id).hmac; got != t.hmac || len(got) != 64 {
			e.Fatalf("the HMAC shown to %s has %d bytes or is another one", user, len(got))
		}
	}
}

func visibleByRole(e *env) {
	owner, renewer, stranger := e.user(), e.user(), e.user()
	t := e.as(owner).newToken(newToken{renewers: []string{"User:" + renewer}})
	for user, sees := range map[string]bool{owner: true, renewer: true, stranger: false, "admin": true} {
		c := e.as(user)
		equal(e, "seen by "+user, c.sees(t.id), sees)
		equal(e, "seen by "+user+", owner named", len(c.ids(ownerFilter{"User:" + owner})) == 1, sees)
	}
}

func visibleToMaker(e *env) {
	owner, requester, renewer, stranger := e.user(), e.user(), e.user(), e.user()
	e.admin().addRules(userRule("User:"+requester, "User:"+owner, kmsg.ACLOperationCreateTokens))
	e.settleRules()
	t := e.as(requester).newToken(newToken{owner: "User:" + owner, renewers: []string{"User:" + renewer}})
	equal(e, "owner", t.owner, "User:"+owner)
	equal(e, "requester", t.requester, "User:"+requester)
	for user, sees := range map[string]bool{owner: true, requester: true, renewer: true, stranger: false} {
		equal(e, "seen by "+user, e.as(user).sees(t.id), sees)
	}
}

// visibleMatrix is the table of Kafka's DelegationTokenManagerTest.
func visibleMatrix(e *env) {
	owner1, renewer1, renewer2, renewer3, renewer4 := e.user(), e.user(), e.user(), e.user(), e.user()
	owner2, owner3, owner4 := e.user(), e.user(), e.user()
	u := func(name string) string { return "User:" + name }
	one := e.as(owner1).newToken(newToken{renewers: []string{u(renewer1), u(renewer2)}})
	two := e.as(owner2).newToken(newToken{renewers: []string{u(renewer3)}})
	three := e.as(owner3).newToken(newToken{})
	four := e.as(owner4).newToken(newToken{renewers: []string{u(owner1), u(renewer4)}})

	sees := func(user string, owners ownerFilter, want ...token) {
		e.Helper()
		equal(e, "tokens", e.as(user).ids(owners), idsOf(want...))
	}
	sees(owner1, ownerFilter{u(e.fresh("unknown"))})
	sees(owner1, ownerFilter{})
	sees(owner1, ownerFilter{u(owner1)}, one, four)
	sees(owner1, nil, one, four)
	sees(e.user(), nil)
	sees(owner1, ownerFilter{u(owner1), u(renewer4)}, one, four)
	sees(renewer1, nil, one)
	sees(renewer2, nil, one)
	sees(renewer3, nil, two)
	sees(renewer4, nil, four)
	sees(owner3, nil, three)
	sees(renewer2, ownerFilter{u(renewer2), u(renewer3)}, one)

	for user, t := range map[string]token{owner1: three, renewer2: two} {
		e.admin().addRules(rule{
			resource: kmsg.ACLResourceTypeDelegationToken, name: t.id, principal: u(user), operation: kmsg.ACLOperationDescribe,
		})
		e.settleRules()
	}
	sees(owner1, nil, one, three, four)
	sees(owner1, ownerFilter{u(owner1), u(owner3)}, one, three, four)
	sees(renewer2, ownerFilter{u(renewer2), u(renewer3)}, one, two)
}

func visibleByRules(e *env) {
	team := e.fresh("team")
	owner := e.user()
	if e.makesUsers() {
		owner = e.userNamed(team + "-job")
	}
	t := e.as(owner).newToken(newToken{})
	onToken := func(name string, op kmsg.ACLOperation) rule {
		return rule{resource: kmsg.ACLResourceTypeDelegationToken, name: name, operation: op}
	}
	prefixed := func(r rule) rule { r.prefixed = true; return r }
	deny := func(r rule) rule { r.deny = true; return r }
	describeTokens, describe, all := kmsg.ACLOperationDescribeTokens, kmsg.ACLOperationDescribe, kmsg.ACLOperationAll
	for _, test := range []struct {
		name  string
		rules []rule
		sees  bool
	}{
		{"DescribeTokens on the owner", []rule{userRule("", "User:"+owner, describeTokens)}, true},
		{"DescribeTokens on the bare name", []rule{userRule("", owner, describeTokens)}, false},
		{"DescribeTokens on a prefix", []rule{prefixed(userRule("", "User:"+team, describeTokens))}, true},
		{"DescribeTokens on a star", []rule{userRule("", "*", describeTokens)}, true},
		{"all on the owner", []rule{userRule("", "User:"+owner, all)}, true},
		{"Describe on the owner", []rule{userRule("", "User:"+owner, describe)}, false},
		{"CreateTokens does not imply it", []rule{userRule("", "User:"+owner, kmsg.ACLOperationCreateTokens)}, false},
		{"DescribeTokens denied", []rule{userRule("", "*", all), deny(userRule("", "User:"+owner, describeTokens))}, false},
		{"Describe on the token", []rule{onToken(t.id, describe)}, true},
		{"Describe on a prefix of the id", []rule{prefixed(onToken(t.id[:12], describe))}, true},
		{"Describe on every token", []rule{onToken("*", describe)}, true},
		{"all on the token", []rule{onToken(t.id, all)}, true},
		{"Alter on the token implies Describe", []rule{onToken(t.id, kmsg.ACLOperationAlter)}, true},
		{"Create on the token does not", []rule{onToken(t.id, kmsg.ACLOperationCreate)}, false},
		{"Describe on another token", []rule{onToken("x"+t.id, describe)}, false},
		{"denied on the token, allowed on the owner", []rule{deny(onToken(t.id, all)), userRule("", "User:"+owner, describeTokens)}, true},
		{"denied on the owner, allowed on the token", []rule{onToken(t.id, describe), deny(userRule("", "User:"+owner, all))}, true},
	} {
		if slices.ContainsFunc(test.rules, func(r rule) bool { return !e.storesRule(r) }) {
			continue // refused, as another case shows
		}
		e.Logf("%s", test.name)
		user := e.user()
		for i := range test.rules {
			test.rules[i].principal = "User:" + user
		}
		e.admin().addRules(test.rules...)
		e.settleRules()
		c := e.as(user)
		equal(e, test.name, c.sees(t.id), test.sees)
		equal(e, test.name+", owner named", len(c.ids(ownerFilter{"User:" + owner})) == 1, test.sees)
	}
}

func visibleRuleDeleted(e *env) {
	owner, user := e.user(), e.user()
	t := e.as(owner).newToken(newToken{})
	c := e.as(user)
	r := rule{resource: kmsg.ACLResourceTypeDelegationToken, name: t.id, principal: "User:" + user, operation: kmsg.ACLOperationDescribe}
	e.admin().addRules(r)
	e.await("the rule shows the token", arrival, func() bool { return c.sees(t.id) })
	e.admin().deleteRules(r)
	e.await("the deleted rule shows it no more", arrival, func() bool { return !c.sees(t.id) })
}

func visibleToRequester(e *env) {
	owner, requester := e.user(), e.user()
	own := e.as(owner).newToken(newToken{})
	e.admin().addRules(userRule("User:"+requester, "User:"+owner, kmsg.ACLOperationCreateTokens))
	e.settleRules()
	c := e.as(requester)
	requested := c.newToken(newToken{owner: "User:" + owner})
	equal(e, "without DescribeTokens, its own request alone", c.ids(ownerFilter{"User:" + owner}), idsOf(requested))
	e.admin().addRules(userRule("User:"+requester, "User:"+owner, kmsg.ACLOperationDescribeTokens))
	e.settleRules()
	equal(e, "with it, all of the owner", c.ids(ownerFilter{"User:" + owner}), idsOf(own, requested))
	equal(e, "requested", c.shown(requested.id), requested)
}
