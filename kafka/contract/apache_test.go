package contract

import (
	"crypto/tls"
	"os"
	"strconv"
	"testing"
	"time"

	"dtok/kafka/contract/apache"
)

// kafkaWanted is the environment variable that make test-kafka sets to the name
// of a release, such as 3.9.1-zk.
const kafkaWanted = "DTOK_KAFKA"

// TestContractOnKafka holds real Apache Kafka to the contract.
func TestContractOnKafka(t *testing.T) {
	runContract(t, needKafka(t), connectApache)
}

// needKafka is the release that is wanted. Without one the test is skipped.
func needKafka(t *testing.T) apache.Release {
	t.Helper()
	name := os.Getenv(kafkaWanted)
	if name == "" {
		t.Skip("make test-kafka runs this against a real Apache Kafka")
	}
	release, err := apache.FindRelease(name)
	if err != nil {
		t.Fatal(err)
	}
	return release
}

// needTokens skips a test that makes tokens on releases that have none, and on
// those before 3.6, which are older than all that the test is about.
func needTokens(t *testing.T) apache.Release {
	t.Helper()
	release := needKafka(t)
	if !release.Offers(createToken) || !release.Since("3.6") {
		t.Skip("run from 3.6 on: older releases sign in in the same ways, as the contract's own cases show")
	}
	return release
}

// needNewest skips a test that is about the newest release alone.
func needNewest(t *testing.T, why string) {
	t.Helper()
	if newest := apache.Releases()[0].Name; needKafka(t).Name != newest {
		t.Skipf("run on %s alone: %s", newest, why)
	}
}

// realCluster is a node of real Kafka, shared by all cases of a variant.
type realCluster struct {
	*apache.Node
	settings Settings
}

func connectApache(t *testing.T, v variant) source {
	c := realCluster{settings: usual()}
	o := apache.Options{Release: os.Getenv(kafkaWanted)}
	switch v {
	case noSecretKey:
		o.Set = map[string]string{"delegation.token.secret.key": ""}
		c.settings.SecretKey = ""
	case oldMetadata:
		o.Metadata = "3.5"
	case noAuthorizer:
		o.Set = map[string]string{"authorizer.class.name": "", "super.users": ""}
	case endless:
		const long = "9223372036854775807"
		o.Set = map[string]string{"delegation.token.max.lifetime.ms": long, "delegation.token.expiry.time.ms": long}
		c.settings.MaxLifetime, c.settings.ExpiryTime = forever, forever
	case reauth:
		o.Set = map[string]string{"connections.max.reauth.ms": strconv.FormatInt(maxReauth.Milliseconds(), 10)}
	}
	c.Node = startNode(t, o)
	return c
}

// usual are the settings of a node that is not told otherwise.
func usual() Settings {
	return Settings{
		SecretKey:     "test-secret-key",
		MaxLifetime:   7 * 24 * time.Hour,
		ExpiryTime:    24 * time.Hour,
		SweepInterval: 5 * time.Second,
	}
}

// on is a test at work on a node of its own.
func on(t *testing.T, node *apache.Node) *env {
	return &env{T: t, Cluster: realCluster{Node: node, settings: usual()}}
}

func (c realCluster) open(*testing.T) Cluster { return c }

func (c realCluster) CA() []byte { return c.Authority.PEM() }

func (c realCluster) Certificate(s apache.Subject) (tls.Certificate, error) {
	return c.Authority.ClientTLS(s)
}

func (c realCluster) Kafka() apache.Release { return c.Release }

func (c realCluster) Settings() Settings { return c.settings }

func (c realCluster) Now() time.Time { return time.Now() }

func (c realCluster) Pass(d time.Duration) { time.Sleep(d) }
