package demo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"dtok/kafka"
)

// Close leaves nothing behind, whatever the connections are doing.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		waiting := make(chan struct{}, 4)
		b, err := Start(Options{After: func(time.Duration) <-chan time.Time {
			waiting <- struct{}{}
			return nil // never
		}})
		if err != nil {
			t.Fatal(err)
		}
		as(t, b, alice)                                  // idle
		dial(t, b, SASLPlaintext).write([]byte{0, 0, 1}) // half a frame
		dial(t, b, Plaintext)                            // nothing sent
		raw, err := net.Dial("tcp", b.Address(SASLSSL))
		if err != nil {
			t.Fatal(err)
		}
		defer raw.Close() // in the middle of a TLS handshake
		b.Inject(Fault{Key: createKey, Delay: time.Hour})
		as(t, b, bob).send(createRequest("", -1)) // waiting for a delay
		<-waiting
		b.Inject(Fault{Key: int16(kmsg.DescribeDelegationToken), End: Silence})
		c := as(t, b, bob)
		c.send(describeRequest())
		b.waitFor(t, func() bool { return b.Count(int16(kmsg.DescribeDelegationToken)) == 1 })
		b.Close()
		b.Close()
		if _, err := net.Dial("tcp", b.Address(SASLPlaintext)); err == nil {
			t.Error("still listening")
		}
	}
	(&Broker{}).waitFor(t, func() bool { return runtime.NumGoroutine() <= before })
}

func TestDisconnect(t *testing.T) {
	b := start(t, Options{Bare: true})
	c := as(t, b, alice)
	b.Disconnect()
	c.closed(kmsg.NewPtrMetadataRequest())
	as(t, b, alice)
}

// What is no Kafka request ends the connection, and costs no memory.
func TestStrangeBytes(t *testing.T) {
	b := start(t, Options{Bare: true})
	for name, bytes := range map[string]string{
		"HTTP":             "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"TLS":              "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"giant frame":      "\x7f\xff\xff\xff",
		"negative length":  "\xff\xff\xff\xff",
		"above the limit":  "\x00\x08\x00\x01",
		"empty frame":      "\x00\x00\x00\x00",
		"short header":     "\x00\x00\x00\x03\x00\x12\x00",
		"unknown key":      "\x00\x00\x00\x0a\x03\xe7\x00\x00\x00\x00\x00\x01\x00\x00",
		"negative key":     "\x00\x00\x00\x0a\xff\xff\x00\x00\x00\x00\x00\x01\x00\x00",
		"version too high": "\x00\x00\x00\x0a\x00\x11\x00\x63\x00\x00\x00\x01\x00\x00",
		"negative version": "\x00\x00\x00\x0a\x00\x11\xff\xff\x00\x00\x00\x01\x00\x00",
		"cut body":         "\x00\x00\x00\x0e\x00\x11\x00\x01\x00\x00\x00\x01\x00\x01x\x00\x7fP",
	} {
		t.Run(name, func(t *testing.T) {
			c := dial(t, b, SASLPlaintext)
			c.write([]byte(bytes))
			if rest, err := io.ReadAll(c.conn); len(rest) > 0 || err != nil && !strings.Contains(err.Error(), "reset") {
				t.Errorf("%d bytes, %v", len(rest), err)
			}
		})
	}
	as(t, b, alice)
	c := as(t, b, alice) // larger frames are read once somebody has signed in
	c.write([]byte{0, 8, 0, 1})
	c.write(make([]byte, 512<<10+1))
	if _, err := readFrame(c.in, 100); err == nil {
		t.Error("a frame of zeros was answered")
	}
}

// Requests that are sent together are answered in order.
func TestPipelining(t *testing.T) {
	b := start(t, Options{})
	c := as(t, b, ops)
	reqs := []kmsg.Request{describeRequest(), describeRules(anyRule()), describeScram(), kmsg.NewPtrDescribeClientQuotasRequest()}
	for _, req := range reqs {
		c.send(req)
	}
	c.correlation -= int32(len(reqs))
	for _, req := range reqs {
		c.correlation++
		if _, err := c.receive(req); err != nil {
			t.Fatalf("%T: %v", req, err)
		}
	}
}

