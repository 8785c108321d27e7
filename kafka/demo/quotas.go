package demo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// The entity types that quotas are set on.
const (
	userEntity     = "user"
	clientIDEntity = "client-id"
	ipEntity       = "ip"
)

// entity is what a quota is set on: for each of its types a name, or the
// default of that type. It is a map key, so its parts are in order of type.
type entity struct{ a, b entityPart }

// entityPart is one type of an entity; the zero value is no part.
type entityPart struct {
	kind string
	// name is "" for the default, which byDefault tells.
	name      string
	byDefault bool
}

func (e entity) parts() []entityPart {
	switch {
	case e.a.kind == "":
		return nil
	case e.b.kind == "":
		return []entityPart{e.a}
	}
	return []entityPart{e.a, e.b}
}

func entityOf(parts ...entityPart) entity {
	slices.SortFunc(parts, func(a, b entityPart) int { return strings.Compare(a.kind, b.kind) })
	var e entity
	if len(parts) > 0 {
		e.a = parts[0]
	}
	if len(parts) > 1 {
		e.b = parts[1]
	}
	return e
}

func userPart(name string) entityPart    { return entityPart{kind: userEntity, name: name} }
func clientPart(name string) entityPart  { return entityPart{kind: clientIDEntity, name: name} }
func defaultPart(kind string) entityPart { return entityPart{kind: kind, byDefault: true} }
func partOf(kind string, name *string) entityPart {
	if name == nil {
		return defaultPart(kind)
	}
	return entityPart{kind: kind, name: *name}
}

// label is how Kafka prints the entity in messages.
func (e entity) label() string {
	var parts []string
	for _, p := range e.parts() {
		name := p.name
		if p.byDefault {
			name = "null"
		}
		parts = append(parts, p.kind+"="+name)
	}
	return "ClientQuotaEntity(entries={" + strings.Join(parts, ", ") + "})"
}

// quotaSet holds the values of each entity by their key.
type quotaSet map[entity]map[string]float64

// set stores a value in a map of its own, since the states share records.
func (q quotaSet) set(e entity, key string, value float64) {
	values := copyOf(q[e])
	values[key] = value
	q[e] = values
}

func (q quotaSet) remove(e entity, key string) {
	values := copyOf(q[e])
	delete(values, key)
	if len(values) == 0 {
		delete(q, e)
		return
	}
	q[e] = values
}

// describeQuotas answers DescribeClientQuotas.
func (c *connection) describeQuotas(req *kmsg.DescribeClientQuotasRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.DescribeClientQuotasResponse)
	c.cluster.view(func(s *state, _ int64) {
		if !c.may(s, describeConfigs, clusterResource, clusterName) {
			resp.ErrorCode, resp.ErrorMessage, resp.Entries = int16(kafka.CodeClusterAuth), nil, nil
			return
		}
		f, code, reason := quotaFilterOf(req.Components)
		if code != kafka.CodeNone {
			resp.ErrorCode, resp.ErrorMessage, resp.Entries = int16(code), &reason, nil
			return
		}
		resp.ErrorMessage = c.success()
		resp.Entries = []kmsg.DescribeClientQuotasResponseEntry{}
		for e, values := range s.quotas {
			if f.matches(e, req.Strict) {
				resp.Entries = append(resp.Entries, quotaEntry(e, values))
			}
		}
	})
	return resp
}

func quotaEntry(e entity, values map[string]float64) kmsg.DescribeClientQuotasResponseEntry {
	entry := kmsg.NewDescribeClientQuotasResponseEntry()
	for _, p := range e.parts() {
		part := kmsg.NewDescribeClientQuotasResponseEntryEntity()
		part.Type = p.kind
		if !p.byDefault {
			part.Name = kmsg.StringPtr(p.name)
		}
		entry.Entity = append(entry.Entity, part)
	}
	for key, value := range values {
		v := kmsg.NewDescribeClientQuotasResponseEntryValue()
		v.Key, v.Value = key, value
		entry.Values = append(entry.Values, v)
	}
	return entry
}

// quotaFilter is a checked DescribeClientQuotas filter.
type quotaFilter struct {
	exact []entityPart // a name or the default of a type
	kinds []string     // a type with any name, the default included
}

// quotaFilterOf checks a filter (ClientQuotasImage.describe): the code and
// message of the first fault, in Kafka's words.
func quotaFilterOf(components []kmsg.DescribeClientQuotasRequestComponent) (f quotaFilter, code kafka.Code, reason string) {
	kinds := map[string]bool{}
	for _, n := range components {
		switch {
		case n.EntityType == "":
			return f, kafka.CodeInvalidRequest, "Invalid empty entity type."
		case kinds[n.EntityType]:
			return f, kafka.CodeInvalidRequest, "Entity type " + n.EntityType + " cannot appear more than once in the filter."
		case n.EntityType != userEntity && n.EntityType != clientIDEntity && n.EntityType != ipEntity:
			return f, kafka.CodeUnsupportedVersion, "Unsupported entity type " + n.EntityType
		}
		kinds[n.EntityType] = true
		switch n.MatchType {
		case kmsg.QuotasMatchTypeExact:
			if n.Match == nil {
				return f, kafka.CodeInvalidRequest, "Request specified MATCH_TYPE_EXACT, but set match string to null."
			}
			f.exact = append(f.exact, entityPart{kind: n.EntityType, name: *n.Match})
		case kmsg.QuotasMatchTypeDefault:
			if n.Match != nil {
				return f, kafka.CodeInvalidRequest, "Request specified MATCH_TYPE_DEFAULT, but also specified a match string."
			}
			f.exact = append(f.exact, defaultPart(n.EntityType))
		case kmsg.QuotasMatchTypeAny:
			if n.Match != nil {
				return f, kafka.CodeInvalidRequest, "Request specified MATCH_TYPE_SPECIFIED, but also specified a match string."
			}
			f.kinds = append(f.kinds, n.EntityType)
		default:
			return f, kafka.CodeInvalidRequest, "Unknown match type " + strconv.Itoa(int(n.MatchType))
		}
	}
	if kinds[ipEntity] && (kinds[userEntity] || kinds[clientIDEntity]) {
		return f, kafka.CodeInvalidRequest, "Invalid entity filter component combination. " +
			"IP filter component should not be used with user or clientId filter component."
	}
	return f, kafka.CodeNone, ""
}

// matches: every component must match; strict allows no further type, and an
// empty strict filter finds nothing.
func (f *quotaFilter) matches(e entity, strict bool) bool {
	wanted := len(f.exact) + len(f.kinds)
	parts := e.parts()
	if strict && (wanted == 0 || len(parts) != wanted) {
		return false
	}
	for _, x := range f.exact {
		if !slices.Contains(parts, x) {
			return false
		}
	}
	for _, kind := range f.kinds {
		if !slices.ContainsFunc(parts, func(p entityPart) bool { return p.kind == kind }) {
			return false
		}
	}
	return true
}
