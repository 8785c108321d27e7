package contract

import (
	"github.com/twmb/franz-go/pkg/kmsg"
)

func ownerCases() []contractCase {
	known := since("3.3") // KIP-373: from CreateDelegationToken version 3 on
	return only(offering(createToken), []contractCase{
		{"owner: none or the caller itself needs no rule", ownerSelf, always},
		{"owner: another one without a rule is refused, before the renewers are looked at", ownerForeign, known},
		{"owner: a name without a type is an error", ownerWithoutType, known},
		{"owner: the super user may create for everybody", ownerBySuper, known},
		{"owner: below version 3 the token is the caller's", ownerOldVersion, always},
		{"owner: rules that open and that do not", ownerRules, known},
		{"owner: a rule that is deleted opens no more", ownerRuleDeleted, known},
		{"owner: a rule bound to a host", ownerRuleHost, known},
	})
}

func ownerSelf(e *env) {
	self := e.user()
	c := e.as(self)
	kind, name, empty := "Group", self, ""
	user := "User"
	for _, test := range []struct{ kind, name *string }{
		{nil, nil}, {&empty, &empty}, {&kind, &empty}, {nil, &empty}, {&kind, nil}, {&user, &name},
	} {
		req := createRequest(newToken{})
		req.OwnerPrincipalType, req.OwnerPrincipalName = test.kind, test.name
		r := do[*kmsg.CreateDelegationTokenResponse](c, req)
		equal(e, "code", r.ErrorCode, 0)
		equal(e, "owner", r.PrincipalType+":"+r.PrincipalName, "User:"+self)
		equal(e, "requester", principal(r.TokenRequesterPrincipalType, r.TokenRequesterPrincipalName), e.requester("User:"+self))
	}
}

func ownerForeign(e *env) {
	self := e.user()
	c := e.as(self)
	for _, owner := range []string{"User:" + e.fresh("other"), "Group:" + self, "user:" + self} {
		for _, renewers := range [][]string{nil, {"Group:x"}} {
			r := c.create(newToken{owner: owner, renewers: renewers})
			equal(e, "answer", refusalOf(r), e.refusal(65, owner, "User:"+self, -1))
		}
	}
}

func ownerWithoutType(e *env) {
	c := e.as(e.user())
	req := createRequest(newToken{})
	name := e.fresh("other")
	req.OwnerPrincipalName = &name
	r := do[*kmsg.CreateDelegationTokenResponse](c, req)
	equal(e, "answer", refusalOf(r), e.refusal(-1, "User:ANONYMOUS", "User:ANONYMOUS", -1))
}

func ownerBySuper(e *env) {
	admin := e.admin()
	for _, owner := range []string{"User:" + e.fresh("nobody"), "Group:" + e.fresh("team"), "User:CN=" + e.fresh("x") + ",OU=a:b c"} {
		t := admin.newToken(newToken{owner: owner})
		equal(e, "owner and requester", [2]string{t.owner, t.requester}, [2]string{owner, "User:admin"})
		equal(e, "described", admin.shown(t.id), t)
	}
}

func ownerOldVersion(e *env) {
	self := e.user()
	c := e.as(self)
	offered := e.Kafka().APIs[createToken]
	for version := offered.Min; version < min(3, offered.Max+1); version++ {
		// The fields do not exist there; kmsg leaves them out.
		r := c.create(newToken{version: &version, owner: "User:" + e.fresh("other")})
		equal(e, "code", r.ErrorCode, 0)
		equal(e, "owner", r.PrincipalType+":"+r.PrincipalName, "User:"+self)
	}
}

// userRule allows or denies an operation on User resources to a principal.
func userRule(principal, name string, op kmsg.ACLOperation) rule {
	return rule{resource: kmsg.ACLResourceTypeUser, name: name, principal: principal, operation: op}
}

