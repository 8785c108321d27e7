package demo

import (
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// filter chooses ACL rules, for describing and for deleting.
type filter struct {
	resourceType kmsg.ACLResourceType
	// name, principal and host are exact; nil is any. A principal filter
	// does not find rules for User:*.
	name            *string
	pattern         kmsg.ACLResourcePatternType
	principal, host *string
	operation       kmsg.ACLOperation
	permission      kmsg.ACLPermissionType
}

// matching are the rules that a filter chooses. The order means nothing.
func (s ruleSet) matching(f filter) []rule {
	var out []rule
	for _, rules := range s {
		for _, r := range rules {
			if f.matches(r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// fault is what makes DeleteAcls refuse a filter: codes that it does not know.
func (f *filter) fault() string {
	switch {
	case f.resourceType < 0 || f.resourceType > userResource,
		f.pattern < 0 || f.pattern > kmsg.ACLResourcePatternTypePrefixed:
		return "Unknown patternFilter."
	case f.operation < 0 || f.operation > twoPhaseCommit,
		f.permission < 0 || f.permission > kmsg.ACLPermissionTypeAllow:
		return "Unknown entryFilter."
	}
	return ""
}

func (f *filter) matches(r rule) bool {
	return (f.resourceType == kmsg.ACLResourceTypeAny || f.resourceType == r.resourceType) &&
		f.matchesPattern(r) &&
		(f.principal == nil || *f.principal == r.principal) &&
		(f.host == nil || *f.host == r.host) &&
		(f.operation == kmsg.ACLOperationAny || f.operation == r.operation) &&
		(f.permission == kmsg.ACLPermissionTypeAny || f.permission == r.permission)
}

// matchesPattern is ResourcePatternFilter.matches: LITERAL and PREFIXED want
// that very pattern, ANY takes each with that very name, and MATCH takes what
// would match a resource of that name.
func (f *filter) matchesPattern(r rule) bool {
	switch f.pattern {
	case kmsg.ACLResourcePatternTypeAny:
		return f.name == nil || *f.name == r.name
	case kmsg.ACLResourcePatternTypeMatch:
		switch {
		case f.name == nil:
			return true
		case r.pattern == kmsg.ACLResourcePatternTypePrefixed:
			return strings.HasPrefix(*f.name, r.name)
		}
		return r.name == *f.name || r.name == "*"
	}
	return f.pattern == r.pattern && (f.name == nil || *f.name == r.name)
}
