package contract

import (
	"crypto/tls"
	"errors"
	"testing"
	"time"

	"dtok/kafka/contract/apache"
	"dtok/kafka/demo"
)

// TestContractOnDemo holds the embedded broker to the contract.
//
// What it does not have, and why:
//   - the listener MTLS_MAPPED: a mapping rule is the broker's own affair, and
//     its outcome is a principal like any other.
//   - the variant endless: its settings are durations, which end at 292 years.
func TestContractOnDemo(t *testing.T) { runContract(t, apache.Releases()[0], connectDemo) }

// demoSource gives every case a broker and a clock of its own, so that a case
// lets hours pass at once without anybody else noticing.
type demoSource struct{ options demo.Options }

func connectDemo(t *testing.T, v variant) source { return demoOptions(t, v) }

func demoOptions(t *testing.T, v variant) demoSource {
	s := demoSource{demo.Options{Bare: true, Cluster: demo.Cluster{SweepInterval: 5 * time.Second}}}
	switch v {
	case noSecretKey:
		s.options.Scenario = "no-secret-key"
	case oldMetadata:
		s.options.Scenario, s.options.Cluster.MetadataVersion = "old-metadata", 11
	case noAuthorizer:
		s.options.Scenario = "no-authorizer"
	case endless:
		t.Skip("the embedded broker's lifetimes end at 292 years")
	case reauth:
		s.options.Cluster.MaxReauth = maxReauth
	}
	return s
}

func (s demoSource) open(t *testing.T) Cluster {
	clock := demo.NewClock(time.Now().Truncate(time.Millisecond))
	s.options.Now = clock.Now
	c := s.start(t)
	c.now, c.pass = clock.Now, clock.Advance
	return c
}

// start starts a broker whose clock is the real one unless the options have
// another.
func (s demoSource) start(t *testing.T) demoCluster {
	broker, err := demo.Start(s.options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	c := demoCluster{broker: broker, now: time.Now, pass: time.Sleep, settings: Settings{
		MaxLifetime: 7 * 24 * time.Hour, ExpiryTime: 24 * time.Hour, SweepInterval: s.options.Cluster.SweepInterval,
	}}
	if s.options.Scenario != "no-secret-key" {
		c.settings.SecretKey = "dtok-demo-secret-key"
	}
	return c
}

type demoCluster struct {
	broker   *demo.Broker
	now      func() time.Time
	pass     func(time.Duration)
	settings Settings
}

// Kafka is the newest release: the embedded broker plays that one.
func (c demoCluster) Kafka() apache.Release { return apache.Releases()[0] }

// SpareUser is none: cases make their users.
func (c demoCluster) SpareUser() (string, error) {
	return "", errors.New("the embedded broker has no spare users")
}

func (c demoCluster) Address(listener string) string {
	return c.broker.Address(demo.Listener(listener))
}

func (c demoCluster) CA() []byte { return c.broker.CACert() }

func (c demoCluster) Certificate(s apache.Subject) (tls.Certificate, error) {
	cert, key, err := c.broker.ClientCertificate(s.DN())
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(cert, key)
}

func (c demoCluster) Settings() Settings { return c.settings }

func (c demoCluster) Now() time.Time { return c.now() }

func (c demoCluster) Pass(d time.Duration) { c.pass(d) }
