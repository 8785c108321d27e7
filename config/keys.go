package config

import (
	"slices"
	"strings"
)

// treatment is what dtok does with a key it knows.
type treatment int

const (
	// unknownKey: noted, with the nearest known name.
	unknownKey treatment = iota
	// honoured: read by this package.
	honoured
	// noMatter: exists in Kafka and makes no difference to dtok.
	noMatter
	// otherSpelling: librdkafka's word for an honoured key; note holds that key.
	otherSpelling
	// refused: asks for what dtok does not do; note says what to do. Without a
	// value it asks for nothing.
	refused
	// brokerKey: only a broker's server.properties has it.
	brokerKey
)

// keyRule is the treatment of one key.
type keyRule struct {
	treatment
	note string
}

const (
	noClass  = "names a Java class, which dtok cannot run: remove it"
	noStore  = "is not supported: give certificates as PEM with ssl.truststore.certificates or ssl.truststore.location"
	noOpenSS = "is librdkafka's and has no equal here: remove it"
)

// keyGroup is a rule and the keys that it is for, with blanks between them.
type keyGroup struct {
	keyRule
	names string
}

// knownKeys are all keys. Those of Kafka are what AdminClientConfig,
// ProducerConfig and ConsumerConfig of 4.4 list, with a few that earlier
// versions had; those of librdkafka are from its CONFIGURATION.md. They are
// searched as text: a file has a few keys, and a map of all is made slower than
// they are found.
var knownKeys = []keyGroup{
	{keyRule{honoured, ""}, `
		bootstrap.servers security.protocol client.id request.timeout.ms socket.connection.setup.timeout.ms
		sasl.mechanism sasl.jaas.config sasl.username sasl.password
		sasl.kerberos.service.name sasl.kerberos.principal sasl.kerberos.keytab
		sasl.oauthbearer.token.endpoint.url sasl.oauthbearer.scope sasl.oauthbearer.header.urlencode
		sasl.oauthbearer.client.credentials.client.id sasl.oauthbearer.client.credentials.client.secret
		sasl.oauthbearer.jwt.retriever.class sasl.oauthbearer.jwt.validator.class
		sasl.oauthbearer.assertion.file sasl.oauthbearer.assertion.claim.iss
		sasl.oauthbearer.method sasl.oauthbearer.extensions
		sasl.login.connect.timeout.ms sasl.login.read.timeout.ms
		ssl.truststore.type ssl.truststore.location ssl.truststore.password ssl.truststore.certificates
		ssl.keystore.type ssl.keystore.location ssl.keystore.password ssl.keystore.key
		ssl.keystore.certificate.chain ssl.key.password
		ssl.endpoint.identification.algorithm ssl.enabled.protocols ssl.protocol ssl.cipher.suites
		ssl.keymanager.algorithm ssl.trustmanager.algorithm
		ssl.ca.location ssl.certificate.location ssl.key.location enable.ssl.certificate.verification`},

	{keyRule{otherSpelling, "sasl.mechanism"}, `sasl.mechanisms`},
	{keyRule{otherSpelling, "bootstrap.servers"}, `metadata.broker.list`},
	{keyRule{otherSpelling, "ssl.truststore.certificates"}, `ssl.ca.pem`},
	{keyRule{otherSpelling, "ssl.keystore.certificate.chain"}, `ssl.certificate.pem`},
	{keyRule{otherSpelling, "ssl.keystore.key"}, `ssl.key.pem`},
	{keyRule{otherSpelling, "sasl.oauthbearer.client.credentials.client.id"}, `sasl.oauthbearer.client.id`},
	{keyRule{otherSpelling, "sasl.oauthbearer.client.credentials.client.secret"}, `sasl.oauthbearer.client.secret`},

	// The administration client.
	{keyRule{noMatter, ""}, `
		bootstrap.resolve.timeout.ms client.dns.lookup connections.max.idle.ms default.api.timeout.ms
		enable.metrics.push auto.include.jmx.reporter metadata.cluster.check.enable metadata.max.age.ms
		metadata.recovery.rebootstrap.trigger.ms metadata.recovery.strategy metric.reporters
		metrics.num.samples metrics.recording.level metrics.sample.window.ms receive.buffer.bytes
		reconnect.backoff.max.ms reconnect.backoff.ms retries retry.backoff.max.ms retry.backoff.ms
		send.buffer.bytes socket.connection.setup.timeout.max.ms ssl.secure.random.implementation`},
	// Producers and consumers, whose settings often share a file.
	{keyRule{noMatter, ""}, `
		acks allow.auto.create.topics auto.commit.interval.ms auto.offset.reset batch.size buffer.memory
		buffer.memory.allocation.strategy check.crcs client.rack compression.gzip.level
		compression.lz4.level compression.type compression.zstd.level delivery.timeout.ms
		enable.auto.commit enable.idempotence exclude.internal.topics fetch.max.bytes fetch.max.wait.ms
		fetch.min.bytes group.id group.instance.id group.protocol group.remote.assignor
		heartbeat.interval.ms interceptor.classes isolation.level key.deserializer key.serializer
		linger.ms max.block.ms max.in.flight.requests.per.connection max.partition.fetch.bytes
		max.poll.interval.ms max.poll.records max.request.size metadata.max.idle.ms
		partition.assignment.strategy partitioner.adaptive.partitioning.enable
		partitioner.availability.timeout.ms partitioner.class partitioner.ignore.keys
		partitioner.rack.aware session.timeout.ms share.acknowledgement.mode share.acquire.mode
		transaction.timeout.ms transaction.two.phase.commit.enable transactional.id
		value.deserializer value.serializer`},
	// Renewing a login in the background, which dtok does not do: it signs in
	// when a connection is opened.
	{keyRule{noMatter, ""}, `
		sasl.kerberos.kinit.cmd sasl.kerberos.min.time.before.relogin
		sasl.kerberos.ticket.renew.jitter sasl.kerberos.ticket.renew.window.factor
		sasl.login.refresh.buffer.seconds
		sasl.login.refresh.min.period.seconds sasl.login.refresh.window.factor
		sasl.login.refresh.window.jitter sasl.login.retry.backoff.max.ms sasl.login.retry.backoff.ms`},
	// librdkafka's own, and what comes with a schema registry.
	{keyRule{noMatter, ""}, `
		api.version.request broker.address.family broker.version.fallback debug log_level
		log.connection.close message.timeout.ms message.max.bytes socket.keepalive.enable
		socket.timeout.ms statistics.interval.ms topic.metadata.refresh.interval.ms
		schema.registry.url basic.auth.credentials.source basic.auth.user.info`},
	{keyRule{refused, noClass}, `
		sasl.client.callback.handler.class sasl.login.callback.handler.class sasl.login.class
		ssl.engine.factory.class security.providers ssl.provider`},
	{keyRule{refused, "is resolved by Kafka Connect and not by dtok: write the values themselves and remove it"}, `config.providers`},
	{keyRule{refused, "names controllers, which serve no delegation tokens: use bootstrap.servers"}, `bootstrap.controllers`},
	{keyRule{refused, noStore}, `ssl.ca.certificate.stores`},
	{keyRule{refused, noOpenSS}, `
		ssl.curves.list ssl.sigalgs.list ssl.crl.location ssl.engine.location ssl.engine.id ssl.providers`},
	{keyRule{brokerKey, ""}, `
		sasl.mechanism.inter.broker.protocol sasl.mechanism.controller.protocol sasl.enabled.mechanisms
		security.inter.broker.protocol inter.broker.listener.name listeners advertised.listeners
		listener.security.protocol.map process.roles node.id broker.id controller.quorum.voters
		controller.quorum.bootstrap.servers controller.listener.names log.dirs log.dir
		zookeeper.connect authorizer.class.name super.users ssl.client.auth
		ssl.principal.mapping.rules sasl.kerberos.principal.to.local.rules
		delegation.token.secret.key delegation.token.master.key delegation.token.max.lifetime.ms
		delegation.token.expiry.time.ms delegation.token.expiry.check.interval.ms
		offsets.topic.replication.factor`},
}

