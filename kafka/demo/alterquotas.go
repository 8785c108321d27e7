package demo

import (
	"math"
	"net/netip"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// valueKind is the type of a quota's value.
type valueKind int

const (
	longValue valueKind = iota + 1
	doubleValue
	intValue
)

// quotaKeys are the keys that an entity may have (QuotaConfig).
func quotaKeys(kinds map[string]bool) map[string]valueKind {
	if kinds[ipEntity] {
		return map[string]valueKind{"connection_creation_rate": intValue}
	}
	return map[string]valueKind{
		"producer_byte_rate":       longValue,
		"consumer_byte_rate":       longValue,
		"request_percentage":       doubleValue,
		"controller_mutation_rate": doubleValue,
	}
}

// alterQuotas answers AlterClientQuotas.
func (c *connection) alterQuotas(req *kmsg.AlterClientQuotasRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.AlterClientQuotasResponse)
	c.cluster.view(func(s *state, now int64) {
		allowed := c.may(s, alterConfigs, clusterResource, clusterName)
		seen := map[entity]int{} // the index of an entity's result
		for _, n := range req.Entries {
			result := kmsg.NewAlterClientQuotasResponseEntry()
			result.ErrorMessage = nil
			parts := make([]entityPart, 0, len(n.Entity))
			for _, p := range n.Entity {
				parts = withPart(parts, partOf(p.Type, p.Name))
			}
			for _, p := range parts {
				part := kmsg.NewAlterClientQuotasResponseEntryEntity()
				part.Type = p.kind
				if !p.byDefault {
					part.Name = kmsg.StringPtr(p.name)
				}
				result.Entity = append(result.Entity, part)
			}
			var reason string
			e := entityOf(parts...)
			at, twice := seen[e]
			switch {
			case !allowed:
				result.ErrorCode = int16(kafka.CodeClusterAuth)
				result.ErrorMessage = kmsg.StringPtr("Cluster authorization failed.")
			case twice && len(parts) <= 2:
				// What the first entry did stays, and its result is replaced:
				// Kafka keeps results in a map by entity.
				reason = "Ignoring duplicate entity " + e.label()
			default:
				reason = c.alterQuotaEntity(now, parts, n.Ops, req.ValidateOnly)
			}
			if reason != "" {
				result.ErrorCode, result.ErrorMessage = int16(kafka.CodeInvalidRequest), &reason
			}
			if twice && allowed && len(parts) <= 2 {
				resp.Entries[at] = result
				continue
			}
			seen[e] = len(resp.Entries)
			resp.Entries = append(resp.Entries, result)
		}
	})
	return resp
}

// withPart adds a part; of two parts of one type the last counts.
func withPart(parts []entityPart, part entityPart) []entityPart {
	for i := range parts {
		if parts[i].kind == part.kind {
			parts[i] = part
			return parts
		}
	}
	return append(parts, part)
}

// alterQuotaEntity checks and applies the operations on one entity, all or
// none, and says why not.
func (c *connection) alterQuotaEntity(now int64, parts []entityPart, ops []kmsg.AlterClientQuotasRequestEntryOp, validateOnly bool) string {
	e := entityOf(parts...)
	keys := map[string]bool{}
	for _, op := range ops {
		if keys[op.Key] {
			return "Ignoring duplicate entity " + e.label()
		}
		keys[op.Key] = true
	}
	kinds, reason := entityKinds(parts)
	if reason != "" {
		return reason
	}
	allowed := quotaKeys(kinds)
	for _, op := range ops {
		if op.Remove { // neither value nor key are looked at
			continue
		}
		if reason := quotaValueFault(allowed, op.Key, op.Value); reason != "" {
			return reason
		}
	}
	if validateOnly {
		return ""
	}
	for _, op := range ops {
		if op.Remove {
			c.cluster.write(now, func(s *state) { s.quotas.remove(e, op.Key) })
		} else {
			c.cluster.write(now, func(s *state) { s.quotas.set(e, op.Key, op.Value) })
		}
	}
	return ""
}

// entityKinds are the types of an entity, or what is wrong with it
// (ClientQuotaControlManager).
func entityKinds(parts []entityPart) (map[string]bool, string) {
	if len(parts) == 0 {
		return nil, "Invalid empty client quota entity"
	}
	kinds := map[string]bool{}
	for _, p := range parts {
		switch p.kind {
		case userEntity, clientIDEntity, ipEntity:
		default:
			return nil, "Unhandled client quota entity type: " + p.kind
		}
		if !p.byDefault && p.name == "" {
			return nil, "Empty " + p.kind + " not supported"
		}
		kinds[p.kind] = true
	}
	if kinds[ipEntity] {
		if len(kinds) > 1 {
			return nil, "Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId"
		}
		// Kafka also takes host names, which it resolves; this broker asks no
		// name server.
		if _, err := netip.ParseAddr(parts[0].name); err != nil && !parts[0].byDefault && parts[0].name != "localhost" {
			return nil, parts[0].name + " is not a valid IP or resolvable host."
		}
	}
	return kinds, ""
}

// quotaValueFault says what is wrong with a value, "" for nothing.
func quotaValueFault(allowed map[string]valueKind, key string, value float64) string {
	kind, ok := allowed[key]
	switch {
	case !ok:
		return "Invalid configuration key " + key
	case value <= 0:
		return "Quota " + key + " must be greater than 0"
	case kind == longValue && value > math.MaxInt64:
		return "Proposed value for " + key + " is too large for a LONG."
	case kind == intValue && value > math.MaxInt32:
		return "Proposed value for " + key + " is too large for an INT."
	case kind != doubleValue && math.Mod(value, 1) > 1e-6:
		return key + " cannot be a fractional value."
	}
	return ""
}
