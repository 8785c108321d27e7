package demo

import (
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func creation(r rule) kmsg.CreateACLsRequestCreation {
	n := kmsg.NewCreateACLsRequestCreation()
	n.ResourceType, n.ResourceName, n.ResourcePatternType = r.resourceType, r.name, r.pattern
	n.Principal, n.Host, n.Operation, n.PermissionType = r.principal, r.host, r.operation, r.permission
	return n
}

func createRules(rules ...rule) *kmsg.CreateACLsRequest {
	req := kmsg.NewPtrCreateACLsRequest()
	req.Version = 3
	for _, r := range rules {
		req.Creations = append(req.Creations, creation(r))
	}
	return req
}

// anyRule is a filter that finds everything.
func anyRule() filter {
	return filter{
		resourceType: kmsg.ACLResourceTypeAny, pattern: kmsg.ACLResourcePatternTypeAny,
		operation: kmsg.ACLOperationAny, permission: kmsg.ACLPermissionTypeAny,
	}
}

func describeRules(f filter) *kmsg.DescribeACLsRequest {
	req := kmsg.NewPtrDescribeACLsRequest()
	req.Version = 3
	req.ResourceType, req.ResourceName, req.ResourcePatternType = f.resourceType, f.name, f.pattern
	req.Principal, req.Host, req.Operation, req.PermissionType = f.principal, f.host, f.operation, f.permission
	return req
}

func deleteRules(filters ...filter) *kmsg.DeleteACLsRequest {
	req := kmsg.NewPtrDeleteACLsRequest()
	req.Version = 3
	for _, f := range filters {
		n := kmsg.NewDeleteACLsRequestFilter()
		n.ResourceType, n.ResourceName, n.ResourcePatternType = f.resourceType, f.name, f.pattern
		n.Principal, n.Host, n.Operation, n.PermissionType = f.principal, f.host, f.operation, f.permission
		req.Filters = append(req.Filters, n)
	}
	return req
}

func text(s *string) string {
	if s == nil {
		return "(null)"
	}
	return *s
}

func TestCreateACLs(t *testing.T) {
	b, _ := bare(t, Cluster{})
	good := allowed("x", opRead, topicResource, "t")
	edit := func(f func(*rule)) rule { r := good; f(&r); return r }
	const closes = "(closed)"
	for _, tc := range []struct {
		name string
		rule rule
		code int16
		text string
	}{
		{"good", good, 0, ""},
		{"again", good, 0, ""},
		{"prefixed", good.prefixed(), 0, ""},
		{"a colon alone", edit(func(r *rule) { r.principal = ":" }), 0, ""},
		{"any type", edit(func(r *rule) { r.resourceType = 1 }), -1, "(null)"},
		{"any pattern", edit(func(r *rule) { r.pattern = 1 }), -1, "(null)"},
		{"match pattern", edit(func(r *rule) { r.pattern = 2 }), -1, "(null)"},
		{"any operation", edit(func(r *rule) { r.operation = 1 }), -1, "(null)"},
		{"any permission", edit(func(r *rule) { r.permission = 1 }), -1, "(null)"},
		{"raw type 0", edit(func(r *rule) { r.resourceType = 0 }), 0, closes},
		{"raw pattern 0", edit(func(r *rule) { r.pattern = 0 }), 0, closes},
		{"raw operation 0", edit(func(r *rule) { r.operation = 0 }), 0, closes},
		{"raw permission 0", edit(func(r *rule) { r.permission = 0 }), 0, closes},
		{"unknown type", edit(func(r *rule) { r.resourceType = 99 }), 42, "Invalid resourceType UNKNOWN"},
		{"unknown pattern", edit(func(r *rule) { r.pattern = 99 }), 42, "Invalid patternType UNKNOWN"},
		{"unknown operation", edit(func(r *rule) { r.operation = 99 }), 42, "Invalid operation UNKNOWN"},
		{"unknown permission", edit(func(r *rule) { r.permission = 99 }), 42, "Invalid permissionType UNKNOWN"},
		{"no name", edit(func(r *rule) { r.name = "" }), 42, "Invalid empty resource name"},
		{"cluster of another name", allowed("x", alter, clusterResource, "mine"), 42, "The only valid name for the CLUSTER resource is kafka-cluster"},
		{"no colon", edit(func(r *rule) { r.principal = "alice" }), 42, "Could not parse principal from `alice` (no colon is present separating the principal type from the principal name)"},
		{"no host", edit(func(r *rule) { r.host = "" }), 42, "Host pattern cannot be null or empty"},
		{"bad range", good.from("1/8"), 42, "Invalid CIDR notation '1/8': Could not parse [1/8]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := as(t, b, admin)
			req := createRules(good, tc.rule)
			if tc.text == closes {
				c.closed(req)
				return
			}
			r := do[*kmsg.CreateACLsResponse](c, req)
			if len(r.Results) != 2 || r.Results[1].ErrorCode != tc.code || text(r.Results[1].ErrorMessage) != tc.text {
				t.Fatalf("%+v", r.Results)
			}
			// Only a concept that no rule has takes the others with it.
			if first := r.Results[0].ErrorCode; (tc.code == -1) != (first != 0) {
				t.Errorf("the good rule beside it: code %d", first)
			}
		})
	}
	r := do[*kmsg.CreateACLsResponse](as(t, b, alice), createRules(good, good))
	if len(r.Results) != 2 || r.Results[1].ErrorCode != 31 || !strings.HasSuffix(text(r.Results[1].ErrorMessage), "needs ALTER permission.") {
		t.Errorf("without the right: %+v", r.Results)
	}
}

