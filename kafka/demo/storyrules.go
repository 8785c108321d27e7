package demo

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// allowed is a rule that allows a user an operation on the resource of exactly
// that name, from anywhere.
func allowed(user string, op kmsg.ACLOperation, on kmsg.ACLResourceType, name string) rule {
	return rule{
		resourceType: on, name: name, pattern: kmsg.ACLResourcePatternTypeLiteral,
		principal: "User:" + user, host: "*", operation: op, permission: kmsg.ACLPermissionTypeAllow,
	}
}

func (r rule) prefixed() rule {
	r.pattern = kmsg.ACLResourcePatternTypePrefixed
	return r
}

func (r rule) denied() rule {
	r.permission = kmsg.ACLPermissionTypeDeny
	return r
}

func (r rule) from(host string) rule {
	r.host = host
	return r
}

// storyRules are the ACL rules of the scenario, as far as its release can have
// them.
func (b *Broker) storyRules() []rule {
	st := &b.cluster.setup
	if !st.authorizer {
		return nil
	}
	rules := everydayRules()
	if !st.strangers {
		rules = append(rules, presenterRules()...)
	}
	if st.anonymousReads {
		rules = append(rules,
			allowed(anonymous.Name, describe, clusterResource, clusterName),
			allowed(anonymous.Name, describeConfigs, clusterResource, clusterName))
	}
	return slices.DeleteFunc(rules, func(r rule) bool {
		onUsers := r.resourceType == userResource || r.resourceType == tokenResource
		return onUsers && !st.release.userRules || r.pattern == kmsg.ACLResourcePatternTypePrefixed && !st.release.prefixedRules
	})
}

// presenterRules are what somebody needs to look after tokens without being a
// super user.
func presenterRules() []rule {
	return []rule{
		allowed(ops, describe, clusterResource, clusterName),        // ACL rules and SCRAM users
		allowed(ops, describeConfigs, clusterResource, clusterName), // quotas
		allowed(ops, alter, clusterResource, clusterName),
		allowed(ops, alterConfigs, clusterResource, clusterName),
		allowed(ops, describeTokens, userResource, "*"),
		allowed(ops, createTokens, userResource, "*"),
		// carol signs for the finance department: nobody acts for her.
		allowed(ops, createTokens, userResource, "User:"+carol).denied(),
	}
}

func everydayRules() []rule {
	const (
		transactions = kmsg.ACLResourceTypeTransactionalId
		idempotent   = kmsg.ACLOperationIdempotentWrite
	)
	return []rule{
		// everybody
		allowed("*", describe, topicResource, "public.").prefixed(),
		allowed("*", opRead, topicResource, "public.").prefixed(),
		allowed("*", opDelete, topicResource, "*").denied(),
		// people
		allowed(alice, opRead, topicResource, "orders.").prefixed(),
		allowed(alice, opRead, groupResource, "alice-").prefixed(),
		allowed(alice, describeConfigs, clusterResource, clusterName).from("10.20.0.15"),
		allowed(alice, createTokens, userResource, "User:"+flink),
		allowed(alice, describeTokens, userResource, "User:"+flink),
		allowed(bob, opRead, topicResource, "reports.daily"),
		allowed(bob, opWrite, topicResource, "orders.").prefixed().denied(),
		allowed(carol, createTokens, userResource, "User:team-").prefixed(),
		allowed(carol, describeTokens, userResource, "User:team-").prefixed(),
		allowed(carol, describe, tokenResource, storyID("alice's laptop")),
		// Never matches: the resource of alice is called User:alice.
		allowed(carol, createTokens, userResource, alice),
		allowed(zoe, opRead, topicResource, "reports.").prefixed(),
		// jobs
		allowed(airflow, createTokens, userResource, "User:"+spark),
		allowed(spark, opRead, topicResource, "orders.").prefixed(),
		allowed(spark, opWrite, topicResource, "reports.").prefixed(),
		allowed(spark, opRead, groupResource, spark),
		allowed(spark, idempotent, clusterResource, clusterName),
		allowed(flink, opRead, topicResource, "orders.").prefixed(),
		allowed(flink, opWrite, topicResource, "orders.enriched"),
		allowed(flink, opWrite, transactions, flink).prefixed(),
		allowed(flink, opRead, groupResource, flink),
		allowed(crm, opWrite, topicResource, "crm.").prefixed(),
		allowed(scoring, opAll, topicResource, "fraud.").prefixed(),
		allowed(ledger, opWrite, topicResource, "payments.ledger"),
		// A user that exists in a rule alone.
		allowed("legacy-ftp", opRead, topicResource, "reports.daily").from("192.168.7.0/24"),
	}
}

// storyQuota is one value.
type storyQuota struct {
	entity entity
	key    string
	value  float64
}

func storyQuotas() []storyQuota {
	const mib = 1 << 20
	return []storyQuota{
		{entityOf(defaultPart(userEntity)), "producer_byte_rate", mib},
		{entityOf(defaultPart(userEntity)), "consumer_byte_rate", 2 * mib},
		{entityOf(userPart(alice)), "producer_byte_rate", 5 * mib},
		{entityOf(userPart(alice)), "request_percentage", 50},
		{entityOf(userPart(spark)), "consumer_byte_rate", 100 * mib},
		{entityOf(userPart(spark)), "request_percentage", 200},
		{entityOf(userPart(spark)), "controller_mutation_rate", 10},
		{entityOf(userPart(spark), clientPart("backfill")), "producer_byte_rate", 10 * mib},
		{entityOf(userPart(flink), defaultPart(clientIDEntity)), "consumer_byte_rate", 20 * mib},
		{entityOf(userPart(ledger)), "producer_byte_rate", 3 * mib},
		// A user that exists in a quota alone.
		{entityOf(userPart("intern-42")), "consumer_byte_rate", mib / 4},
		{entityOf(defaultPart(clientIDEntity)), "consumer_byte_rate", 4 * mib},
		{entityOf(partOf(ipEntity, nil)), "connection_creation_rate", 100},
	}
}
