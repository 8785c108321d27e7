package contract

import (
	"context"
	"errors"
	"slices"

	"dtok/kafka"
	"dtok/kafka/contract/apache"
)

// dtokCases are about dtok's own client: what it reads and changes arrives in
// the broker as it says.
func dtokCases() []contractCase {
	return []contractCase{
		{"dtok: rules in their three groups, added and deleted one by one", dtokRules, always},
		{"dtok: rules that an old broker does not know are not sent", dtokOldRules, before("3.3")},
		{"dtok: the right to make tokens for a user, granted and revoked", dtokTokenRights, both(offering(createToken), since("3.3"))},
		{"dtok: a rule on a bare name is replaced", dtokBareRule, since("3.3")},
		{"dtok: rights that rules need", dtokRuleRights, always},
		{"dtok: quotas set, read and removed", dtokQuotas, offering(clientQuotas)},
		{"dtok: Kafka's own refusal of a quota, before anything is changed", dtokQuotaRefused, offering(clientQuotas)},
		{"dtok: rights that quotas need", dtokQuotaRights, offering(clientQuotas)},
		{"dtok: no quotas on an old broker", dtokNoQuotas, not(offering(clientQuotas))},
	}
}

// dtok is dtok's client, signed in as a user.
func (e *env) dtok(user string) *kafka.Client {
	e.Helper()
	c, err := e.dtokOn(apache.SASLPlaintext, e.credentials(user))
	if err != nil {
		e.Fatal(err)
	}
	return c
}

// aclRule is ALLOW on a literal name, from every host.
func aclRule(t kafka.ResourceType, name, principal string, op kafka.Operation) kafka.ACLRule {
	return kafka.ACLRule{ResourceType: t, ResourceName: name, Pattern: kafka.PatternLiteral, Principal: principal, Host: "*",
		Operation: op, Permission: kafka.PermissionAllow}
}

func prefixed(r kafka.ACLRule) kafka.ACLRule { r.Pattern = kafka.PatternPrefixed; return r }
func denied(r kafka.ACLRule) kafka.ACLRule   { r.Permission = kafka.PermissionDeny; return r }
func from(r kafka.ACLRule, host string) kafka.ACLRule {
	r.Host = host
	return r
}

func (e *env) addRules(c *kafka.Client, rules ...kafka.ACLRule) {
	e.Helper()
	changed, err := c.AddRules(context.Background(), kafka.RuleChange{Rules: rules})
	if err != nil {
		e.Fatal(err)
	}
	equal(e, "number of results", len(changed.Results), len(rules))
}

// deleteRule deletes one rule, which must be the one that goes.
func (e *env) deleteRule(c *kafka.Client, r kafka.ACLRule) {
	e.Helper()
	changed, err := c.DeleteRules(context.Background(), kafka.RuleChange{Rules: []kafka.ACLRule{r}})
	if err != nil {
		e.Fatal(err)
	}
	equal(e, "removed rules", changed.Results[0].Removed, []kafka.ACLRule{r})
}

func (e *env) readRules(c *kafka.Client, user string) kafka.RuleList {
	e.Helper()
	l, err := c.Rules(context.Background(), kafka.UserPrincipal(user))
	if err != nil {
		e.Fatal(err)
	}
	for group, err := range l.Failed {
		if old, ok := errors.AsType[*kafka.OldRulesError](err); !ok || group != kafka.OnUser || old.Needs != "3.3" || e.Kafka().Since("3.3") {
			e.Fatalf("%v: %v", group, err)
		}
	}
	return l
}

func texts(rules []kafka.ACLRule) (all []string) {
	for _, r := range rules {
		all = append(all, r.String())
	}
	return all
}

