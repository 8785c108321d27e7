package kafka

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bound is a value under its place in Kafka's old ZooKeeper tree, where
// "<default>" stands for the default.
type bound map[string]float64

// oracle is DefaultQuotaCallback of Kafka's ClientQuotaManager, written from
// its two steps: quotaMetricTags picks whom the client is counted as, and
// quotaLimit looks the limit of those tags up. It shares nothing with
// Effective but the eight places.
func (b bound) oracle(user, client string) (float64, bool) {
	has := func(path string) bool { _, ok := b[path]; return ok }
	userTag, clientTag := user, client
	switch {
	case has("users/" + user + "/clients/" + client):
	case has("users/" + user + "/clients/<default>"):
	case has("users/" + user):
		clientTag = ""
	case has("users/<default>/clients/" + client):
	case has("users/<default>/clients/<default>"):
	case has("users/<default>"):
		clientTag = ""
	default:
		userTag = ""
	}
	var paths []string
	switch {
	case userTag != "" && clientTag != "":
		paths = []string{"users/" + user + "/clients/" + client, "users/" + user + "/clients/<default>",
			"users/<default>/clients/" + client, "users/<default>/clients/<default>"}
	case userTag != "":
		paths = []string{"users/" + user, "users/<default>"}
	case clientTag != "":
		paths = []string{"clients/" + client, "clients/<default>"}
	}
	for _, p := range paths {
		if v, ok := b[p]; ok {
			return v, true
		}
	}
	return 0, false
}

// eight are the entities of all levels for alice and app, by their place.
func eight() ([]Entity, []string) {
	a, app, def := NamedPart("alice"), NamedPart("app"), DefaultPart()
	return []Entity{{User: a, ClientID: app}, {User: a, ClientID: def}, {User: a}, {User: def, ClientID: app},
			{User: def, ClientID: def}, {User: def}, {ClientID: app}, {ClientID: def}},
		[]string{"users/alice/clients/app", "users/alice/clients/<default>", "users/alice", "users/<default>/clients/app",
			"users/<default>/clients/<default>", "users/<default>", "clients/app", "clients/<default>"}
}

// Every combination of the eight levels, for a client-id that quotas name, one
// that none names, and an empty one.
func TestEffectiveQuotasOfAllCombinations(t *testing.T) {
	entities, paths := eight()
	clients := map[string]EntityPart{"app": NamedPart("app"), "other": NamedPart("other"), "": NamedPart("")}
	for set := range 256 {
		list, tree := QuotaList{User: alice}, bound{}
		for i := range 8 {
			if set&(1<<i) == 0 {
				continue
			}
			value := float64(i + 1)
			tree[paths[i]] = value
			list.Entities = append(list.Entities, QuotaEntity{entities[i], []QuotaValue{{QuotaConsumerBytes, value}}})
		}
		// The order of the answer means nothing.
		slices.Reverse(list.Entities)
		// Neighbours that must never count.
		for _, e := range []Entity{{User: NamedPart("bob")}, {User: NamedPart("<default>")}, {User: NamedPart("")}, {User: NamedPart("alice"), ClientID: NamedPart("app2")},
			{ClientID: NamedPart("<default>")}, {User: NamedPart("alice"), Other: "group=x"}, {}} {
			list.Entities = append(list.Entities, QuotaEntity{e, []QuotaValue{{QuotaConsumerBytes, 99}}})
		}
		for id, part := range clients {
			want, limited := tree.oracle("alice", id)
			got := effective(t, list, part, QuotaConsumerBytes)
			if got.Value != want || got.Limited != limited || limited && (got.From != entities[int(want)-1] || got.Level != QuotaLevel(want)) {
				t.Errorf("%08b, client %q: %+v, Kafka has %v %v", set, id, got, want, limited)
			}
			if other := effective(t, list, part, QuotaProducerBytes); other.Limited {
				t.Errorf("%08b: another key has %+v", set, other)
			}
		}
		if a, b := effective(t, list, EntityPart{}, QuotaConsumerBytes), effective(t, list, NamedPart("other"), QuotaConsumerBytes); a != b {
			t.Errorf("%08b: any client %+v, an unnamed one %+v", set, a, b)
		}
	}
}

