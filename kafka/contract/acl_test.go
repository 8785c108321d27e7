package contract

import (
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func aclCases() []contractCase {
	return []contractCase{
		{"ACL rules: created, listed, created again, deleted", aclLifecycle, always},
		{"ACL rules: what cannot be stored, entry by entry", aclInvalid, since("2.0")},
		{"ACL rules: what cannot be stored on Kafka 1", aclInvalidBefore2, before("2.0")},
		{"ACL rules: none on users before Kafka 3.3", aclNoUsers, before("3.3")},
		{"ACL rules: a code that Kafka does not have closes", aclUnknownCodes, always},
		{"ACL rules: rights to list and to change", aclRights, always},
		{"ACL rules: a denial of Describe or Alter on the cluster", aclDenied, always},
		{"ACL rules: every version of the messages", aclVersions, always},
	}
}

// topicRule is a rule on something that no case uses.
func topicRule(principal, name string, op kmsg.ACLOperation) rule {
	return rule{resource: kmsg.ACLResourceTypeTopic, name: name, principal: principal, operation: op}
}

func aclLifecycle(e *env) {
	admin := e.admin()
	principal := "User:" + e.fresh("u")
	prefixed, hosted, denied := topicRule(principal, "a", kmsg.ACLOperationWrite), topicRule(principal, "a", kmsg.ACLOperationRead), topicRule(principal, "a", kmsg.ACLOperationRead)
	prefixed.prefixed, hosted.host, denied.deny = true, "192.0.2.7", true
	all := []rule{
		topicRule(principal, "a", kmsg.ACLOperationRead), prefixed, hosted, denied,
		userRule(principal, "User:alice", kmsg.ACLOperationCreateTokens),
		userRule(principal, "User:alice", kmsg.ACLOperationDescribeTokens),
		{resource: kmsg.ACLResourceTypeDelegationToken, name: "x", principal: principal, operation: kmsg.ACLOperationDescribe},
		{resource: kmsg.ACLResourceTypeCluster, name: "kafka-cluster", principal: principal, operation: kmsg.ACLOperationAlter},
		{resource: kmsg.ACLResourceTypeGroup, name: "g", principal: principal, operation: kmsg.ACLOperationAll},
		{resource: kmsg.ACLResourceTypeTransactionalId, name: "t", principal: principal, operation: kmsg.ACLOperationIdempotentWrite},
	}
	all = slices.DeleteFunc(all, func(r rule) bool { return !e.storesRule(r) })
	of := filter{principal: &principal}
	for range 2 { // the second time they are there, which is no error
		admin.addRules(all...)
		e.await("the rules are listed", arrival, func() bool { return len(admin.rules(of)) >= len(all) })
		equal(e, "rules", admin.rules(of), ordered(append([]rule{}, all...)))
	}
	equal(e, "rules deleted", admin.deleteMatching(exactly(hosted)), [][]rule{{hosted}})
	e.await("the deleted rule is not listed", arrival, func() bool { return len(admin.rules(of)) == len(all)-1 })
	equal(e, "rules deleted the second time", admin.deleteMatching(exactly(hosted)), [][]rule{{}})
	left := admin.rules(of)
	twice := admin.deleteMatching(of, of)
	if e.Kafka().ZooKeeper() {
		// A rule is told with one of the filters that match it.
		slices.SortFunc(twice, func(a, b []rule) int { return len(b) - len(a) })
		equal(e, "the rest deleted, and nothing", twice, [][]rule{left, {}})
	} else {
		equal(e, "the rest deleted, and nothing", twice, [][]rule{left, left})
	}
	e.await("no rule is listed", arrival, func() bool { return len(admin.rules(of)) == 0 })
}

func aclInvalid(e *env) {
	admin := e.admin()
	name := e.fresh("t")
	principal := "User:" + e.fresh("u")
	with := func(change func(*kmsg.CreateACLsRequestCreation)) kmsg.CreateACLsRequestCreation {
		c := topicRule(principal, name, kmsg.ACLOperationRead).creation()
		change(&c)
		return c
	}
	type creation = kmsg.CreateACLsRequestCreation
	internal, valid := outcome{-1, "null"}, e.quiet()
	unknown, noType := outcome{42, "Invalid operation UNKNOWN"}, outcome{42, "Could not parse principal from `alice` " +
		"(no colon is present separating the principal type from the principal name)"}
	switch {
	case e.Kafka().ZooKeeper():
		unknown, noType = outcome{42, "Failed to create ACL"}, internal
	case !e.Kafka().Since("3.9"):
		noType = valid // stored, and never matched
	}
	tests := []struct {
		name     string
		creation creation
		want     outcome
	}{
		{"valid", with(func(*creation) {}), valid},
		{"resource type any", with(func(c *creation) { c.ResourceType = 1 }), internal},
		{"pattern any", with(func(c *creation) { c.ResourcePatternType = 1 }), internal},
		{"pattern match", with(func(c *creation) { c.ResourcePatternType = 2 }), internal},
		{"operation any", with(func(c *creation) { c.Operation = 1 }), internal},
		{"permission any", with(func(c *creation) { c.PermissionType = 1 }), internal},
		{"operation 99", with(func(c *creation) { c.Operation = 99 }), unknown},
		{"empty name", with(func(c *creation) { c.ResourceName = "" }), outcome{42, "Invalid empty resource name"}},
		{"another cluster", with(func(c *creation) { c.ResourceType = 4 }), outcome{42, "The only valid name for the CLUSTER resource is kafka-cluster"}},
		{"principal without a type", with(func(c *creation) { c.Principal = "alice" }), noType},
		{"principal of a colon", with(func(c *creation) { c.Principal = ":" }), valid},
	}
	var all []creation
	var want []outcome
	stored := 0
	for _, test := range tests {
		equal(e, test.name, admin.createRules(test.creation), []outcome{test.want})
		if test.want == valid {
			stored++
		}
		if test.want != internal {
			all, want = append(all, test.creation), append(want, test.want)
		}
	}
	equal(e, "all in one request", admin.createRules(all...), want)
	e.await("the valid ones are stored", arrival, func() bool { return len(admin.rules(filter{name: &name})) == stored })
	admin.deleteMatching(filter{name: &name})
}

func aclInvalidBefore2(e *env) {
	admin := e.admin()
	rule := topicRule("User:"+e.fresh("u"), e.fresh("t"), kmsg.ACLOperationRead)
	for resource, text := range map[kmsg.ACLResourceType]string{1: "ANY", kmsg.ACLResourceTypeUser: "UNKNOWN"} {
		c := rule.creation()
		c.ResourceType = resource
		got := admin.createRules(c)[0]
		equal(e, "code", got.code, 42)
		if !strings.HasPrefix(got.message, text+" not a valid resourceType name. The valid names are Topic,Group,Cluster,TransactionalId") {
			e.Errorf("%s", got.message)
		}
	}
	any := rule.creation()
	any.Operation = 1
	req := kmsg.NewPtrCreateACLsRequest()
	req.Creations = append(req.Creations, any)
	e.closed(e.admin(), req)
}

// aclNoUsers: KIP-373 brought the resource type and its two operations.
func aclNoUsers(e *env) {
	for _, op := range []kmsg.ACLOperation{kmsg.ACLOperationAll, kmsg.ACLOperationCreateTokens} {
		got := e.admin().createRules(userRule("User:x", "User:y", op).creation())
		equal(e, "code", got[0].code, 42)
	}
	got := e.admin().createRules(topicRule("User:x", "t", kmsg.ACLOperationDescribeTokens).creation())
	equal(e, "code for the operation on something else", got[0].code, 42)
}

func aclUnknownCodes(e *env) {
	principal := "User:" + e.fresh("u")
	unknown := topicRule(principal, "x", kmsg.ACLOperationRead).creation()
	unknown.ResourceType = 0
	create := kmsg.NewPtrCreateACLsRequest()
	create.Version, create.Creations = 3, []kmsg.CreateACLsRequestCreation{unknown}
	describe := filter{}.request()
	describe.ResourceType = 0
	for _, req := range []kmsg.Request{create, describe} {
		e.closed(e.admin(), req)
	}
}

func aclRights(e *env) {
	user := e.user()
	c := e.as(user)
	r := topicRule("User:"+user, e.fresh("t"), kmsg.ACLOperationRead)
	listed := func() int16 {
		answer := do[*kmsg.DescribeACLsResponse](c, filter{principal: &r.principal}.request())
		if answer.ErrorCode != 0 {
			equal(e, "resources in a refusal", len(answer.Resources), 0)
			if o := outcomeOf(answer.ErrorCode, answer.ErrorMessage); !e.refusesRules(o.message, "DESCRIBE") {
				e.Fatalf("text of the refusal: %s", o.message)
			}
		}
		return answer.ErrorCode
	}
	created := func() int16 {
		got := c.createRules(r.creation(), r.creation())
		equal(e, "entries", len(got), 2)
		for _, o := range got {
			if o.code != 0 && !e.refusesRules(o.message, "ALTER") {
				e.Fatalf("text of the refusal: %s", o.message)
			}
		}
		return got[0].code
	}
	deleted := func() int16 {
		req := kmsg.NewPtrDeleteACLsRequest()
		req.Version, req.Filters = 3, []kmsg.DeleteACLsRequestFilter{exactly(r).deletion(), exactly(r).deletion()}
		got := do[*kmsg.DeleteACLsResponse](c, req).Results
		equal(e, "entries", len(got), 2)
		for _, d := range got {
			if d.ErrorCode == 0 {
				continue
			}
			equal(e, "deleted in a refusal", len(d.MatchingACLs), 0)
			if o := outcomeOf(d.ErrorCode, d.ErrorMessage); !e.refusesRules(o.message, "ALTER") {
				e.Fatalf("text of the refusal: %s", o.message)
			}
		}
		return got[0].ErrorCode
	}
	equal(e, "list without a right", listed(), 31)
	equal(e, "create without a right", created(), 31)
	equal(e, "delete without a right", deleted(), 31)
	e.allow(user, kmsg.ACLResourceTypeCluster, "kafka-cluster", kmsg.ACLOperationDescribe, func() bool { return listed() == 0 })
	equal(e, "create with Describe", created(), 31)
	equal(e, "delete with Describe", deleted(), 31)
	e.allow(user, kmsg.ACLResourceTypeCluster, "kafka-cluster", kmsg.ACLOperationAlter, func() bool { return created() == 0 && deleted() == 0 })

	// Alter implies Describe.
	alterer := e.user()
	c = e.as(alterer)
	e.allow(alterer, kmsg.ACLResourceTypeCluster, "kafka-cluster", kmsg.ACLOperationAlter, func() bool { return listed() == 0 })
}

func aclDenied(e *env) {
	user := e.user()
	c := e.as(user)
	on := rule{resource: kmsg.ACLResourceTypeCluster, name: "kafka-cluster", principal: "User:" + user, operation: kmsg.ACLOperationAll}
	listed := func() int16 {
		return do[*kmsg.DescribeACLsResponse](c, filter{principal: &on.principal}.request()).ErrorCode
	}
	changed := func() int16 { return c.createRules(on.creation())[0].code }
	e.admin().addRules(on)
	e.await("everything is allowed", arrival, func() bool { return listed() == 0 && changed() == 0 })
	deny := on
	deny.deny, deny.operation = true, kmsg.ACLOperationAlter
	e.admin().addRules(deny)
	e.await("Alter is denied", arrival, func() bool { return changed() == 31 })
	equal(e, "list with Alter denied", listed(), 0)
	deny.operation = kmsg.ACLOperationDescribe
	e.admin().addRules(deny)
	e.await("Describe is denied", arrival, func() bool { return listed() == 31 })
}

func aclVersions(e *env) {
	admin := e.admin()
	principal := "User:" + e.fresh("u")
	r := userRule(principal, "User:alice", kmsg.ACLOperationCreateTokens)
	if !e.storesRule(r) {
		r = topicRule(principal, "x", kmsg.ACLOperationRead)
	}
	for version := e.Kafka().APIs[30].Min; version <= e.Kafka().APIs[30].Max; version++ {
		create := kmsg.NewPtrCreateACLsRequest()
		create.Version, create.Creations = version, []kmsg.CreateACLsRequestCreation{r.creation()}
		created := do[*kmsg.CreateACLsResponse](admin, create)
		equal(e, "create", outcomeOf(created.Results[0].ErrorCode, created.Results[0].ErrorMessage), e.quiet())
		of := filter{principal: &principal}
		list := of.request()
		list.Version = version
		e.await("the rule is listed", arrival, func() bool {
			listed := do[*kmsg.DescribeACLsResponse](admin, list)
			return listed.ErrorCode == 0 && len(listed.Resources) == 1 && listed.Resources[0].ResourceType == r.resource
		})
		remove := kmsg.NewPtrDeleteACLsRequest()
		remove.Version, remove.Filters = version, []kmsg.DeleteACLsRequestFilter{of.deletion()}
		equal(e, "rules deleted", len(do[*kmsg.DeleteACLsResponse](admin, remove).Results[0].MatchingACLs), 1)
		e.await("no rule is listed", arrival, func() bool { return len(admin.rules(of)) == 0 })
	}
}