func dtokRules(e *env) {
	c := e.dtok(apache.Admin)
	for _, user := range []string{e.fresh("u"), "CN=" + e.fresh("u") + ",OU=a b:c%3D", "\"" + e.fresh("ü") + "'"} {
		principal := kafka.UserPrincipal(user).String()
		other := "User:" + e.fresh("other")
		topic := aclRule(kafka.ResourceTopic, "pay", principal, kafka.OperationRead)
		of := []kafka.ACLRule{denied(topic), topic, from(topic, "192.0.2.7"), prefixed(topic),
			aclRule(kafka.ResourceCluster, kafka.ClusterName, principal, kafka.OperationDescribe),
			aclRule(kafka.ResourceTransactionalID, "*", principal, kafka.OperationTwoPhaseCommit),
			aclRule(kafka.ResourceDelegationToken, "t-1", principal, kafka.OperationDescribe)}
		on := []kafka.ACLRule{prefixed(aclRule(kafka.ResourceUser, principal[:len("User:")+4], other, kafka.OperationAll)),
			denied(aclRule(kafka.ResourceUser, principal, other, kafka.OperationCreateTokens)),
			aclRule(kafka.ResourceUser, principal, other, kafka.OperationDescribeTokens),
			aclRule(kafka.ResourceUser, user, other, kafka.OperationCreateTokens)}
		of, on = slices.DeleteFunc(of, e.unknownRule), slices.DeleteFunc(on, e.unknownRule)
		e.addRules(c, append(slices.Clone(of), on...)...)
		mine := func() kafka.RuleList {
			l := e.readRules(c, user)
			l.On = slices.DeleteFunc(l.On, func(r kafka.ACLRule) bool { return r.Principal != other })
			return l
		}
		e.await("the rules are listed", arrival, func() bool { l := mine(); return len(l.Of) >= len(of) && len(l.On) >= len(on) })
		sorted := func(rules []kafka.ACLRule) []string { return slices.Sorted(slices.Values(texts(rules))) }
		l := mine()
		equal(e, "rules of the user", sorted(l.Of), sorted(of))
		equal(e, "rules on the user", sorted(l.On), sorted(on))
		for i, r := range append(of, on...) {
			e.deleteRule(c, r)
			e.await("the rule is gone", arrival, func() bool { l := mine(); return len(l.Of)+len(l.On) == len(of)+len(on)-i-1 })
		}
	}
	everyone := aclRule(kafka.ResourceTopic, e.fresh("public"), "User:*", kafka.OperationDescribe)
	e.addRules(c, everyone)
	e.await("the rule for everyone is listed", arrival, func() bool { return slices.Contains(e.readRules(c, "nobody").Everyone, everyone) })
	e.deleteRule(c, everyone)
	_, err := c.DeleteRules(context.Background(), kafka.RuleChange{Rules: []kafka.ACLRule{everyone}})
	var count *kafka.RemovedCountError
	if !errors.As(err, &count) || len(count.Removed) != 0 {
		e.Errorf("deleting a rule twice: %v", err)
	}
}

// unknownRule reports whether the release does not know such a rule.
func (e *env) unknownRule(r kafka.ACLRule) bool {
	switch {
	case r.Operation == kafka.OperationTwoPhaseCommit:
		return !e.Kafka().Since("4.4") // unknown to 4.0, other releases not tried
	case r.ResourceType == kafka.ResourceDelegationToken:
		return !e.Kafka().Since("1.1")
	case r.ResourceType == kafka.ResourceUser:
		return !e.Kafka().Since("3.3")
	}
	return r.Pattern == kafka.PatternPrefixed && !e.Kafka().Since("2.0")
}

func dtokOldRules(e *env) {
	c, name := e.dtok(apache.Admin), e.fresh("u")
	topic := aclRule(kafka.ResourceTopic, "pay", "User:"+name, kafka.OperationRead)
	refused := map[string][]kafka.ACLRule{
		"3.3": kafka.TokenRules(kafka.UserPrincipal("x"), kafka.UserPrincipal(name), kafka.OperationCreateTokens),
	}
	if !e.Kafka().Since("2.0") {
		refused["2.0"] = []kafka.ACLRule{prefixed(topic)}
	}
	for needs, rules := range refused {
		_, err := c.AddRules(context.Background(), kafka.RuleChange{Rules: append([]kafka.ACLRule{topic}, rules...)})
		equal(e, "needed version", expect[*kafka.OldRulesError](e, err).Needs, needs)
	}
	equal(e, "rules", len(e.readRules(c, name).Of), 0)
	l, err := c.Rules(context.Background(), kafka.UserPrincipal(name))
	if err != nil {
		e.Fatal(err)
	}
	expect[*kafka.OldRulesError](e, l.Failed[kafka.OnUser])
}