func effective(t *testing.T, l QuotaList, client EntityPart, key string) EffectiveQuota {
	t.Helper()
	all := l.Effective(client)
	i := slices.IndexFunc(all, func(e EffectiveQuota) bool { return e.Key == key })
	if i < 0 || len(all) != 4 {
		t.Fatalf("%s is not among %+v", key, all)
	}
	return all[i]
}

// Each key has its own precedence, and unknown keys are kept.
func TestEffectiveQuotasOfSeveralKeys(t *testing.T) {
	l := QuotaList{User: alice, Entities: []QuotaEntity{
		{Entity{User: NamedPart("alice")}, []QuotaValue{{QuotaConsumerBytes, 1}, {"tomorrow", 5}}},
		{Entity{User: DefaultPart()}, []QuotaValue{{QuotaConsumerBytes, 2}, {QuotaRequestPercent, 200}}},
		{Entity{ClientID: DefaultPart()}, []QuotaValue{{"aaa", 7}}},
		{Entity{User: NamedPart("alice"), ClientID: NamedPart("b")}, nil},
		{Entity{ClientID: NamedPart("a")}, nil}, {Entity{User: DefaultPart(), ClientID: NamedPart("b")}, nil},
	}}
	var got []string
	for _, e := range l.Effective(DefaultPart()) {
		if !e.Limited {
			got = append(got, e.Key+": unlimited")
			continue
		}
		got = append(got, fmt.Sprintf("%s: %v from %s, level %d %s, shared %v", e.Key, e.Value, e.From, e.Level, e.Level, e.Level.Shared()))
	}
	if diff := cmp.Diff([]string{
		"producer_byte_rate: unlimited",
		"consumer_byte_rate: 1 from user alice, level 3 user, shared true",
		"request_percentage: 200 from default user, level 6 default user, shared true",
		"controller_mutation_rate: unlimited",
		"aaa: 7 from default client-id, level 8 default client-id, shared false",
		"tomorrow: 5 from user alice, level 3 user, shared true",
	}, got); diff != "" {
		t.Error(diff)
	}
	if ids := l.ClientIDs(); !slices.Equal(ids, []string{"a", "b"}) {
		t.Error(ids)
	}
}

func TestEntities(t *testing.T) {
	names := map[Entity]string{
		{}:                             "nothing",
		{User: DefaultPart()}:          "default user",
		{User: NamedPart("")}:          `user ""`,
		{User: NamedPart("<default>")}: `user "<default>"`,
		{User: NamedPart("default")}:   "user default",
		{User: NamedPart("CN=alice,OU=x"), ClientID: NamedPart("app 1")}: `user CN=alice,OU=x, client-id "app 1"`,
		{User: NamedPart("alice,"), ClientID: DefaultPart()}:             `user "alice,", default client-id`,
		{ClientID: NamedPart("app")}:                                     "client-id app",
		{User: NamedPart("alice"), Other: "ip=::1"}:                      "user alice, ip=::1",
	}
	seen := map[string]bool{}
	for e, want := range names {
		if got := e.String(); got != want || seen[got] {
			t.Errorf("%q, want %q", got, want)
		}
		seen[e.String()] = true
	}
	entities, _ := eight()
	for i, e := range entities {
		if e.Level() != QuotaLevel(i+1) || e.Level().String() == "other" {
			t.Errorf("%s is level %d", e, e.Level())
		}
	}
	if (Entity{}).Level() != 0 || (Entity{User: DefaultPart(), Other: "x"}).Level() != 0 || QuotaLevel(0).String() != "other" {
		t.Error("an entity of no level has one")
	}
}
