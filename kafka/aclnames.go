package kafka

import (
	"slices"
	"strconv"
)

// ResourceType is what kind of thing an ACL rule is on (ResourceType.java).
type ResourceType int8

// The resource types that Kafka stores rules for.
const (
	ResourceTopic           ResourceType = 2
	ResourceGroup           ResourceType = 3
	ResourceCluster         ResourceType = 4
	ResourceTransactionalID ResourceType = 5
	ResourceDelegationToken ResourceType = 6
	// ResourceUser needs Kafka 3.3 (KIP-373).
	ResourceUser ResourceType = 7
)

// PatternType says how a rule's resource name is meant (PatternType.java).
type PatternType int8

// The pattern types that Kafka stores.
const (
	PatternLiteral PatternType = 3
	// PatternPrefixed needs Kafka 2.0 (KIP-290).
	PatternPrefixed PatternType = 4
)

// Operation is what a rule allows or denies (AclOperation.java).
type Operation int8

// The operations that Kafka stores.
const (
	OperationAll             Operation = 2
	OperationRead            Operation = 3
	OperationWrite           Operation = 4
	OperationCreate          Operation = 5
	OperationDelete          Operation = 6
	OperationAlter           Operation = 7
	OperationDescribe        Operation = 8
	OperationClusterAction   Operation = 9
	OperationDescribeConfigs Operation = 10
	OperationAlterConfigs    Operation = 11
	OperationIdempotentWrite Operation = 12
	// OperationCreateTokens and OperationDescribeTokens need Kafka 3.3. Neither implies the
	// other.
	OperationCreateTokens   Operation = 13
	OperationDescribeTokens Operation = 14
	// OperationTwoPhaseCommit needs Kafka 4.1 (KIP-939).
	OperationTwoPhaseCommit Operation = 15
)

// Permission is ALLOW or DENY (AclPermissionType.java).
type Permission int8

// The permissions. A DENY that applies wins over every ALLOW.
const (
	PermissionDeny  Permission = 2
	PermissionAllow Permission = 3
)

// anything is ANY in a filter, for all four types; match is MATCH for the
// pattern alone.
const (
	anything = 1
	match    = 2
)

var (
	resourceNames   = []string{2: "Topic", "Group", "Cluster", "TransactionalId", "DelegationToken", "User"}
	patternNames    = []string{3: "LITERAL", "PREFIXED"}
	operationNames  = []string{2: "All", "Read", "Write", "Create", "Delete", "Alter", "Describe", "ClusterAction", "DescribeConfigs", "AlterConfigs", "IdempotentWrite", "CreateTokens", "DescribeTokens", "TwoPhaseCommit"}
	permissionNames = []string{2: "DENY", "ALLOW"}
)

// named is Kafka's name for a number, or what it is and the number.
func named(names []string, what string, n int8) string {
	if known(names, n) {
		return names[n]
	}
	return what + " " + strconv.Itoa(int(n))
}

func known(names []string, n int8) bool { return n >= 0 && int(n) < len(names) && names[n] != "" }

// String is Kafka's name, such as DelegationToken, and "type 99" for a number
// that dtok does not know.
func (t ResourceType) String() string { return named(resourceNames, "type", int8(t)) }

// String is LITERAL or PREFIXED, and "pattern 99" for an unknown number.
func (p PatternType) String() string { return named(patternNames, "pattern", int8(p)) }

// String is Kafka's name, such as CreateTokens, and "operation 99" for an
// unknown number.
func (o Operation) String() string { return named(operationNames, "operation", int8(o)) }

// String is ALLOW or DENY, and "permission 99" for an unknown number.
func (p Permission) String() string { return named(permissionNames, "permission", int8(p)) }

// ResourceTypes are all resource types that dtok knows, in Kafka's order.
func ResourceTypes() []ResourceType {
	return []ResourceType{ResourceTopic, ResourceGroup, ResourceCluster, ResourceTransactionalID, ResourceDelegationToken, ResourceUser}
}

// AllOperations are all operations that dtok knows, in Kafka's order.
func AllOperations() []Operation {
	var all []Operation
	for op := OperationAll; op <= OperationTwoPhaseCommit; op++ {
		all = append(all, op)
	}
	return all
}

// Operations are the operations that mean something on the resource type, All
// first (AclEntry.supportedOperations; kafka-acls takes no others, brokers
// store any). They are empty for an unknown type.
func (t ResourceType) Operations() []Operation {
	switch t {
	case ResourceTopic:
		return []Operation{OperationAll, OperationRead, OperationWrite, OperationCreate, OperationDelete, OperationAlter, OperationDescribe, OperationDescribeConfigs, OperationAlterConfigs}
	case ResourceGroup:
		return []Operation{OperationAll, OperationRead, OperationDelete, OperationDescribe, OperationDescribeConfigs, OperationAlterConfigs}
	case ResourceCluster:
		return []Operation{OperationAll, OperationCreate, OperationAlter, OperationDescribe, OperationClusterAction, OperationDescribeConfigs, OperationAlterConfigs, OperationIdempotentWrite}
	case ResourceTransactionalID:
		return []Operation{OperationAll, OperationWrite, OperationDescribe, OperationTwoPhaseCommit}
	case ResourceDelegationToken:
		return []Operation{OperationAll, OperationDescribe}
	case ResourceUser:
		return []Operation{OperationAll, OperationCreateTokens, OperationDescribeTokens}
	}
	return nil
}

// FixedName is the only resource name that the type can have, "" when names
// are free.
func (t ResourceType) FixedName() string {
	if t == ResourceCluster {
		return ClusterName
	}
	return ""
}

// Meaningful reports whether the rule's operation means something on its
// resource type, by Kafka's own table.
func (r ACLRule) Meaningful() bool { return slices.Contains(r.ResourceType.Operations(), r.Operation) }