func dtokTokenRights(e *env) {
	admin, alice, bob := e.dtok(apache.Admin), e.user(), e.user()
	asBob, owner, who := e.dtok(bob), kafka.UserPrincipal(alice), kafka.UserPrincipal(bob)
	create := func() (kafka.Created, error) {
		made, err := asBob.CreateToken(context.Background(), kafka.CreateRequest{Owner: owner})
		if err == nil {
			made.HMAC.Destroy()
		}
		return made, err
	}
	refused := func() bool {
		_, err := create()
		var r *kafka.RefusedError
		if err != nil && (!errors.As(err, &r) || r.Code != kafka.CodeTokenAuthFailed) {
			e.Fatal(err)
		}
		return err != nil
	}
	sees := func() int {
		l, err := asBob.Tokens(context.Background(), owner)
		if err != nil {
			e.Fatal(err)
		}
		return len(l.Tokens)
	}
	equal(e, "refused at first", refused(), true)
	rules := kafka.TokenRules(owner, who, kafka.OperationCreateTokens, kafka.OperationDescribeTokens)
	e.addRules(admin, rules[0])
	e.await("bob may create", arrival, func() bool { return !refused() })
	e.await("the rule is listed", arrival, func() bool { return e.readRules(admin, alice).TokenRight(who, kafka.OperationCreateTokens).Given() })
	equal(e, "may see", e.readRules(admin, alice).TokenRight(who, kafka.OperationDescribeTokens).Given(), false)
	e.await("the token exists", arrival, func() bool { l, _ := admin.Tokens(context.Background(), owner); return len(l.Tokens) > 0 })
	// The requester sees the token without a rule, but no other of alice's.
	if _, err := e.dtok(alice).CreateToken(context.Background(), kafka.CreateRequest{}); err != nil {
		e.Fatal(err)
	}
	e.await("alice's own token exists", arrival, func() bool {
		l, _ := admin.Tokens(context.Background(), owner)
		return slices.ContainsFunc(l.Tokens, func(t kafka.Token) bool { return t.Requester == owner })
	})
	before := sees()
	e.addRules(admin, rules[1])
	e.await("bob sees alice's own token", arrival, func() bool { return sees() == before+1 })
	e.await("the users tell of the right", arrival, func() bool {
		l, err := admin.Users(context.Background())
		if err != nil {
			e.Fatal(err)
		}
		return kafka.RightOn(owner, l.OnUsers, who, kafka.OperationDescribeTokens).Given()
	})
	e.deleteRule(admin, rules[1])
	e.await("bob sees it no more", arrival, func() bool { return sees() == before })
	e.deleteRule(admin, rules[0])
	e.await("bob may not create", arrival, refused)
}

func dtokBareRule(e *env) {
	c, user := e.dtok(apache.Admin), e.fresh("u")
	wrong := aclRule(kafka.ResourceUser, user, "User:"+e.fresh("who"), kafka.OperationCreateTokens)
	e.addRules(c, wrong)
	e.await("it is listed", arrival, func() bool { return slices.Contains(e.readRules(c, user).On, wrong) })
	right, never := wrong.NeverMatches()
	equal(e, "never matches", never, true)
	done, err := kafka.ReplaceRule(context.Background(), c, kafka.ReplaceRequest{Wrong: wrong, Right: right})
	if err != nil {
		e.Fatal(err)
	}
	equal(e, "removed", done.Deleted.Removed, []kafka.ACLRule{wrong})
	e.await("the right one is listed alone", arrival, func() bool {
		on := e.readRules(c, user).On
		return slices.Contains(on, right) && !slices.Contains(on, wrong)
	})
	e.deleteRule(c, right)
}

// code is the code of a refusal.
func code(e *env, err error) kafka.Code {
	e.Helper()
	var r *kafka.RefusedError
	if !errors.As(err, &r) {
		e.Fatalf("%v is no refusal", err)
	}
	return r.Code
}

func dtokRuleRights(e *env) {
	user := e.user()
	c := e.dtok(user)
	l, err := c.Rules(context.Background(), kafka.UserPrincipal(user))
	if err != nil {
		e.Fatal(err)
	}
	for _, g := range []kafka.RuleGroup{kafka.OfUser, kafka.ForEveryone, kafka.OnUser} {
		if g == kafka.OnUser && !e.Kafka().Since("3.3") {
			expect[*kafka.OldRulesError](e, l.Failed[g])
			continue
		}
		equal(e, g.String(), code(e, l.Failed[g]), kafka.CodeClusterAuth)
	}
	refusesRules(e, c, kafka.CodeClusterAuth)
}

func refusesRules(e *env, c *kafka.Client, want kafka.Code) {
	e.Helper()
	change := kafka.RuleChange{Rules: []kafka.ACLRule{aclRule(kafka.ResourceTopic, "t", "User:x", kafka.OperationRead)}}
	added, err := c.AddRules(context.Background(), change)
	equal(e, "add", code(e, err), want)
	equal(e, "before", code(e, added.Results[0].ExistedErr), want)
	_, err = c.DeleteRules(context.Background(), change)
	equal(e, "delete", code(e, err), want)
}

func dtokNoAuthorizer(e *env) {
	c := e.dtok(e.user())
	l, err := c.Rules(context.Background(), kafka.UserPrincipal("x"))
	if err != nil {
		e.Fatal(err)
	}
	equal(e, "rules of the user", code(e, l.Failed[kafka.OfUser]), kafka.CodeSecurityDisabled)
	refusesRules(e, c, kafka.CodeSecurityDisabled)
}
