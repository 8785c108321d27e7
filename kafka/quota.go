package kafka

import (
	"cmp"
	"strings"
	"time"
)

// The quota keys of users and client-ids that Kafka knows (QuotaConfig.java).
const (
	// QuotaProducerBytes and QuotaConsumerBytes are whole bytes a second for
	// each broker.
	QuotaProducerBytes = "producer_byte_rate"
	QuotaConsumerBytes = "consumer_byte_rate"
	// QuotaRequestPercent is a share of one network or I/O thread of each
	// broker: 100 is one thread, and more than 100 is allowed.
	QuotaRequestPercent = "request_percentage"
	// QuotaMutations is topics and partitions created and deleted a second.
	QuotaMutations = "controller_mutation_rate"
)

// QuotaKeys are the keys that Kafka knows, in the order they are shown.
func QuotaKeys() []string {
	return []string{QuotaProducerBytes, QuotaConsumerBytes, QuotaRequestPercent, QuotaMutations}
}

// EntityPart is one part of a quota entity. The zero EntityPart is absent,
// which is not the same as the default, the empty name or the name "<default>".
type EntityPart struct {
	kind partKind
	name string
}

type partKind uint8

const (
	partAbsent partKind = iota
	partDefault
	partNamed
)

// NamedPart is the part for one name, verbatim and without a type ("alice",
// not "User:alice").
func NamedPart(name string) EntityPart { return EntityPart{partNamed, name} }

// DefaultPart is the part for everyone without an entity of their own.
func DefaultPart() EntityPart { return EntityPart{kind: partDefault} }

// IsAbsent reports whether the entity has no such part.
func (p EntityPart) IsAbsent() bool { return p.kind == partAbsent }

// IsDefault reports whether the part is the default.
func (p EntityPart) IsDefault() bool { return p.kind == partDefault }

// Name is the part's name, and whether it has one.
func (p EntityPart) Name() (string, bool) { return p.name, p.kind == partNamed }

// Entity is what a quota is set on: a user, a client-id, or both together
// (KIP-546). It is comparable.
type Entity struct {
	User, ClientID EntityPart
	// Other holds parts that dtok does not know, as "type=name" or
	// "type=default" and sorted. Such an entity is shown and never changed.
	Other string
}

// String is the entity for people. Names that could be misread are in quotes,
// "<default>" among them.
func (e Entity) String() string {
	var parts []string
	part := func(kind string, p EntityPart) {
		switch p.kind {
		case partDefault:
			parts = append(parts, "default "+kind)
		case partNamed:
			parts = append(parts, kind+" "+legiblePart(p.name))
		}
	}
	part("user", e.User)
	part("client-id", e.ClientID)
	if e.Other != "" {
		parts = append(parts, e.Other)
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// legiblePart also keeps apart names with a comma at the end of a word.
func legiblePart(name string) string {
	if strings.HasSuffix(name, ",") {
		return `"` + name + `"`
	}
	return legible(name)
}

// QuotaValue is one quota of an entity.
type QuotaValue struct {
	Key string
	// Value is in the key's unit, as a float64 on the wire.
	Value float64
}

// QuotaEntity is an entity with its quotas, sorted by key as they are shown.
type QuotaEntity struct {
	Entity Entity
	Values []QuotaValue
}

// QuotaList is the answer to one reading of every entity that touches a user.
type QuotaList struct {
	// User is whose list it is. Quotas know a principal by its bare name, and
	// a session of a token counts for the token's owner.
	User Principal
	// Entities are sorted by level, most specific first. Those with a
	// client-id alone are among them: they apply where no user's do.
	Entities []QuotaEntity
	// Read is when the answer arrived.
	Read time.Time
}

// Value is what is set on the entity itself.
func (l QuotaList) Value(e Entity, key string) (float64, bool) {
	for _, q := range l.Entities {
		if q.Entity == e {
			for _, v := range q.Values {
				if v.Key == key {
					return v.Value, true
				}
			}
		}
	}
	return 0, false
}

func compareEntities(a, b QuotaEntity) int {
	return cmp.Or(
		cmp.Compare(a.Entity.Level(), b.Entity.Level()),
		strings.Compare(a.Entity.User.name, b.Entity.User.name),
		strings.Compare(a.Entity.ClientID.name, b.Entity.ClientID.name),
		strings.Compare(a.Entity.Other, b.Entity.Other),
	)
}

// compareKeys puts the keys that Kafka knows first.
func compareKeys(a, b string) int {
	return cmp.Or(cmp.Compare(keyRank(a), keyRank(b)), strings.Compare(a, b))
}

func keyRank(key string) int {
	switch key {
	case QuotaProducerBytes:
		return 0
	case QuotaConsumerBytes:
		return 1
	case QuotaRequestPercent:
		return 2
	case QuotaMutations:
		return 3
	}
	return 4
}
