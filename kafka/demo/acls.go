package demo

import (
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// needs is the text of a refused ACL request: Kafka prints its internal
// request object, of which this keeps the shape (seen on 4.4).
func (c *connection) needs(operation string) *string {
	text := "Request Request(processor=1, connectionId=" + c.id + ", session=" + c.session.principal.String() +
		", listenerName=ListenerName(" + string(c.listener.name) + "), securityProtocol=" +
		string(c.listener.name.Protocol()) + ", buffer=null, envelope=None) needs " + operation + " permission."
	return &text
}

// success is the message of an answer without an error in those APIs where
// Kafka since 2.x sends "" instead of null.
func (c *connection) success() *string {
	if c.cluster.setup.release.textsOf1x {
		return nil
	}
	return new(string)
}

// describeACLs answers DescribeAcls.
func (c *connection) describeACLs(req *kmsg.DescribeACLsRequest) (kmsg.Response, bool) {
	resp := req.ResponseKind().(*kmsg.DescribeACLsResponse)
	if unknown(req.ResourceType, req.ResourcePatternType, req.Operation, req.PermissionType) {
		return nil, false
	}
	if !c.cluster.setup.authorizer {
		resp.ErrorCode = int16(kafka.CodeSecurityDisabled)
		resp.ErrorMessage = kmsg.StringPtr("No Authorizer is configured on the broker")
		return resp, true
	}
	f := filter{
		resourceType: req.ResourceType, name: req.ResourceName, pattern: req.ResourcePatternType,
		principal: req.Principal, host: req.Host, operation: req.Operation, permission: req.PermissionType,
	}
	c.cluster.view(func(s *state, _ int64) {
		if !c.may(s, describe, clusterResource, clusterName) {
			resp.ErrorCode, resp.ErrorMessage = int16(kafka.CodeClusterAuth), c.needs("DESCRIBE")
			return
		}
		resp.ErrorMessage = c.success()
		resp.Resources = byResource(s.rules.matching(f))
	})
	return resp, true
}

// byResource groups rules as the answer wants them.
func byResource(rules []rule) []kmsg.DescribeACLsResponseResource {
	type resource struct {
		kind    kmsg.ACLResourceType
		name    string
		pattern kmsg.ACLResourcePatternType
	}
	at := map[resource]int{}
	var out []kmsg.DescribeACLsResponseResource
	for _, r := range rules {
		key := resource{r.resourceType, r.name, r.pattern}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			res := kmsg.NewDescribeACLsResponseResource()
			res.ResourceType, res.ResourceName, res.ResourcePatternType = r.resourceType, r.name, r.pattern
			out = append(out, res)
		}
		acl := kmsg.NewDescribeACLsResponseResourceACL()
		acl.Principal, acl.Host, acl.Operation, acl.PermissionType = r.principal, r.host, r.operation, r.permission
		out[i].ACLs = append(out[i].ACLs, acl)
	}
	return out
}

// unknown reports the raw code 0, on which Kafka closes the connection.
func unknown(t kmsg.ACLResourceType, p kmsg.ACLResourcePatternType, op kmsg.ACLOperation, perm kmsg.ACLPermissionType) bool {
	return t == 0 || p == 0 || op == 0 || perm == 0
}

// createACLs answers CreateAcls. Entries are judged one by one, but one that
// names a concept no rule can have (ANY, MATCH) fails the whole request.
func (c *connection) createACLs(req *kmsg.CreateACLsRequest) (kmsg.Response, bool) {
	resp := req.ResponseKind().(*kmsg.CreateACLsResponse)
	every := func(code kafka.Code, message *string) (kmsg.Response, bool) {
		resp.Results = make([]kmsg.CreateACLsResponseResult, len(req.Creations))
		for i := range resp.Results {
			resp.Results[i].ErrorCode, resp.Results[i].ErrorMessage = int16(code), message
		}
		return resp, true
	}
	impossible := false
	for _, n := range req.Creations {
		if unknown(n.ResourceType, n.ResourcePatternType, n.Operation, n.PermissionType) {
			return nil, false
		}
		impossible = impossible || n.ResourceType == kmsg.ACLResourceTypeAny ||
			n.ResourcePatternType == kmsg.ACLResourcePatternTypeAny || n.ResourcePatternType == kmsg.ACLResourcePatternTypeMatch ||
			n.Operation == kmsg.ACLOperationAny || n.PermissionType == kmsg.ACLPermissionTypeAny
	}
	if !c.cluster.setup.authorizer {
		return every(kafka.CodeSecurityDisabled, kmsg.StringPtr("No Authorizer is configured."))
	}
	var out kmsg.Response
	keep := true
	c.cluster.view(func(s *state, now int64) {
		if !c.may(s, alter, clusterResource, clusterName) {
			out, keep = every(kafka.CodeClusterAuth, c.needs("ALTER"))
			return
		}
		if impossible {
			out, keep = every(kafka.CodeUnknownServer, nil)
			return
		}
		for _, n := range req.Creations {
			r := rule{n.ResourceType, n.ResourceName, n.ResourcePatternType, n.Principal, n.Host, n.Operation, n.PermissionType}
			result := kmsg.NewCreateACLsResponseResult()
			result.ErrorMessage = c.success()
			if reason := c.cluster.setup.release.refuses(r); reason != "" {
				result.ErrorCode, result.ErrorMessage = int16(kafka.CodeInvalidRequest), &reason
			} else if !c.cluster.written.rules.has(r) {
				c.cluster.write(now, func(s *state) { s.rules.add(r) })
			}
			resp.Results = append(resp.Results, result)
		}
		out = resp
	})
	return out, keep
}

