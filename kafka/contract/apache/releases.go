package apache

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Release is one Apache Kafka that can be started, and what sets it apart from
// the others. All of them run on Java 17.
type Release struct {
	// Name is the version, with "-zk" added where the cluster keeps its
	// metadata in ZooKeeper and not in KRaft.
	Name string
	// APIs are the requests that dtok uses, by their keys, as a broker offers
	// them.
	APIs map[int16]Range

	scala    string   // of the artifact kafka_SCALA
	profiles string   // of pom.xml
	flags    []string // of the JVM, with the marks of server.properties
	// set replaces lines of server.properties, before Options.Set does.
	set map[string]string
	// rename gives keys of server.properties another name, after all else.
	rename map[string]string
	// users is how the SCRAM users are made.
	users userSource
	// bearer is the package of the class that checks signed OAuth tokens; ""
	// where there is none.
	bearer string
}

// Range is from the lowest to the highest version of a request.
type Range struct{ Min, Max int16 }

// userSource is a way to make SCRAM users.
type userSource int

const (
	formatted     userSource = iota // into the storage, from 3.5 on
	throughBroker                   // with AlterUserScramCredentials, from 2.7 on
	intoZooKeeper                   // with ConfigCommand, before the broker starts
)

// apis are the requests of a release: the highest versions of ApiVersions and
// SaslAuthenticate, the ranges of the three ACL requests, of CreateDelegationToken
// and DescribeDelegationToken, of the renewal and the expiry, and the highest
// versions of the requests for quotas and SCRAM users. A highest version of -1
// is a request that does not exist.
func apis(versions, authenticate int16, acls, create, change Range, quotas, scram int16) map[int16]Range {
	all := map[int16]Range{
		17: {0, 1}, 18: {0, versions}, 36: {0, authenticate},
		29: acls, 30: acls, 31: acls,
		38: create, 39: change, 40: change, 41: create,
		48: {0, quotas}, 49: {0, quotas}, 50: {0, scram}, 51: {0, scram},
	}
	for key, offered := range all {
		if offered.Max < 0 {
			delete(all, key)
		}
	}
	return all
}