// has reports whether key is one of the names.
func (g keyGroup) has(key string) bool {
	blank := func(i int) bool { return i < 0 || i == len(g.names) || strings.IndexByte(" \t\n", g.names[i]) >= 0 }
	if key == "" || strings.ContainsAny(key, " \t\n") {
		return false
	}
	for at := 0; ; at++ {
		n := strings.Index(g.names[at:], key)
		if n < 0 {
			return false
		}
		if at += n; blank(at-1) && blank(at+len(key)) {
			return true
		}
	}
}

// keyNames are the names of all keys, in the order of the alphabet.
func keyNames() []string {
	var names []string
	for _, g := range knownKeys {
		names = append(names, strings.Fields(g.names)...)
	}
	slices.Sort(names)
	return names
}

// ruleOf is the treatment of a key, also of those known by their beginning.
func ruleOf(key string) keyRule {
	for _, g := range knownKeys {
		if g.has(key) {
			return g.keyRule
		}
	}
	starts := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) })
	}
	switch {
	case starts("listener.name.", "delegation.token.", "controller.quorum."):
		return keyRule{brokerKey, ""}
	case starts("config.providers."):
		return ruleOf("config.providers")
	case starts("sasl.oauthbearer.", "schema.registry.", "confluent."):
		return keyRule{noMatter, ""}
	}
	return keyRule{}
}
