package kafka

import (
	"slices"
	"strings"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// ruleStore answers the three ACL requests as an authorizer does. Its filters
// are written from ResourcePatternFilter and AccessControlEntryFilter.
type ruleStore struct {
	mu    sync.Mutex
	rules []ACLRule
}

func (s *stub) stores(rules ...ACLRule) *ruleStore {
	store := &ruleStore{rules: rules}
	s.on[29], s.on[30], s.on[31] = store.describe, store.create, store.delete
	return store
}

func (s *ruleStore) all() []ACLRule {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.rules)
}

func (s *ruleStore) describe(r kmsg.Request) answer {
	req, resp := r.(*kmsg.DescribeACLsRequest), r.ResponseKind().(*kmsg.DescribeACLsResponse)
	for _, rule := range s.all() {
		if fits(rule, req.ResourceType, req.ResourcePatternType, req.Operation, req.PermissionType, req.ResourceName, req.Principal, req.Host) {
			resp.Resources = append(resp.Resources, resourceOf(rule))
		}
	}
	return reply(resp)
}

func resourceOf(r ACLRule) kmsg.DescribeACLsResponseResource {
	return kmsg.DescribeACLsResponseResource{ResourceType: kmsg.ACLResourceType(r.ResourceType), ResourceName: r.ResourceName,
		ResourcePatternType: kmsg.ACLResourcePatternType(r.Pattern),
		ACLs: []kmsg.DescribeACLsResponseResourceACL{{Principal: r.Principal, Host: r.Host,
			Operation: kmsg.ACLOperation(r.Operation), PermissionType: kmsg.ACLPermissionType(r.Permission)}}}
}

func (s *ruleStore) create(r kmsg.Request) answer {
	req, resp := r.(*kmsg.CreateACLsRequest), r.ResponseKind().(*kmsg.CreateACLsResponse)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range req.Creations {
		rule := ACLRule{ResourceType(c.ResourceType), c.ResourceName, PatternType(c.ResourcePatternType), c.Principal, c.Host,
			Operation(c.Operation), Permission(c.PermissionType)}
		if !slices.Contains(s.rules, rule) {
			s.rules = append(s.rules, rule)
		}
		empty := ""
		resp.Results = append(resp.Results, kmsg.CreateACLsResponseResult{ErrorMessage: &empty})
	}
	return reply(resp)
}

func (s *ruleStore) delete(r kmsg.Request) answer {
	req, resp := r.(*kmsg.DeleteACLsRequest), r.ResponseKind().(*kmsg.DeleteACLsResponse)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range req.Filters {
		var result kmsg.DeleteACLsResponseResult
		s.rules = slices.DeleteFunc(s.rules, func(rule ACLRule) bool {
			hit := fits(rule, f.ResourceType, f.ResourcePatternType, f.Operation, f.PermissionType, f.ResourceName, f.Principal, f.Host)
			if hit {
				result.MatchingACLs = append(result.MatchingACLs, matching(rule))
			}
			return hit
		})
		resp.Results = append(resp.Results, result)
	}
	return reply(resp)
}

func matching(r ACLRule) kmsg.DeleteACLsResponseResultMatchingACL {
	return kmsg.DeleteACLsResponseResultMatchingACL{ResourceType: kmsg.ACLResourceType(r.ResourceType), ResourceName: r.ResourceName,
		ResourcePatternType: kmsg.ACLResourcePatternType(r.Pattern), Principal: r.Principal, Host: r.Host,
		Operation: kmsg.ACLOperation(r.Operation), PermissionType: kmsg.ACLPermissionType(r.Permission)}
}

func fits(r ACLRule, t kmsg.ACLResourceType, p kmsg.ACLResourcePatternType, op kmsg.ACLOperation, perm kmsg.ACLPermissionType, name, principal, host *string) bool {
	named := name == nil
	if !named {
		switch p {
		case kmsg.ACLResourcePatternTypeMatch:
			named = r.Pattern == PatternLiteral && (r.ResourceName == *name || r.ResourceName == "*") ||
				r.Pattern == PatternPrefixed && strings.HasPrefix(*name, r.ResourceName)
		case kmsg.ACLResourcePatternTypeAny:
			named = r.ResourceName == *name
		default:
			named = r.ResourceName == *name && PatternType(p) == r.Pattern
		}
	}
	return named && (t == 1 || ResourceType(t) == r.ResourceType) && (op == 1 || Operation(op) == r.Operation) &&
		(perm == 1 || Permission(perm) == r.Permission) && (principal == nil || *principal == r.Principal) && (host == nil || *host == r.Host)
}

// rule is ALLOW on a literal name from every host.
func rule(t ResourceType, name, principal string, op Operation) ACLRule {
	return ACLRule{t, name, PatternLiteral, principal, "*", op, PermissionAllow}
}

func with(r ACLRule, change func(*ACLRule)) ACLRule {
	change(&r)
	return r
}

func prefixed(r ACLRule) ACLRule { return with(r, func(r *ACLRule) { r.Pattern = PatternPrefixed }) }
func denied(r ACLRule) ACLRule   { return with(r, func(r *ACLRule) { r.Permission = PermissionDeny }) }
