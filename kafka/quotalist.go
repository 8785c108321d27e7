package kafka

import (
	"context"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// The entity types, and how a component of a filter is compared.
const (
	userEntity   = "user"
	clientEntity = "client-id"

	matchExact   = 0
	matchDefault = 1
	// matchPresent finds every entity with the part, named or default.
	matchPresent = 2
)

// Quotas reads every entity that touches the user, in one round trip: the
// user's own, alone and with client-ids, the default user's, and those of
// client-ids alone, which the precedence needs. The error is a *RefusedError
// where DescribeConfigs on the cluster is missing, and an *UnsupportedError
// before Kafka 2.6.
func (c *Client) Quotas(ctx context.Context, user Principal) (_ QuotaList, err error) {
	defer c.log().operation(OpListQuotas)(&err)
	if err := checkLengths(user.Name); err != nil {
		return QuotaList{}, err
	}
	giveBack, err := c.take(ctx)
	if err != nil {
		return QuotaList{}, err
	}
	defer giveBack()
	answers := make([]kmsg.DescribeClientQuotasResponse, 3)
	var calls []*call
	err = c.read(ctx, func(o offers) []*call {
		calls = nil
		for i, req := range []*kmsg.DescribeClientQuotasRequest{
			describeQuotas(false, component(userEntity, NamedPart(user.Name))),
			describeQuotas(false, component(userEntity, DefaultPart())),
			describeQuotas(true, kmsg.DescribeClientQuotasRequestComponent{EntityType: clientEntity, MatchType: matchPresent}),
		} {
			answers[i] = kmsg.DescribeClientQuotasResponse{}
			calls = append(calls, &call{req: encoded{req}, read: reading(&answers[i], func(*kmsg.DescribeClientQuotasResponse) {})})
		}
		return c.withClusterID(o, calls)
	})
	if err != nil && !slices.ContainsFunc(calls, func(c *call) bool { return c.err == nil }) {
		return QuotaList{}, err
	}
	l := QuotaList{User: user}
	for i, asked := range calls {
		entities, err := describedQuotas(asked, &answers[i])
		if err != nil {
			return QuotaList{}, err
		}
		l.Entities = append(l.Entities, entities...)
	}
	slices.SortFunc(l.Entities, compareEntities)
	l.Read = c.clock.now()
	return l, nil
}

// describeQuotas asks for the entities that have the components; strict leaves
// out those that have further ones.
func describeQuotas(strict bool, components ...kmsg.DescribeClientQuotasRequestComponent) *kmsg.DescribeClientQuotasRequest {
	req := kmsg.NewPtrDescribeClientQuotasRequest()
	req.Components, req.Strict = components, strict
	return req
}

func component(kind string, p EntityPart) kmsg.DescribeClientQuotasRequestComponent {
	if name, ok := p.Name(); ok {
		return kmsg.DescribeClientQuotasRequestComponent{EntityType: kind, MatchType: matchExact, Match: &name}
	}
	return kmsg.DescribeClientQuotasRequestComponent{EntityType: kind, MatchType: matchDefault}
}

func describedQuotas(asked *call, answer *kmsg.DescribeClientQuotasResponse) ([]QuotaEntity, error) {
	if asked.err != nil {
		return nil, asked.err
	}
	if code := Code(answer.ErrorCode); code != CodeNone {
		return nil, &RefusedError{Op: OpListQuotas, Code: code}
	}
	entities := make([]QuotaEntity, len(answer.Entries))
	for i := range answer.Entries {
		entry := &answer.Entries[i]
		q := QuotaEntity{Entity: entityOf(entry.Entity), Values: make([]QuotaValue, len(entry.Values))}
		for j, v := range entry.Values {
			q.Values[j] = QuotaValue{Key: v.Key, Value: v.Value}
		}
		slices.SortFunc(q.Values, func(a, b QuotaValue) int { return compareKeys(a.Key, b.Key) })
		entities[i] = q
	}
	return entities, nil
}

// entityOf reads the parts of an entity, in whatever order they come.
func entityOf(parts []kmsg.DescribeClientQuotasResponseEntryEntity) Entity {
	var e Entity
	var other []string
	for _, p := range parts {
		part := DefaultPart()
		if p.Name != nil {
			part = NamedPart(*p.Name)
		}
		switch p.Type {
		case userEntity:
			e.User = part
		case clientEntity:
			e.ClientID = part
		default:
			if p.Name == nil {
				other = append(other, p.Type+"=default")
			} else {
				other = append(other, p.Type+"="+legible(*p.Name))
			}
		}
	}
	slices.Sort(other)
	for i, o := range other {
		if i > 0 {
			e.Other += ", "
		}
		e.Other += o
	}
	return e
}

// alterQuota is the request for one value of one entity.
func alterQuota(change QuotaChange, remove, validateOnly bool) *call {
	req := kmsg.NewPtrAlterClientQuotasRequest()
	req.ValidateOnly = validateOnly
	var entry kmsg.AlterClientQuotasRequestEntry
	part := func(kind string, p EntityPart) {
		if p.IsAbsent() {
			return
		}
		var name *string
		if n, ok := p.Name(); ok {
			name = &n
		}
		entry.Entity = append(entry.Entity, kmsg.AlterClientQuotasRequestEntryEntity{Type: kind, Name: name})
	}
	part(userEntity, change.Entity.User)
	part(clientEntity, change.Entity.ClientID)
	op := kmsg.AlterClientQuotasRequestEntryOp{Key: change.Key, Remove: remove}
	if !remove {
		op.Value = change.Value
	}
	entry.Ops = append(entry.Ops, op)
	req.Entries = append(req.Entries, entry)
	return &call{req: encoded{req}}
}
