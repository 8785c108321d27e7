package contract

import (
	"crypto/tls"
	"testing"
	"time"

	"dtok/kafka/contract/apache"
)

// variant is one way to set up a cluster.
type variant string

const (
	standard     variant = "standard"      // secret key, authorizer, newest metadata
	noSecretKey  variant = "no-secret-key" // delegation.token.secret.key not set
	oldMetadata  variant = "old-metadata"  // metadata.version 3.5: too old for tokens
	noAuthorizer variant = "no-authorizer" // everybody may do everything
	endless      variant = "endless"       // lifetimes of Long.MAX milliseconds
	reauth       variant = "reauth"        // connections.max.reauth.ms of five seconds
)

// Cluster is what a case is run against: one broker with the listeners that
// package apache names and its users (each with the password NAME-secret).
type Cluster interface {
	// Kafka is the release that the cluster runs, or that it plays.
	Kafka() apache.Release
	// SpareUser is a user that no case was given before, for releases that do
	// not let clients make users.
	SpareUser() (string, error)
	// Address of a listener, host:port; "" where the cluster does not have it.
	Address(listener string) string
	// CA is what the certificates of the TLS listeners are signed with, PEM.
	CA() []byte
	// Certificate is a client certificate that the broker trusts.
	Certificate(subject apache.Subject) (tls.Certificate, error)
	Settings() Settings
	// Now is the cluster's clock.
	Now() time.Time
	// Pass lets time pass on that clock; a cluster whose clock can be set
	// does it at once.
	Pass(d time.Duration)
}

// Settings are the broker's, as far as answers depend on them.
type Settings struct {
	SecretKey     string
	MaxLifetime   time.Duration // delegation.token.max.lifetime.ms
	ExpiryTime    time.Duration // delegation.token.expiry.time.ms
	SweepInterval time.Duration // delegation.token.expiry.check.interval.ms
}

// source gives clusters of one variant to the cases.
type source interface {
	open(t *testing.T) Cluster
}

// contractCase is one statement about brokers, proven by run. Where releases
// differ, there is one for each side of the difference, and when says which.
type contractCase struct {
	name string
	run  func(*env)
	when condition
}

// contractOf are the cases of a variant that hold for a release.
func contractOf(v variant, release apache.Release) []contractCase {
	var all []contractCase
	add := func(groups ...[]contractCase) {
		for _, g := range groups {
			for _, c := range g {
				if c.when(release) {
					all = append(all, c)
				}
			}
		}
	}
	switch v {
	case standard:
		add(versionCases(), createCases(), ownerCases(), describeCases(), visibilityCases(),
			renewCases(), expireCases(), expiredCases(), signInCases(), sessionCases(), reauthCases(),
			listenerCases(), aclCases(), aclFilterCases(), quotaCases(), quotaFilterCases(), scramUserCases(),
			dtokTokenCases(), dtokOffCases(), dtokCases())
	case noSecretKey:
		add(noSecretKeyCases())
	case oldMetadata:
		add(oldMetadataCases())
	case noAuthorizer:
		add(noAuthorizerCases())
	case endless:
		add(endlessCases())
	case reauth:
		add(demandedCases())
	}
	return all
}

// runContract runs all cases on clusters that connect opens. Variants follow
// each other, so that at most one real node of a variant is up; the cases of
// one run side by side, because most of them wait most of the time.
func runContract(t *testing.T, release apache.Release, connect func(*testing.T, variant) source) {
	for _, v := range []variant{standard, noSecretKey, oldMetadata, noAuthorizer, endless, reauth} {
		cases := contractOf(v, release)
		if len(cases) == 0 {
			continue // the release cannot be set up like that
		}
		t.Run(string(v), func(t *testing.T) {
			s := connect(t, v)
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					c.run(&env{T: t, Cluster: s.open(t)})
				})
			}
		})
	}
}