// Releases are all that the suite knows, the newest first.
func Releases() []Release {
	const (
		log4j2   = "-Dlog4j2.configurationFile=@HOME@/log4j2.properties"
		reload4j = "-Dlog4j.configuration=file:@HOME@/log4j.properties"
		kafka4   = "tools,log4j2"
		kafka3   = "tools,reload4j"
		kafka2   = "reload4j" // the tools come with the broker

		bearer  = "org.apache.kafka.common.security.oauthbearer."
		bearer3 = bearer + "secured."
	)
	none := Range{0, -1}
	// Before 2.7 there are no key stores in PEM, and later for a while none
	// without a password.
	noPEM := map[string]string{
		"ssl.keystore.type":       "JKS",
		"ssl.keystore.location":   "@DIR@/server.jks",
		"ssl.keystore.password":   storePassword,
		"ssl.key.password":        storePassword,
		"ssl.truststore.type":     "JKS",
		"ssl.truststore.location": "@DIR@/ca.jks",
		"ssl.truststore.password": storePassword,
	}
	// Kafka 1 has another authorizer and another name for the secret key.
	kafka1 := maps.Clone(noPEM)
	kafka1["authorizer.class.name"] = "kafka.security.auth.SimpleAclAuthorizer"
	masterKey := map[string]string{"delegation.token.secret.key": "delegation.token.master.key"}
	return []Release{
		{Name: "4.4.0", scala: "2.13", profiles: kafka4, flags: []string{log4j2}, bearer: bearer,
			APIs: apis(5, 2, Range{1, 3}, Range{1, 3}, Range{1, 2}, 1, 0)},
		{Name: "4.0.2", scala: "2.13", profiles: kafka4, flags: []string{log4j2}, bearer: bearer,
			APIs: apis(4, 2, Range{1, 3}, Range{1, 3}, Range{1, 2}, 1, 0)},
		{Name: "3.9.1", scala: "2.13", profiles: kafka3, flags: []string{reload4j}, bearer: bearer3,
			APIs: apis(4, 2, Range{0, 3}, Range{0, 3}, Range{0, 2}, 1, 0)},
		{Name: "3.9.1-zk", scala: "2.13", profiles: kafka3, flags: []string{reload4j}, bearer: bearer3, users: throughBroker,
			APIs: apis(4, 2, Range{0, 3}, Range{0, 3}, Range{0, 2}, 1, 0)},
		// The first with tokens on KRaft.
		{Name: "3.6.2", scala: "2.13", profiles: kafka3, flags: []string{reload4j}, bearer: bearer3,
			APIs: apis(3, 2, Range{0, 3}, Range{0, 3}, Range{0, 2}, 1, 0)},
		// KRaft without tokens: with the secret key set it does not start.
		{Name: "3.5.2", scala: "2.13", profiles: kafka3, flags: []string{reload4j}, bearer: bearer3,
			set:  map[string]string{"delegation.token.secret.key": ""},
			APIs: apis(3, 2, Range{0, 3}, none, none, 1, 0)},
		{Name: "2.8.2-zk", scala: "2.13", profiles: kafka2, flags: []string{reload4j}, users: throughBroker,
			set: noPEM, APIs: apis(3, 2, Range{0, 2}, Range{0, 2}, Range{0, 2}, 1, 0)},
		// The first with tokens, in messages of version 0.
		{Name: "1.1.1-zk", scala: "2.12", profiles: kafka2, flags: []string{reload4j}, users: intoZooKeeper,
			set: kafka1, rename: masterKey,
			APIs: apis(1, 0, Range{0, 0}, Range{0, 0}, Range{0, 0}, -1, -1)},
		// Without tokens; its users are in a JAAS file.
		{Name: "1.0.2-zk", scala: "2.12", profiles: kafka2, users: intoZooKeeper,
			flags: []string{reload4j, "-Djava.security.auth.login.config=@DIR@/jaas.conf", "-Dzookeeper.sasl.client=false"},
			set:   kafka1,
			APIs:  apis(1, 0, Range{0, 0}, none, none, -1, -1)},
	}
}

// FindRelease is the release with this name; "" is the newest.
func FindRelease(name string) (Release, error) {
	all := Releases()
	if name == "" {
		return all[0], nil
	}
	names := make([]string, len(all))
	for i, r := range all {
		if r.Name == name {
			return r, nil
		}
		names[i] = r.Name
	}
	return Release{}, fmt.Errorf("unknown release %q of Apache Kafka: one of %s is expected", name, strings.Join(names, ", "))
}

// Version is the release's number, without the mode.
func (r Release) Version() string { return strings.TrimSuffix(r.Name, "-zk") }

// ZooKeeper reports whether the cluster keeps its metadata in ZooKeeper.
func (r Release) ZooKeeper() bool { return strings.HasSuffix(r.Name, "-zk") }

// Since reports whether the release is of this version or a later one, such as
// "3.6" or "3.7.2".
func (r Release) Since(version string) bool {
	return slices.Compare(numbers(r.Version()), numbers(version)) >= 0
}

func numbers(version string) []int {
	var all []int
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			panic("not a version: " + version)
		}
		all = append(all, n)
	}
	return all
}

// Offers reports whether a broker has the request at all.
func (r Release) Offers(key int16) bool {
	_, ok := r.APIs[key]
	return ok
}

// Newest is the highest version of a request that a broker has, at most limit;
// -1 for a request that it does not have.
func (r Release) Newest(key, limit int16) int16 {
	if offered, ok := r.APIs[key]; ok {
		return min(limit, offered.Max)
	}
	return -1
}

// ToolClass is the class of one of Kafka's command line tools. They moved to
// another package one by one.
func (r Release) ToolClass(tool string) string {
	moved := map[string]string{"DelegationTokenCommand": "3.5", "AclCommand": "4.0", "ConfigCommand": "4.4"}
	if since, ok := moved[tool]; ok && !r.Since(since) {
		return "kafka.admin." + tool
	}
	return "org.apache.kafka.tools." + tool
}
