package demo

import (
	"cmp"
	"time"

	"dtok/kafka"
)

// Options say which cluster to start.
type Options struct {
	// Scenario is one of the names that Scenarios gives; "" is "standard".
	Scenario string
	// Listen is the HOST:PORT of the main listener, which is the one that
	// Connection names; "127.0.0.1:0" when empty. The other listeners get
	// free ports on the same host.
	Listen string
	// Now is the cluster's clock; time.Now when nil. Certificates are always
	// made for the real time, because clients check them against it.
	Now func() time.Time
	// After makes answers late (Fault.Delay, the scenario "slow", and
	// SignInDelay); time.After when nil.
	After func(time.Duration) <-chan time.Time
	// Cluster overrides settings of the scenario, field by field.
	Cluster Cluster
	// Bare leaves out the story: users and super users only, without any
	// ACL rule, quota or token.
	Bare bool
	// Passwords adds users to those of Users, or gives one of them another
	// password. They sign in by PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512.
	Passwords map[string]string
	// Mechanisms are the SASL mechanisms that are enabled: PLAIN,
	// SCRAM-SHA-256 and SCRAM-SHA-512 when nil.
	Mechanisms []string
	// Offer overrides which versions of a key are offered and taken; Absent
	// takes the key away.
	Offer map[int16]Versions
	// Record keeps what reached the broker for Requests.
	Record bool
	// NewTokenID makes the ID of each token that is created; random IDs, as
	// Kafka's, when nil.
	NewTokenID func() string
}

// Cluster are settings that a real cluster has in its server.properties. A
// zero field leaves the scenario's or Kafka's default.
type Cluster struct {
	// MaxLifetime is delegation.token.max.lifetime.ms; 7 days.
	MaxLifetime time.Duration
	// ExpiryTime is delegation.token.expiry.time.ms; 24 hours.
	ExpiryTime time.Duration
	// SweepInterval is delegation.token.expiry.check.interval.ms; 1 hour.
	// Expired tokens stay listed until the first sweep after their expiry.
	SweepInterval time.Duration
	// MaxReauth is connections.max.reauth.ms; off when 0.
	MaxReauth time.Duration
	// Lag is how long a change takes to reach what the broker shows and
	// knows; 150 ms, and none when negative. Seen on Kafka 4.4: 20 to 260 ms.
	Lag time.Duration
	// SignInDelay is connection.failed.authentication.delay.ms; none when 0.
	SignInDelay time.Duration
	// SuperUsers are principals such as "User:root", besides User:admin.
	SuperUsers []string
	// MetadataVersion is the finalized level of metadata.version; that of
	// the scenario's release when 0.
	MetadataVersion int16
}

// Versions is a range of versions of an API.
type Versions struct{ Min, Max int16 }

// Absent takes an API out of Options.Offer.
var Absent = Versions{Min: 1, Max: 0}

// Kafka's defaults (DelegationTokenManagerConfigs), and a lag in the middle of
// what was seen.
const (
	defaultMaxLifetime   = 7 * 24 * time.Hour
	defaultExpiryTime    = 24 * time.Hour
	defaultSweepInterval = time.Hour
	defaultLag           = 150 * time.Millisecond
)

// setup is what a scenario changes: the options that everybody may set, and
// what only scenarios need.
type setup struct {
	Cluster
	release release
	// main is the listener that Connection names.
	main Listener
	// listeners are the ones that are opened.
	listeners []Listener
	// brokerKey and controllerKey: delegation.token.secret.key is set there.
	brokerKey, controllerKey bool
	authorizer               bool
	// noTokens leaves the tokens out of the story.
	noTokens bool
	// anonymousReads lets User:ANONYMOUS read users, for the listeners where
	// everybody is that.
	anonymousReads bool
	// strangers take the presenter's rules and tokens out of the story.
	strangers bool
	// tokenSession makes Connection sign in with a token.
	tokenSession bool
	// big adds users and tokens by the thousand.
	big bool
	// mechanisms is what SaslHandshake lists.
	mechanisms []string
	faults     []Fault
	newTokenID func() string
}

// standard is the cluster that every scenario starts from.
func standard() setup {
	return setup{
		release:       kafka44(),
		main:          SASLSSL,
		listeners:     []Listener{Plaintext, SASLPlaintext, SASLSSL, SSL, MTLS},
		brokerKey:     true,
		controllerKey: true,
		authorizer:    true,
		// In the order in which a broker listed them.
		mechanisms: []string{kafka.MechanismScramSHA512, kafka.MechanismPlain, kafka.MechanismScramSHA256},
	}
}

// override puts the options' settings over the scenario's, and Kafka's
// defaults under both.
func (s *setup) override(o Options) {
	c := o.Cluster
	s.MaxLifetime = cmp.Or(c.MaxLifetime, s.MaxLifetime, defaultMaxLifetime)
	s.ExpiryTime = cmp.Or(c.ExpiryTime, s.ExpiryTime, defaultExpiryTime)
	s.SweepInterval = cmp.Or(c.SweepInterval, s.SweepInterval, defaultSweepInterval)
	s.MaxReauth = cmp.Or(c.MaxReauth, s.MaxReauth)
	s.Lag = max(cmp.Or(c.Lag, s.Lag, defaultLag), 0)
	s.SignInDelay = cmp.Or(c.SignInDelay, s.SignInDelay)
	s.SuperUsers = append(append([]string{superUser}, s.SuperUsers...), c.SuperUsers...)
	s.MetadataVersion = cmp.Or(c.MetadataVersion, s.MetadataVersion, s.release.metadataVersion)
	if o.Mechanisms != nil {
		s.mechanisms = o.Mechanisms
	}
	s.newTokenID = newTokenID
	if o.NewTokenID != nil {
		s.newTokenID = o.NewTokenID
	}
	for key, v := range o.Offer {
		s.release.offer(key, v)
	}
}

// tokensSupported reports whether the finalized metadata.version knows tokens:
// 3.6-IV2 is level 14. A cluster in ZooKeeper mode has no such level.
func (s *setup) tokensSupported() bool { return s.release.zookeeper || s.MetadataVersion >= 14 }

// scramSupported is the same for SCRAM users: 3.5-IV2 is level 11.
func (s *setup) scramSupported() bool { return s.release.zookeeper || s.MetadataVersion >= 11 }

// Listener names one of the broker's listeners.
type Listener string

// The listeners. SSL is one-way TLS, where everybody is User:ANONYMOUS; MTLS
// asks for a client certificate, whose subject becomes the principal.
const (
	Plaintext     Listener = "PLAINTEXT"
	SASLPlaintext Listener = "SASL_PLAINTEXT"
	SASLSSL       Listener = "SASL_SSL"
	SSL           Listener = "SSL"
	MTLS          Listener = "MTLS"
)

// Protocol is the security protocol of the listener.
func (l Listener) Protocol() kafka.Protocol {
	if l == MTLS {
		return kafka.SSL
	}
	return kafka.Protocol(l)
}
