package ui

import (
	"context"
	"fmt"
	"slices"

	"dtok/kafka"
)

// The ACL rules and quotas of the fake broker.

func rule(who kafka.Principal, op kafka.Operation, on kafka.ResourceType, name string) kafka.ACLRule {
	return kafka.ACLRule{ResourceType: on, ResourceName: name, Pattern: kafka.PatternLiteral, Principal: who.String(), Host: "*",
		Operation: op, Permission: kafka.PermissionAllow}
}

func fakeRules() []kafka.ACLRule {
	deny := rule(alice, kafka.OperationWrite, kafka.ResourceTopic, "audit")
	deny.Permission = kafka.PermissionDeny
	return []kafka.ACLRule{
		rule(alice, kafka.OperationRead, kafka.ResourceTopic, "orders"),
		deny,
		rule(alice, kafka.Operation(99), kafka.ResourceType(42), "future"),
		rule(kafka.UserPrincipal("*"), kafka.OperationDescribe, kafka.ResourceTopic, "public"),
		rule(ops, kafka.OperationCreateTokens, kafka.ResourceUser, "User:alice"),
		rule(bob, kafka.OperationCreateTokens, kafka.ResourceUser, "alice"),
	}
}

func fakeQuotas() []kafka.QuotaEntity {
	named := kafka.NamedPart
	return []kafka.QuotaEntity{
		{Entity: kafka.Entity{User: named("alice"), ClientID: named("etl")}, Values: []kafka.QuotaValue{{Key: "producer_byte_rate", Value: 524288}}},
		{Entity: kafka.Entity{User: named("alice")}, Values: []kafka.QuotaValue{{Key: "producer_byte_rate", Value: 1 << 20}, {Key: "request_percentage", Value: 200}}},
		{Entity: kafka.Entity{User: kafka.DefaultPart()}, Values: []kafka.QuotaValue{{Key: "consumer_byte_rate", Value: 2 << 20}}},
	}
}

func (b *fakeBroker) Rules(_ context.Context, user kafka.Principal) (kafka.RuleList, error) {
	b.asked = append(b.asked, "rules "+user.String())
	if b.rulesErr != nil {
		return kafka.RuleList{}, b.rulesErr
	}
	l := kafka.RuleList{User: user, Failed: b.rulesFailed, Read: b.now()}
	for _, r := range b.rules {
		if r.Principal == user.String() {
			l.Of = append(l.Of, r)
		}
		if r.Principal == "User:*" {
			l.Everyone = append(l.Everyone, r)
		}
		if right, never := r.NeverMatches(); r.On(user) || never && right.On(user) {
			l.On = append(l.On, r)
		}
	}
	return l, nil
}

func (b *fakeBroker) Quotas(_ context.Context, user kafka.Principal) (kafka.QuotaList, error) {
	b.asked = append(b.asked, "quotas "+user.String())
	return kafka.QuotaList{User: user, Entities: b.quotas, Read: b.now()}, b.quotasErr
}

func (b *fakeBroker) AddRules(_ context.Context, c kafka.RuleChange) (kafka.RulesChanged, error) {
	var done kafka.RulesChanged
	for _, r := range c.Rules {
		b.asked = append(b.asked, "add "+r.String())
		done.Results = append(done.Results, kafka.RuleResult{Rule: r, Existed: slices.Contains(b.rules, r), Err: b.ruleErr})
		if b.ruleErr == nil {
			b.rules = append(b.rules, r)
		}
	}
	return done, b.ruleErr
}

func (b *fakeBroker) DeleteRules(_ context.Context, c kafka.RuleChange) (kafka.RulesChanged, error) {
	var done kafka.RulesChanged
	for _, r := range c.Rules {
		b.asked = append(b.asked, fmt.Sprintf("delete %s because %s", r, c.Reason))
		done.Results = append(done.Results, kafka.RuleResult{Rule: r, Existed: true, Removed: []kafka.ACLRule{r}, Err: b.ruleErr})
		if b.ruleErr == nil {
			b.rules = slices.DeleteFunc(b.rules, func(have kafka.ACLRule) bool { return have == r })
		}
	}
	return done, b.ruleErr
}

func (b *fakeBroker) SetQuota(_ context.Context, c kafka.QuotaChange) (kafka.QuotaChanged, error) {
	b.asked = append(b.asked, fmt.Sprintf("set %s %s=%v because %s", c.Entity, c.Key, c.Value, c.Reason))
	if b.quotaErr != nil {
		return kafka.QuotaChanged{}, b.quotaErr
	}
	before, after := 1.0, c.Value
	return kafka.QuotaChanged{Entity: c.Entity, Key: c.Key, Before: &before, After: &after}, nil
}

func (b *fakeBroker) RemoveQuota(_ context.Context, c kafka.QuotaChange) (kafka.QuotaChanged, error) {
	b.asked = append(b.asked, fmt.Sprintf("remove %s %s because %s", c.Entity, c.Key, c.Reason))
	before := 1.0
	return kafka.QuotaChanged{Entity: c.Entity, Key: c.Key, Before: &before}, b.quotaErr
}