func ownerRules(e *env) {
	team := e.fresh("team")
	owner := team + "-job"
	createTokens, all := kmsg.ACLOperationCreateTokens, kmsg.ACLOperationAll
	type given func(self string) []rule
	one := func(name string, op kmsg.ACLOperation) given {
		return func(self string) []rule { return []rule{userRule("User:"+self, name, op)} }
	}
	prefixed := func(name string) given {
		return func(self string) []rule {
			r := userRule("User:"+self, name, createTokens)
			r.prefixed = true
			return []rule{r}
		}
	}
	for _, test := range []struct {
		name  string
		owner string
		rules given
		code  int16
	}{
		{"literal", "User:" + owner, one("User:"+owner, createTokens), 0},
		{"literal, all operations", "User:" + owner, one("User:"+owner, all), 0},
		{"literal, without the type", "User:" + owner, one(owner, createTokens), 65},
		{"literal, of another type", "Group:" + owner, one("User:"+owner, createTokens), 65},
		{"literal, a type that is not User", "Group:" + owner, one("Group:"+owner, createTokens), 0},
		{"literal, to describe only", "User:" + owner, one("User:"+owner, kmsg.ACLOperationDescribeTokens), 65},
		{"literal, to describe the resource", "User:" + owner, one("User:"+owner, kmsg.ACLOperationDescribe), 65},
		{"prefix", "User:" + owner, prefixed("User:" + team), 0},
		{"prefix, whole name", "User:" + owner, prefixed("User:" + owner), 0},
		{"prefix, without the type", "User:" + owner, prefixed(team), 65},
		{"a star covers every owner", "User:" + owner, one("*", createTokens), 0},
		{"a star covers other types", "Group:" + owner, one("*", createTokens), 0},
		{"User:* is a name like any other", "User:" + owner, one("User:*", createTokens), 65},
		{"denied over allowed", "User:" + owner, func(self string) []rule {
			deny := userRule("User:"+self, "User:"+owner, createTokens)
			deny.deny = true
			return []rule{userRule("User:"+self, "*", all), deny}
		}, 65},
		{"all denied over allowed", "User:" + owner, func(self string) []rule {
			deny := userRule("User:"+self, "*", all)
			deny.deny = true
			return []rule{userRule("User:"+self, "User:"+owner, createTokens), deny}
		}, 65},
		{"to a principal of another type", "User:" + owner, func(self string) []rule {
			return []rule{userRule("Group:"+self, "User:"+owner, createTokens)}
		}, 65},
	} {
		e.Logf("%s", test.name)
		self := e.user()
		c := e.as(self)
		e.admin().addRules(test.rules(self)...)
		e.settleRules()
		c.creates(newToken{owner: test.owner}, test.code)
	}

	// A rule for everybody would open the owner to other cases; this owner is
	// nobody else's.
	lonely := e.fresh("lonely")
	e.admin().addRules(userRule("User:*", "User:"+lonely, createTokens))
	e.settleRules()
	e.as(e.user()).creates(newToken{owner: "User:" + lonely}, 0)
}

func ownerRuleDeleted(e *env) {
	self, owner := e.user(), "User:"+e.fresh("job")
	c := e.as(self)
	code := func() int16 { return c.create(newToken{owner: owner}).ErrorCode }
	r := userRule("User:"+self, owner, kmsg.ACLOperationCreateTokens)
	e.admin().addRules(r)
	e.await("the rule opens", arrival, func() bool { return code() == 0 })
	e.admin().deleteRules(r)
	e.await("the deleted rule opens no more", arrival, func() bool { return code() == 65 })
}

func ownerRuleHost(e *env) {
	self := e.user()
	c := e.as(self)
	here, elsewhere := "User:"+e.fresh("here"), "User:"+e.fresh("elsewhere")
	a := userRule("User:"+self, here, kmsg.ACLOperationCreateTokens)
	a.host = "127.0.0.1"
	b := userRule("User:"+self, elsewhere, kmsg.ACLOperationCreateTokens)
	b.host = "192.0.2.1"
	e.admin().addRules(a, b)
	e.settleRules()
	c.creates(newToken{owner: here}, 0)
	c.creates(newToken{owner: elsewhere}, 65)
}
