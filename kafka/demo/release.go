package demo

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// release is a Kafka release as far as its behaviour differs here.
type release struct {
	apis map[int16]Versions
	// metadataVersion is the level that a new cluster of the release has, 0 in
	// ZooKeeper mode.
	metadataVersion int16
	// metadataMin and metadataMax are the levels the release supports.
	metadataMin, metadataMax int16
	// features, besides metadata.version, with their highest level.
	features []feature
	// zookeeper: the broker itself changes tokens, under its own rules.
	zookeeper bool
	// tokenSessionsEnd: a session that signed in with a token ends with the
	// expiry known at sign-in. Seen from 3.3 on; 2.8 lets it live for ever.
	tokenSessionsEnd bool
	// userRules: ACL rules on the resource type USER, from 3.3 (KIP-373).
	userRules bool
	// prefixedRules: ACL rules with a prefix, from 2.0 (KIP-290).
	prefixedRules bool
	// cidrHosts: an ACL rule's host may be a range of addresses, from 4.4.
	cidrHosts bool
	// textsOf1x: the wordings and null messages of Kafka 1.x.
	textsOf1x bool
}

type feature struct {
	name string
	max  int16
	// finalized is false for kraft.version, which is only supported.
	finalized bool
}

// offer sets what ApiVersions says of a key.
func (r *release) offer(key int16, v Versions) {
	r.apis = maps.Clone(r.apis)
	if v == Absent {
		delete(r.apis, key)
		return
	}
	r.apis[key] = v
}

// serves reports whether a request with that key and version is taken. Kafka
// closes the connection on any other.
func (r *release) serves(key, version int16) bool {
	v, ok := r.apis[key]
	return ok && v.Min <= version && version <= v.Max
}

// keys are the offered keys in ascending order.
func (r *release) keys() []int16 { return slices.Sorted(maps.Keys(r.apis)) }

// kafka44 is Apache Kafka 4.4.0 in KRaft mode, as a broker of it answered.
func kafka44() release {
	return release{
		apis: offers("0:0-13 1:4-18 2:1-11 3:0-13 8:2-10 9:1-10 10:0-6 11:0-9 12:0-4 13:0-5 14:0-5 15:0-6 16:0-5 " +
			"17:0-1 18:0-5 19:2-7 20:1-6 21:0-2 22:0-5 23:2-4 24:0-5 25:0-4 26:0-5 27:1-2 28:0-6 29:1-3 30:1-3 31:1-3 " +
			"32:1-4 33:0-2 34:1-2 35:1-5 36:0-2 37:0-3 38:1-3 39:1-2 40:1-2 41:1-3 42:0-3 43:0-2 44:0-1 45:0-1 46:0-0 " +
			"47:0-0 48:0-1 49:0-1 50:0-0 51:0-0 55:0-2 57:0-2 60:0-2 61:0-0 64:0-0 65:0-0 66:0-2 68:0-1 69:0-1 74:0-1 " +
			"75:0-0 76:1-1 77:1-1 78:1-2 79:1-2 80:0-1 81:0-0 83:0-0 84:0-0 85:0-1 86:0-0 87:0-1 88:0-1 89:0-1 90:0-1 " +
			"91:0-0 92:0-0 93:0-0 94:0-0"),
		metadataVersion: 33,
		metadataMin:     7,
		metadataMax:     33,
		features: []feature{
			{"group.version", 1, true}, {"kraft.version", 1, false}, {"share.version", 2, true},
			{"streams.version", 1, true}, {"transaction.version", 2, true}, {"eligible.leader.replicas.version", 1, true},
		},
		tokenSessionsEnd: true,
		userRules:        true,
		prefixedRules:    true,
		cidrHosts:        true,
	}
}

// kafka35 is Kafka 3.5 in KRaft mode, the last that offers no token requests.
func kafka35() release {
	return release{
		apis: offers("0:9 1:15 2:8 3:12 8:8 9:8 10:4 11:9 12:4 13:5 14:5 15:5 16:4 17:1 18:3 19:7 20:6 21:2 22:4 23:4 24:3 " +
			"25:3 26:3 27:1 28:3 29:3 30:3 31:3 32:4 33:2 34:2 35:4 36:2 37:3 42:2 43:2 44:1 45:0 46:0 47:0 48:1 49:1 " +
			"50:0 51:0 55:1 57:1 60:0 61:0 64:0 65:0 66:0"),
		metadataVersion:  11,
		metadataMin:      1,
		metadataMax:      11,
		tokenSessionsEnd: true,
		userRules:        true,
		prefixedRules:    true,
	}
}

// kafka28 is Kafka 2.8 in ZooKeeper mode: tokens without an owner of choice.
func kafka28() release {
	return release{
		apis: offers("0:9 1:12 2:6 3:11 4:5 5:3 6:7 7:3 8:8 9:7 10:3 11:7 12:4 13:4 14:5 15:5 16:4 17:1 18:3 19:7 20:6 21:2 " +
			"22:4 23:4 24:3 25:3 26:3 27:1 28:3 29:2 30:2 31:2 32:4 33:2 34:2 35:2 36:2 37:3 38:2 39:2 40:2 41:2 42:2 " +
			"43:2 44:1 45:0 46:0 47:0 48:1 49:1 50:0 51:0 56:0 57:0 60:0 61:0"),
		zookeeper:     true,
		prefixedRules: true,
	}
}

// kafka10 is Kafka 1.0 in ZooKeeper mode: no tokens, quotas or SCRAM requests.
func kafka10() release {
	return release{
		apis: offers("0:5 1:6 2:2 3:5 4:1 5:0 6:4 7:1 8:3 9:3 10:1 11:2 12:1 13:1 14:1 15:1 16:1 17:1 18:1 19:2 20:1 21:0 " +
			"22:0 23:0 24:0 25:0 26:0 27:0 28:0 29:0 30:0 31:0 32:0 33:0 34:0 35:0 36:0 37:0"),
		zookeeper: true,
		textsOf1x: true,
	}
}

// offers reads "key:min-max" or "key:max" pairs.
func offers(list string) map[int16]Versions {
	apis := map[int16]Versions{}
	for _, field := range strings.Fields(list) {
		var key int16
		var v Versions
		if _, err := fmt.Sscanf(field, "%d:%d-%d", &key, &v.Min, &v.Max); err != nil {
			v.Min = 0
			_, _ = fmt.Sscanf(field, "%d:%d", &key, &v.Max)
		}
		apis[key] = v
	}
	return apis
}