// refuses says why a rule is not stored, "" when it is (AclApis and
// AclControlManager.validateNewAcl).
func (r *release) refuses(of rule) string {
	switch {
	case of.resourceType == clusterResource && of.name != clusterName:
		return "The only valid name for the CLUSTER resource is " + clusterName
	case of.name == "":
		return "Invalid empty resource name"
	case of.resourceType > userResource, of.resourceType < 0:
		return "Invalid resourceType UNKNOWN"
	case of.resourceType == userResource && !r.userRules:
		return "Failed to create ACL"
	case of.pattern != kmsg.ACLResourcePatternTypeLiteral && of.pattern != kmsg.ACLResourcePatternTypePrefixed:
		return "Invalid patternType UNKNOWN"
	case of.operation > twoPhaseCommit, of.operation < 0:
		return "Invalid operation UNKNOWN"
	case of.permission != kmsg.ACLPermissionTypeAllow && of.permission != kmsg.ACLPermissionTypeDeny:
		return "Invalid permissionType UNKNOWN"
	case !r.zookeeper && !strings.Contains(of.principal, ":"):
		return "Could not parse principal from `" + of.principal +
			"` (no colon is present separating the principal type from the principal name)"
	case of.host == "":
		return "Host pattern cannot be null or empty"
	case r.cidrHosts && strings.Contains(of.host, "/"):
		if _, fault := parseRange(of.host); fault != "" {
			return "Invalid CIDR notation '" + of.host + "': " + fault
		}
	}
	return ""
}

// deleteACLs answers DeleteAcls: for each filter the rules that it removed.
func (c *connection) deleteACLs(req *kmsg.DeleteACLsRequest) (kmsg.Response, bool) {
	resp := req.ResponseKind().(*kmsg.DeleteACLsResponse)
	every := func(code kafka.Code, message *string) {
		resp.Results = make([]kmsg.DeleteACLsResponseResult, len(req.Filters))
		for i := range resp.Results {
			resp.Results[i].ErrorCode, resp.Results[i].ErrorMessage = int16(code), message
		}
	}
	for _, n := range req.Filters {
		if unknown(n.ResourceType, n.ResourcePatternType, n.Operation, n.PermissionType) {
			return nil, false
		}
	}
	if !c.cluster.setup.authorizer {
		every(kafka.CodeSecurityDisabled, kmsg.StringPtr("No Authorizer is configured."))
		return resp, true
	}
	c.cluster.view(func(s *state, now int64) {
		if !c.may(s, alter, clusterResource, clusterName) {
			every(kafka.CodeClusterAuth, c.needs("ALTER"))
			return
		}
		var gone []rule
		for _, n := range req.Filters {
			f := filter{
				resourceType: n.ResourceType, name: n.ResourceName, pattern: n.ResourcePatternType,
				principal: n.Principal, host: n.Host, operation: n.Operation, permission: n.PermissionType,
			}
			result := kmsg.NewDeleteACLsResponseResult()
			if reason := f.fault(); reason != "" {
				result.ErrorCode, result.ErrorMessage = int16(kafka.CodeInvalidRequest), &reason
			} else {
				found := c.cluster.written.rules.matching(f)
				result = deleted(found)
				gone = append(gone, found...)
			}
			resp.Results = append(resp.Results, result)
		}
		// Only now, because a rule is told for each filter that found it.
		for _, r := range gone {
			c.cluster.write(now, func(s *state) { s.rules.remove(r) })
		}
	})
	return resp, true
}

// deleted is the result of a filter that found these rules.
func deleted(rules []rule) kmsg.DeleteACLsResponseResult {
	result := kmsg.NewDeleteACLsResponseResult()
	result.ErrorMessage = nil
	for _, r := range rules {
		m := kmsg.NewDeleteACLsResponseResultMatchingACL()
		m.ErrorMessage = nil
		m.ResourceType, m.ResourceName, m.ResourcePatternType = r.resourceType, r.name, r.pattern
		m.Principal, m.Host, m.Operation, m.PermissionType = r.principal, r.host, r.operation, r.permission
		result.MatchingACLs = append(result.MatchingACLs, m)
	}
	return result
}