// franz-go's client, which is nobody's idea of this broker, signs in and works.
func TestFranzClient(t *testing.T) {
	b := start(t, Options{Cluster: Cluster{Lag: -1}})
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(b.CACert())
	secure := kgo.DialTLSConfig(&tls.Config{RootCAs: pool, ServerName: "localhost"})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	open := func(opts ...kgo.Opt) *kgo.Client {
		cl, err := kgo.NewClient(opts...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(cl.Close)
		return cl
	}
	work := func(cl *kgo.Client, owner string) *kmsg.CreateDelegationTokenResponse {
		t.Helper()
		if _, err := kmsg.NewPtrMetadataRequest().RequestWith(ctx, cl); err != nil {
			t.Fatal(err)
		}
		made, err := createRequest("", -1, "User:bob").RequestWith(ctx, cl)
		if err != nil || made.ErrorCode != 0 || made.PrincipalName != owner {
			t.Fatalf("create: %v, code %d as %s", err, made.ErrorCode, made.PrincipalName)
		}
		listed, err := describeRequest("User:"+owner).RequestWith(ctx, cl)
		if err != nil || listed.ErrorCode != 0 || len(listed.TokenDetails) == 0 {
			t.Fatalf("describe: %v, code %d, %d tokens", err, listed.ErrorCode, len(listed.TokenDetails))
		}
		return made
	}
	password := scram.Auth{User: alice, Pass: "alice-secret"}
	made := work(open(kgo.SeedBrokers(b.Address(SASLSSL)), secure, kgo.SASL(password.AsSha512Mechanism())), alice)
	work(open(kgo.SeedBrokers(b.Address(SASLPlaintext)), kgo.SASL(password.AsSha256Mechanism())), alice)
	work(open(kgo.SeedBrokers(b.Address(SASLPlaintext)), kgo.SASL(plain.Auth{User: zoe, Pass: zoe + "-secret"}.AsMechanism())), zoe)

	worker := open(kgo.SeedBrokers(b.Address(SASLSSL)), secure, kgo.SASL(scram.Auth{User: made.TokenID, Pass: hmacText(made.HMAC), IsToken: true}.AsSha256Mechanism()))
	if r, err := createRequest("", -1).RequestWith(ctx, worker); err != nil || r.ErrorCode != 64 {
		t.Errorf("as a token: %v, code %d", err, r.ErrorCode)
	}
	if err := worker.Ping(ctx); err != nil {
		t.Errorf("ping as a token: %v", err)
	}
	wrong := open(kgo.SeedBrokers(b.Address(SASLPlaintext)), kgo.SASL(scram.Auth{User: alice, Pass: "x"}.AsSha256Mechanism()), kgo.RequestRetries(0))
	if err := wrong.Ping(ctx); err == nil || !strings.Contains(err.Error(), "SASL_AUTHENTICATION_FAILED") {
		t.Errorf("wrong password: %v", err)
	}
}

func TestTopology(t *testing.T) {
	b := start(t, Options{Bare: true})
	for version := int16(0); version <= 13; version++ {
		req := kmsg.NewPtrMetadataRequest()
		req.Version, req.IncludeClusterAuthorizedOperations = version, true
		topic := "nope"
		req.Topics = []kmsg.MetadataRequestTopic{{Topic: &topic}}
		for who, want := range map[string]int16{admin: 3, alice: 29} {
			r := do[*kmsg.MetadataResponse](as(t, b, who), req)
			if len(r.Brokers) != 1 || net.JoinHostPort(r.Brokers[0].Host, strconv.Itoa(int(r.Brokers[0].Port))) != b.Address(SASLPlaintext) || r.Topics[0].ErrorCode != want {
				t.Errorf("v%d as %s: %+v", version, who, r)
			}
			if version >= 2 && text(r.ClusterID) != ClusterID || version >= 1 && r.ControllerID != 1 {
				t.Errorf("v%d: cluster %s controller %d", version, text(r.ClusterID), r.ControllerID)
			}
			if version >= 8 && version <= 10 && (r.AuthorizedOperations == 8096) != (who == admin) {
				t.Errorf("v%d as %s: operations %d", version, who, r.AuthorizedOperations)
			}
		}
	}
	cluster := kmsg.NewPtrDescribeClusterRequest()
	cluster.Version = 2
	if r := do[*kmsg.DescribeClusterResponse](as(t, b, alice), cluster); r.ErrorCode != 0 || r.ClusterID != ClusterID || len(r.Brokers) != 1 {
		t.Errorf("%+v", r)
	}
	cluster.EndpointType = 2
	if r := do[*kmsg.DescribeClusterResponse](as(t, b, alice), cluster); r.ErrorCode != 114 {
		t.Errorf("controllers: code %d", r.ErrorCode)
	}
	for version := int16(0); version <= 6; version++ {
		find := kmsg.NewPtrFindCoordinatorRequest()
		find.Version, find.CoordinatorKey, find.CoordinatorKeys = version, "g", []string{"g", "h"}
		r := do[*kmsg.FindCoordinatorResponse](as(t, b, admin), find)
		if version < 4 && (r.ErrorCode != 0 || r.NodeID != 1) || version >= 4 && (len(r.Coordinators) != 2 || r.Coordinators[1].NodeID != 1) {
			t.Errorf("v%d: %+v", version, r)
		}
		r = do[*kmsg.FindCoordinatorResponse](as(t, b, alice), find)
		if version < 4 && r.ErrorCode != 30 || version >= 4 && r.Coordinators[0].ErrorCode != 30 {
			t.Errorf("v%d without the right: %+v", version, r)
		}
	}
	// What is offered but not served says so.
	if r := do[*kmsg.ListGroupsResponse](as(t, b, admin), &kmsg.ListGroupsRequest{Version: 4}); r.ErrorCode != 35 {
		t.Errorf("ListGroups: code %d", r.ErrorCode)
	}
}

func TestDescribeConfigs(t *testing.T) {
	b := start(t, Options{Bare: true, Cluster: Cluster{ExpiryTime: time.Hour}})
	req := kmsg.NewPtrDescribeConfigsRequest()
	req.Version = 4
	for _, name := range []string{"1", "9", "x"} {
		req.Resources = append(req.Resources, kmsg.DescribeConfigsRequestResource{ResourceType: kmsg.ConfigResourceTypeBroker, ResourceName: name})
	}
	r := do[*kmsg.DescribeConfigsResponse](as(t, b, admin), req)
	got := map[string]string{}
	for _, c := range r.Resources[0].Configs {
		got[c.Name] = text(c.Value)
	}
	if got["delegation.token.expiry.time.ms"] != "3600000" || got["delegation.token.max.lifetime.ms"] != "604800000" || got["delegation.token.secret.key"] != "(null)" {
		t.Errorf("%v", got)
	}
	if r.Resources[1].ErrorCode != 42 || r.Resources[2].ErrorCode != 42 {
		t.Errorf("other brokers: codes %d and %d", r.Resources[1].ErrorCode, r.Resources[2].ErrorCode)
	}
	if r := do[*kmsg.DescribeConfigsResponse](as(t, b, alice), req); r.Resources[0].ErrorCode != 31 {
		t.Errorf("without the right: code %d", r.Resources[0].ErrorCode)
	}
}

func TestListenAddress(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	taken := l.Addr().String()
	if _, err := Start(Options{Listen: taken}); err == nil || !strings.Contains(err.Error(), "SASL_SSL") {
		t.Errorf("an address that is taken: %v", err)
	}
	_ = l.Close()
	b := start(t, Options{Listen: taken, Bare: true})
	if b.Address(SASLSSL) != taken {
		t.Errorf("main listener at %s, want %s", b.Address(SASLSSL), taken)
	}
	if p := Listener("MTLS").Protocol(); p != kafka.SSL {
		t.Errorf("MTLS is %s", p)
	}
}
