package kafka

import (
	"strconv"
	"strings"
)

// ACLRule is one ACL binding: who may, or may not, do what on which resource,
// from where. It is comparable, and all fields together are its identity:
// Kafka keeps no other name for a rule.
type ACLRule struct {
	// ResourceType and Pattern say how ResourceName is meant.
	ResourceType ResourceType
	// ResourceName is verbatim: a topic, a group, "kafka-cluster", a token's
	// id, for type User the whole principal (User:alice), or "*" for all.
	ResourceName string
	Pattern      PatternType
	// Principal is Type:Name as Kafka stores it, "User:*" for everyone. Old
	// brokers stored text without a colon too, so it is not a Principal.
	Principal string
	// Host is an IP address as text, "*" for every host, and from Kafka 4.4
	// also an address range.
	Host       string
	Operation  Operation
	Permission Permission
}

// everyHost and everyName are the wildcards of hosts and literal names.
const (
	everyHost = "*"
	everyName = "*"
)

// ClusterName is the only name that a resource of type Cluster has.
const ClusterName = "kafka-cluster"

// Covers reports whether the rule's pattern matches the resource name, which
// for type User is the whole principal: the name itself or "*" for LITERAL,
// and the beginning of the name for PREFIXED.
func (r ACLRule) Covers(name string) bool {
	switch r.Pattern {
	case PatternLiteral:
		return r.ResourceName == name || r.ResourceName == everyName
	case PatternPrefixed:
		return strings.HasPrefix(name, r.ResourceName)
	}
	return false
}

// On reports whether the rule is on user: who may create and describe its
// tokens.
func (r ACLRule) On(user Principal) bool {
	return r.ResourceType == ResourceUser && r.Covers(user.String())
}

// AppliesTo reports whether the rule is of who or for everyone. Kafka knows no
// other wildcard than User:*, which also covers principals of other types.
func (r ACLRule) AppliesTo(who Principal) bool {
	return r.Principal == everyone.String() || r.Principal == who.String()
}

// Gives reports whether the rule's operation is op or All.
func (r ACLRule) Gives(op Operation) bool { return r.Operation == op || r.Operation == OperationAll }

// NeverMatches tells a rule on a User resource that no check of a user ever
// finds: the authorizer looks for the whole principal, User:alice, and a rule
// on the bare name alice is about nobody (KIP-373's own example has this
// mistake). The second result says so, the first is the rule that was probably
// meant. A name that begins with the word of some principal type and a colon
// is taken for a whole principal.
func (r ACLRule) NeverMatches() (right ACLRule, never bool) {
	if r.ResourceType != ResourceUser || r.ResourceName == everyName || hasType(r.ResourceName) {
		return ACLRule{}, false
	}
	switch r.Pattern {
	case PatternLiteral:
	case PatternPrefixed:
		if strings.HasPrefix(UserType+":", r.ResourceName) {
			return ACLRule{}, false // the beginning of every user
		}
	default:
		return ACLRule{}, false
	}
	right = r
	right.ResourceName = UserType + ":" + r.ResourceName
	return right, true
}

// hasType tells User:alice and Group:ops from names that hold a colon, such as
// spiffe://ns/sa and CN=a,OU=b:c.
func hasType(name string) bool {
	kind, rest, ok := strings.Cut(name, ":")
	return ok && !strings.HasPrefix(rest, "//") && !strings.ContainsFunc(kind, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// isOrMeantOn reports whether the rule is on user, or would be if it did not
// have the bare name.
func (r ACLRule) isOrMeantOn(user Principal) bool {
	meant, never := r.NeverMatches()
	return r.On(user) || never && meant.On(user)
}

// RightOnAll reports whether the rules give who the operation on the tokens of
// every user, from every host.
func RightOnAll(rules []ACLRule, who Principal, op Operation) bool {
	given := false
	for _, r := range rules {
		switch {
		case r.ResourceType != ResourceUser || !r.AppliesTo(who) || !r.Gives(op):
		case r.Permission == PermissionDeny:
			return false
		case r.ResourceName == everyName && r.Pattern == PatternLiteral && r.Host == everyHost:
			given = true
		}
	}
	return given
}

// String is the rule in one line for people, with names in quotes where they
// would not be told from the words around them.
func (r ACLRule) String() string {
	var b strings.Builder
	b.WriteString(r.Permission.String() + " " + legible(r.Principal) + " " + r.Operation.String() + " on " +
		r.ResourceType.String() + " " + legible(r.ResourceName))
	if r.Pattern != PatternLiteral {
		b.WriteString(" (" + r.Pattern.String() + ")")
	}
	if r.Host != everyHost {
		b.WriteString(" from host " + legible(r.Host))
	}
	return b.String()
}

// legible is a name as it is, in quotes where that could be misread: empty, with
// blanks, quotes or characters that cannot be seen.
func legible(name string) string {
	for _, r := range name {
		if r <= ' ' || r == '"' || r == '(' || r == '<' || r == '\ufffd' || !strconv.IsPrint(r) {
			return strconv.Quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// TokenRules are the rules that give who the operations on owner's tokens:
// CreateTokens, DescribeTokens, or both.
func TokenRules(owner, who Principal, ops ...Operation) []ACLRule {
	rules := make([]ACLRule, len(ops))
	for i, op := range ops {
		rules[i] = ACLRule{ResourceType: ResourceUser, ResourceName: owner.String(), Pattern: PatternLiteral,
			Principal: who.String(), Host: everyHost, Operation: op, Permission: PermissionAllow}
	}
	return rules
}

// TokenRight is what the rules say about one operation of one principal on a
// user. Super users and allow.everyone.if.no.acl.found cannot be seen from here.
type TokenRight struct {
	// Allow and Deny are the rules that apply, also those for some hosts only.
	Allow, Deny []ACLRule
	// Bare are rules that were meant to apply and never match.
	Bare []ACLRule
}

// Given reports whether the rules give the right from every host. Any DENY
// that applies wins over every ALLOW.
func (t TokenRight) Given() bool {
	for _, r := range t.Allow {
		if r.Host == everyHost {
			return len(t.Deny) == 0
		}
	}
	return false
}

// TokenRight sorts the rules on the list's user by what they say about who and
// op. It knows nothing when the group OnUser could not be read.
func (l RuleList) TokenRight(who Principal, op Operation) TokenRight {
	return RightOn(l.User, l.On, who, op)
}

// RightOn sorts those of the rules that are on user, or were meant to be, by
// what they say about who and op.
func RightOn(user Principal, rules []ACLRule, who Principal, op Operation) TokenRight {
	var t TokenRight
	for _, r := range rules {
		if !r.AppliesTo(who) || !r.Gives(op) || !r.isOrMeantOn(user) {
			continue
		}
		_, never := r.NeverMatches()
		switch {
		case never:
			t.Bare = append(t.Bare, r)
		case r.Permission == PermissionAllow:
			t.Allow = append(t.Allow, r)
		case r.Permission == PermissionDeny:
			t.Deny = append(t.Deny, r)
		}
	}
	return t
}