func TestDescribeAndDeleteACLs(t *testing.T) {
	b, _ := bare(t, Cluster{})
	c := as(t, b, admin)
	rules := []rule{
		allowed(alice, opRead, topicResource, "orders"),
		allowed(alice, opRead, topicResource, "orders").from("10.0.0.1"),
		allowed(alice, opWrite, topicResource, "ord").prefixed(),
		allowed("*", opRead, topicResource, "*"),
		allowed(bob, createTokens, userResource, "User:alice").denied(),
	}
	do[*kmsg.CreateACLsResponse](c, createRules(rules...))
	name, principal, host := "orders", "User:alice", "*"
	for _, tc := range []struct {
		name string
		f    func(*filter)
		want []int
	}{
		{"everything", func(*filter) {}, []int{0, 1, 2, 3, 4}},
		{"a type", func(f *filter) { f.resourceType = userResource }, []int{4}},
		{"a principal, not User:*", func(f *filter) { f.principal = &principal }, []int{0, 1, 2}},
		{"a host", func(f *filter) { f.principal, f.host = &principal, &host }, []int{0, 2}},
		{"a permission", func(f *filter) { f.permission = kmsg.ACLPermissionTypeDeny }, []int{4}},
		{"an operation", func(f *filter) { f.operation = opWrite }, []int{2}},
		{"any pattern of that name", func(f *filter) { f.name = &name }, []int{0, 1}},
		{"literal", func(f *filter) { f.name, f.pattern = &name, kmsg.ACLResourcePatternTypeLiteral }, []int{0, 1}},
		{"prefixed", func(f *filter) { f.pattern = kmsg.ACLResourcePatternTypePrefixed }, []int{2}},
		{"what matches that name", func(f *filter) { f.name, f.pattern = &name, kmsg.ACLResourcePatternTypeMatch }, []int{0, 1, 2, 3}},
		{"unknown type", func(f *filter) { f.resourceType = 99 }, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := anyRule()
			tc.f(&f)
			r := do[*kmsg.DescribeACLsResponse](c, describeRules(f))
			var got []int
			for _, res := range r.Resources {
				for _, a := range res.ACLs {
					got = append(got, slices.Index(rules, rule{res.ResourceType, res.ResourceName, res.ResourcePatternType, a.Principal, a.Host, a.Operation, a.PermissionType}))
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, tc.want) || r.ErrorCode != 0 || text(r.ErrorMessage) != "" {
				t.Errorf("code %d %q, rules %v, want %v", r.ErrorCode, text(r.ErrorMessage), got, tc.want)
			}
		})
	}
	for i, f := range []filter{{pattern: 1, operation: 1, permission: 1}, {resourceType: 1, operation: 1, permission: 1}, {resourceType: 1, pattern: 1, permission: 1}, {resourceType: 1, pattern: 1, operation: 1}} {
		as(t, b, admin).closed(describeRules(f))
		as(t, b, admin).closed(deleteRules(f))
		_ = i
	}
	if r := do[*kmsg.DescribeACLsResponse](as(t, b, alice), describeRules(anyRule())); r.ErrorCode != 31 || !strings.HasSuffix(text(r.ErrorMessage), "needs DESCRIBE permission.") {
		t.Errorf("without the right: code %d %q", r.ErrorCode, text(r.ErrorMessage))
	}
	if r := do[*kmsg.DeleteACLsResponse](as(t, b, alice), deleteRules(anyRule())); r.Results[0].ErrorCode != 31 || len(r.Results[0].MatchingACLs) != 0 {
		t.Errorf("deletion without the right: %+v", r.Results)
	}
	one, bad, none := anyRule(), anyRule(), anyRule()
	one.principal, one.host, one.operation = &principal, &host, opRead
	bad.operation = 99
	other := "User:nobody"
	none.principal = &other
	r := do[*kmsg.DeleteACLsResponse](c, deleteRules(one, one, bad, none))
	for i, want := range []struct {
		code  int16
		text  string
		found int
	}{{0, "(null)", 1}, {0, "(null)", 1}, {42, "Unknown entryFilter.", 0}, {0, "(null)", 0}} {
		if got := r.Results[i]; got.ErrorCode != want.code || text(got.ErrorMessage) != want.text || len(got.MatchingACLs) != want.found {
			t.Errorf("filter %d: code %d %q, %d found", i, got.ErrorCode, text(got.ErrorMessage), len(got.MatchingACLs))
		}
	}
	left := 0
	for _, res := range do[*kmsg.DescribeACLsResponse](c, describeRules(anyRule())).Resources {
		left += len(res.ACLs)
	}
	if left != len(rules)-1 {
		t.Errorf("%d rules left", left)
	}
}
