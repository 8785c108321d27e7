package kafka

import (
	"slices"
	"strings"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// quotaStore answers the two quota requests as Kafka does
// (ClientQuotasImage.describe and ClientQuotaControlManager).
type quotaStore struct {
	mu       sync.Mutex
	entities []QuotaEntity
}

func (s *stub) storesQuotas(entities ...QuotaEntity) *quotaStore {
	store := &quotaStore{entities: entities}
	s.on[48], s.on[49] = store.describe, store.alter
	return store
}

func quotas(e Entity, values ...QuotaValue) QuotaEntity { return QuotaEntity{e, values} }

func partsOf(e Entity) (parts []kmsg.DescribeClientQuotasResponseEntryEntity) {
	for kind, p := range map[string]EntityPart{"user": e.User, "client-id": e.ClientID} {
		switch name, named := p.Name(); {
		case named:
			parts = append(parts, kmsg.DescribeClientQuotasResponseEntryEntity{Type: kind, Name: &name})
		case p.IsDefault():
			parts = append(parts, kmsg.DescribeClientQuotasResponseEntryEntity{Type: kind})
		}
	}
	if kind, name, ok := strings.Cut(e.Other, "="); ok {
		parts = append(parts, kmsg.DescribeClientQuotasResponseEntryEntity{Type: kind, Name: &name})
	}
	return parts
}

func (s *quotaStore) describe(r kmsg.Request) answer {
	req, resp := r.(*kmsg.DescribeClientQuotasRequest), r.ResponseKind().(*kmsg.DescribeClientQuotasResponse)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.entities {
		parts := partsOf(q.Entity)
		match := !req.Strict || len(parts) == len(req.Components)
		for _, c := range req.Components {
			match = match && slices.ContainsFunc(parts, func(p kmsg.DescribeClientQuotasResponseEntryEntity) bool {
				switch {
				case p.Type != c.EntityType:
					return false
				case c.MatchType == 0:
					return p.Name != nil && *p.Name == *c.Match
				case c.MatchType == 1:
					return p.Name == nil
				}
				return true
			})
		}
		if !match {
			continue
		}
		e := kmsg.DescribeClientQuotasResponseEntry{Entity: parts}
		for _, v := range q.Values {
			e.Values = append(e.Values, kmsg.DescribeClientQuotasResponseEntryValue{Key: v.Key, Value: v.Value})
		}
		resp.Entries = append(resp.Entries, e)
	}
	return reply(resp)
}

func (s *quotaStore) alter(r kmsg.Request) answer {
	req, resp := r.(*kmsg.AlterClientQuotasRequest), r.ResponseKind().(*kmsg.AlterClientQuotasResponse)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, entry := range req.Entries {
		var e Entity
		var a kmsg.AlterClientQuotasResponseEntry
		for _, p := range entry.Entity {
			a.Entity = append(a.Entity, kmsg.AlterClientQuotasResponseEntryEntity(p))
			part := DefaultPart()
			if p.Name != nil {
				part = NamedPart(*p.Name)
			}
			if p.Type == "user" {
				e.User = part
			} else {
				e.ClientID = part
			}
			if p.Name != nil && *p.Name == "" {
				a.ErrorCode, a.ErrorMessage = 42, kmsg.StringPtr("Empty "+p.Type+" not supported")
			}
		}
		if a.ErrorCode == 0 && !req.ValidateOnly {
			s.apply(e, entry.Ops)
		}
		resp.Entries = append(resp.Entries, a)
	}
	return reply(resp)
}

func (s *quotaStore) apply(e Entity, ops []kmsg.AlterClientQuotasRequestEntryOp) {
	i := slices.IndexFunc(s.entities, func(q QuotaEntity) bool { return q.Entity == e })
	if i < 0 {
		s.entities, i = append(s.entities, QuotaEntity{Entity: e}), len(s.entities)
	}
	q := &s.entities[i]
	for _, op := range ops {
		q.Values = slices.DeleteFunc(q.Values, func(v QuotaValue) bool { return v.Key == op.Key })
		if !op.Remove {
			q.Values = append(q.Values, QuotaValue{op.Key, op.Value})
		}
	}
	if len(q.Values) == 0 {
		s.entities = slices.Delete(s.entities, i, i+1)
	}
}

// answers49 answers the validation and the change apart.
func answers49(validation, change func(kmsg.Request) answer) func(*stub) {
	return func(s *stub) {
		store := s.storesQuotas()
		s.on[49] = func(r kmsg.Request) answer {
			do := change
			if r.(*kmsg.AlterClientQuotasRequest).ValidateOnly {
				do = validation
			}
			if do == nil {
				return store.alter(r)
			}
			return do(r)
		}
	}
}

func quotaCode(code int16, text *string) func(kmsg.Request) answer {
	return func(r kmsg.Request) answer {
		resp := r.ResponseKind().(*kmsg.AlterClientQuotasResponse)
		resp.Entries = []kmsg.AlterClientQuotasResponseEntry{{ErrorCode: code, ErrorMessage: text}}
		return reply(resp)
	}
}
