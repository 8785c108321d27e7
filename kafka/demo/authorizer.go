package demo

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// The operations and resource types that the broker asks about.
const (
	opRead          = kmsg.ACLOperationRead
	opWrite         = kmsg.ACLOperationWrite
	opDelete        = kmsg.ACLOperationDelete
	opAll           = kmsg.ACLOperationAll
	alter           = kmsg.ACLOperationAlter
	describe        = kmsg.ACLOperationDescribe
	describeConfigs = kmsg.ACLOperationDescribeConfigs
	alterConfigs    = kmsg.ACLOperationAlterConfigs
	createTokens    = kmsg.ACLOperationCreateTokens
	describeTokens  = kmsg.ACLOperationDescribeTokens

	// twoPhaseCommit (KIP-939) is the last operation of Kafka 4.4.
	twoPhaseCommit kmsg.ACLOperation = 15

	topicResource   = kmsg.ACLResourceTypeTopic
	groupResource   = kmsg.ACLResourceTypeGroup
	clusterResource = kmsg.ACLResourceTypeCluster
	tokenResource   = kmsg.ACLResourceTypeDelegationToken
	userResource    = kmsg.ACLResourceTypeUser
)

// clusterName is the only name a CLUSTER resource may have.
const clusterName = "kafka-cluster"

// everyone is the only principal with a wildcard: User:*. It is no pattern:
// Group:* matches nobody.
const everyone = "User:*"

// superUser may do everything, except renew and expire other people's tokens.
const superUser = "User:admin"

// rule is an ACL rule. Rules are equal when all their fields are.
type rule struct {
	resourceType kmsg.ACLResourceType
	name         string
	pattern      kmsg.ACLResourcePatternType
	principal    string
	host         string
	operation    kmsg.ACLOperation
	permission   kmsg.ACLPermissionType
}

// ruleSet holds the rules of each resource type, each rule once.
type ruleSet map[kmsg.ACLResourceType][]rule

func (s ruleSet) has(r rule) bool { return slices.Contains(s[r.resourceType], r) }

func (s ruleSet) add(r rule) {
	if !s.has(r) {
		s[r.resourceType] = append(s[r.resourceType], r)
	}
}

func (s ruleSet) remove(r rule) {
	s[r.resourceType] = slices.DeleteFunc(s[r.resourceType], func(o rule) bool { return o == r })
}

// may is StandardAuthorizer's verdict over the session of the connection.
func (c *connection) may(s *state, op kmsg.ACLOperation, on kmsg.ACLResourceType, name string) bool {
	st := &c.cluster.setup
	if !st.authorizer {
		return true
	}
	who := c.session.principal.String()
	if slices.Contains(st.SuperUsers, who) {
		return true
	}
	return s.rules.allow(request{
		principal: who, host: c.host, operation: op, resourceType: on, name: name, cidr: st.release.cidrHosts,
	})
}

// request is what a rule is held against.
type request struct {
	principal, host string
	operation       kmsg.ACLOperation
	resourceType    kmsg.ACLResourceType
	name            string
	// cidr: a rule's host may be a range of addresses.
	cidr bool
}

// allow reports whether some rule allows the request and none denies it.
// Without any rule it is denied (allow.everyone.if.no.acl.found is false).
func (s ruleSet) allow(q request) bool {
	allowed := false
	for i := range s[q.resourceType] {
		r := &s[q.resourceType][i]
		if !r.covers(q.name) || !r.isFor(q) {
			continue
		}
		if r.permission == kmsg.ACLPermissionTypeDeny {
			if r.operation == q.operation || r.operation == opAll {
				return false
			}
			continue
		}
		allowed = allowed || r.grants(q.operation)
	}
	return allowed
}

// covers reports whether the rule's resource pattern matches a name.
func (r *rule) covers(name string) bool {
	if r.pattern == kmsg.ACLResourcePatternTypePrefixed {
		return strings.HasPrefix(name, r.name)
	}
	return r.name == name || r.name == "*"
}

// isFor reports whether the rule is about the requesting principal and host.
func (r *rule) isFor(q request) bool {
	if r.principal != q.principal && r.principal != everyone {
		return false
	}
	if r.host == "*" || r.host == q.host {
		return true
	}
	if !q.cidr || !strings.Contains(r.host, "/") {
		return false
	}
	network, fault := parseRange(r.host)
	if fault != "" {
		return false
	}
	address, err := netip.ParseAddr(q.host)
	return err == nil && network.Contains(address)
}

// grants reports whether an ALLOW rule's operation includes op. CREATE_TOKENS
// and DESCRIBE_TOKENS do not imply each other, and DENY implies nothing.
func (r *rule) grants(op kmsg.ACLOperation) bool {
	switch r.operation {
	case op, opAll:
		return true
	case opRead, opWrite, opDelete, alter:
		return op == describe
	case alterConfigs:
		return op == describeConfigs
	}
	return false
}

// operationsOn is the bit set of operations the session has on a resource,
// which Metadata and DescribeCluster give when asked (bit n for operation n).
func (c *connection) operationsOn(s *state, on kmsg.ACLResourceType, name string, ops ...kmsg.ACLOperation) int32 {
	var bits int32
	for _, op := range ops {
		if c.may(s, op, on, name) {
			bits |= 1 << op
		}
	}
	return bits
}

// anonymous is who nobody signed in as.
var anonymous = kafka.UserPrincipal("ANONYMOUS")
