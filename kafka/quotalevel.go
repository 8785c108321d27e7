package kafka

import "slices"

// QuotaLevel is a place in Kafka's precedence, 1 the most specific. 0 is none
// of them: an entity with parts that dtok does not know.
type QuotaLevel int

// The eight levels. For each key the first one that has a value wins.
const (
	LevelUserClient QuotaLevel = iota + 1
	LevelUserDefaultClient
	LevelUser
	LevelDefaultUserClient
	LevelDefaultUserDefaultClient
	LevelDefaultUser
	LevelClient
	LevelDefaultClient
)

// String names the level for people.
func (l QuotaLevel) String() string {
	switch l {
	case LevelUserClient:
		return "user and client-id"
	case LevelUserDefaultClient:
		return "user and default client-id"
	case LevelUser:
		return "user"
	case LevelDefaultUserClient:
		return "default user and client-id"
	case LevelDefaultUserDefaultClient:
		return "default user and default client-id"
	case LevelDefaultUser:
		return "default user"
	case LevelClient:
		return "client-id"
	case LevelDefaultClient:
		return "default client-id"
	}
	return "other"
}

// Shared reports whether all clients that the value applies to use it up
// together. The value of a level with a client-id counts for each user and
// client-id apart, or, without a user, for the client-id.
func (l QuotaLevel) Shared() bool { return l == LevelUser || l == LevelDefaultUser }

// Level is the entity's place in the precedence.
func (e Entity) Level() QuotaLevel {
	if e.Other != "" {
		return 0
	}
	levels := [3][3]QuotaLevel{
		partAbsent:  {0, LevelDefaultClient, LevelClient},
		partDefault: {LevelDefaultUser, LevelDefaultUserDefaultClient, LevelDefaultUserClient},
		partNamed:   {LevelUser, LevelUserDefaultClient, LevelUserClient},
	}
	return levels[e.User.kind][e.ClientID.kind]
}

// EffectiveQuota is the value of one key that applies to a client.
type EffectiveQuota struct {
	Key string
	// Limited is false where no level has a value: the client is not limited,
	// and the fields below are zero.
	Limited bool
	Value   float64
	From    Entity
	Level   QuotaLevel
}

// Effective is what applies to the list's user with a client-id: each key that
// Kafka knows, and any further one that is set, by Kafka's precedence
// (ClientQuotaManager.DefaultQuotaCallback, the same up to 4.4). An absent or default client is
// any client-id that no quota names.
//
// A client whose client-id is empty is a case of its own: Kafka looks its
// quotas up on the user and the default user only, so that the defaults for
// client-ids do not reach it.
func (l QuotaList) Effective(client EntityPart) []EffectiveQuota {
	best := map[string]EffectiveQuota{}
	for _, key := range QuotaKeys() {
		best[key] = EffectiveQuota{Key: key}
	}
	for _, q := range l.Entities {
		if !q.Entity.appliesTo(l.User.Name, client) {
			continue
		}
		level := q.Entity.Level()
		for _, v := range q.Values {
			if had := best[v.Key]; !had.Limited || level < had.Level {
				best[v.Key] = EffectiveQuota{Key: v.Key, Limited: true, Value: v.Value, From: q.Entity, Level: level}
			}
		}
	}
	all := make([]EffectiveQuota, 0, len(best))
	for _, e := range best {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b EffectiveQuota) int { return compareKeys(a.Key, b.Key) })
	return all
}

func (e Entity) appliesTo(user string, client EntityPart) bool {
	if e.Level() == 0 || e.User.kind == partNamed && e.User.name != user {
		return false
	}
	if name, named := client.Name(); named {
		if name == "" {
			return e.ClientID.IsAbsent()
		}
		return e.ClientID.kind != partNamed || e.ClientID.name == name
	}
	return e.ClientID.kind != partNamed
}

// ClientIDs are the client-ids that the list's entities name, sorted: those
// for which Effective may differ from any other client's.
func (l QuotaList) ClientIDs() []string {
	var names []string
	for _, q := range l.Entities {
		if name, ok := q.Entity.ClientID.Name(); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
