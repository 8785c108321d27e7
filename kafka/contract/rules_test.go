package contract

import (
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// rule is an ACL rule; the zero values of prefixed, deny and host mean a literal
// name, ALLOW and every host.
type rule struct {
	resource  kmsg.ACLResourceType
	name      string
	prefixed  bool
	principal string
	host      string
	operation kmsg.ACLOperation
	deny      bool
}

// storesRule reports whether the release has such rules: the resource of tokens
// came with 1.1 (KIP-48), prefixes with 2.0 (KIP-290), that of users with 3.3
// (KIP-373).
func (e *env) storesRule(r rule) bool {
	switch {
	case r.prefixed && !e.Kafka().Since("2.0"):
		return false
	case r.resource == kmsg.ACLResourceTypeDelegationToken:
		return e.Kafka().Since("1.1")
	case r.resource == kmsg.ACLResourceTypeUser:
		return e.Kafka().Since("3.3")
	}
	return true
}

func (r rule) pattern() kmsg.ACLResourcePatternType {
	if r.prefixed {
		return kmsg.ACLResourcePatternTypePrefixed
	}
	return kmsg.ACLResourcePatternTypeLiteral
}

func (r rule) permission() kmsg.ACLPermissionType {
	if r.deny {
		return kmsg.ACLPermissionTypeDeny
	}
	return kmsg.ACLPermissionTypeAllow
}

func (r rule) hostOrAny() string {
	if r.host == "" {
		return "*"
	}
	return r.host
}

func (r rule) creation() kmsg.CreateACLsRequestCreation {
	c := kmsg.NewCreateACLsRequestCreation()
	c.ResourceType, c.ResourceName, c.ResourcePatternType = r.resource, r.name, r.pattern()
	c.Principal, c.Host = r.principal, r.hostOrAny()
	c.Operation, c.PermissionType = r.operation, r.permission()
	return c
}

// outcome is the code and the message of one entry; a message that is null
// reads "null", so that it differs from an empty one.
type outcome struct {
	code    int16
	message string
}

func outcomeOf(code int16, message *string) outcome {
	if message == nil {
		return outcome{code, "null"}
	}
	return outcome{code, *message}
}

func (c *client) createRules(creations ...kmsg.CreateACLsRequestCreation) []outcome {
	c.Helper()
	req := kmsg.NewPtrCreateACLsRequest()
	req.Version, req.Creations = 3, creations
	var outcomes []outcome
	for _, r := range do[*kmsg.CreateACLsResponse](c, req).Results {
		outcomes = append(outcomes, outcomeOf(r.ErrorCode, r.ErrorMessage))
	}
	return outcomes
}

func (c *client) addRules(rules ...rule) {
	c.Helper()
	var creations []kmsg.CreateACLsRequestCreation
	for _, r := range rules {
		creations = append(creations, r.creation())
	}
	for _, o := range c.createRules(creations...) {
		equal(c.env, "outcome of CreateAcls", o, c.quiet())
	}
}

// filter asks for rules. The zero value matches all.
type filter struct {
	resource  kmsg.ACLResourceType        // 0 is any
	name      *string                     // nil is any
	pattern   kmsg.ACLResourcePatternType // 0 is any
	principal *string
	host      *string
	operation kmsg.ACLOperation
	allowed   kmsg.ACLPermissionType
}

func any1[T ~int8](v T) T {
	if v == 0 {
		return 1
	}
	return v
}

func (f filter) request() *kmsg.DescribeACLsRequest {
	req := kmsg.NewPtrDescribeACLsRequest()
	req.Version, req.ResourceType, req.ResourceName, req.ResourcePatternType = 3, any1(f.resource), f.name, any1(f.pattern)
	req.Principal, req.Host, req.Operation, req.PermissionType = f.principal, f.host, any1(f.operation), any1(f.allowed)
	return req
}

func (f filter) deletion() kmsg.DeleteACLsRequestFilter {
	d := kmsg.NewDeleteACLsRequestFilter()
	d.ResourceType, d.ResourceName, d.ResourcePatternType = any1(f.resource), f.name, any1(f.pattern)
	d.Principal, d.Host, d.Operation, d.PermissionType = f.principal, f.host, any1(f.operation), any1(f.allowed)
	return d
}

// rules are those that the filter finds, in a fixed order.
func (c *client) rules(f filter) []rule {
	c.Helper()
	r := do[*kmsg.DescribeACLsResponse](c, f.request())
	equal(c.env, "outcome of DescribeAcls", outcomeOf(r.ErrorCode, r.ErrorMessage), c.quiet())
	found := []rule{}
	for _, resource := range r.Resources {
		for _, a := range resource.ACLs {
			found = append(found, shownRule(resource.ResourceType, resource.ResourceName, resource.ResourcePatternType,
				a.Principal, a.Host, a.Operation, a.PermissionType))
		}
	}
	return ordered(found)
}

func shownRule(resource kmsg.ACLResourceType, name string, pattern kmsg.ACLResourcePatternType,
	principal, host string, op kmsg.ACLOperation, permission kmsg.ACLPermissionType) rule {
	r := rule{
		resource: resource, name: name, principal: principal, host: host, operation: op,
		prefixed: pattern == kmsg.ACLResourcePatternTypePrefixed,
		deny:     permission == kmsg.ACLPermissionTypeDeny,
	}
	if host == "*" {
		r.host = ""
	}
	return r
}

// deleteMatching deletes what the filters find and returns it, filter by filter.
func (c *client) deleteMatching(filters ...filter) [][]rule {
	c.Helper()
	req := kmsg.NewPtrDeleteACLsRequest()
	req.Version = 3
	for _, f := range filters {
		req.Filters = append(req.Filters, f.deletion())
	}
	var deleted [][]rule
	for _, result := range do[*kmsg.DeleteACLsResponse](c, req).Results {
		equal(c.env, "outcome of DeleteAcls", outcomeOf(result.ErrorCode, result.ErrorMessage), outcome{0, "null"})
		rules := []rule{}
		for _, m := range result.MatchingACLs {
			equal(c.env, "outcome of a deleted rule", outcomeOf(m.ErrorCode, m.ErrorMessage), outcome{0, "null"})
			rules = append(rules, shownRule(m.ResourceType, m.ResourceName, m.ResourcePatternType, m.Principal, m.Host, m.Operation, m.PermissionType))
		}
		deleted = append(deleted, ordered(rules))
	}
	return deleted
}

// exactly is the filter that finds r alone.
func exactly(r rule) filter {
	host := r.hostOrAny()
	return filter{r.resource, &r.name, r.pattern(), &r.principal, &host, r.operation, r.permission()}
}

func (c *client) deleteRules(rules ...rule) {
	c.Helper()
	for _, r := range rules {
		equal(c.env, "rules deleted", c.deleteMatching(exactly(r)), [][]rule{{r}})
	}
}

func ordered(rules []rule) []rule {
	key := func(r rule) string {
		return strings.Join([]string{r.name, r.principal, r.host, r.operation.String(), r.pattern().String(), r.permission().String(), r.resource.String()}, "|")
	}
	slices.SortFunc(rules, func(a, b rule) int { return strings.Compare(key(a), key(b)) })
	return rules
}

// settleRules waits until the broker applies all rules that were added so far:
// they arrive in order, so it adds one more, on nothing that anybody uses, and
// waits until the broker lists it.
func (e *env) settleRules() {
	e.Helper()
	admin, mark := e.admin(), e.fresh("mark")
	admin.addRules(topicRule("User:"+mark, mark, kmsg.ACLOperationRead))
	e.await("the rules work", arrival, func() bool { return len(admin.rules(filter{name: &mark})) == 1 })
}
