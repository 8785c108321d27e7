package demo

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// apiVersionsOf asks a broker on its main listener, at the highest version
// that it offers.
func apiVersionsOf(t *testing.T, b *Broker) *kmsg.ApiVersionsResponse {
	t.Helper()
	req := kmsg.NewPtrApiVersionsRequest()
	req.Version = min(b.cluster.setup.release.max(kmsg.ApiVersions), 4)
	req.ClientSoftwareName, req.ClientSoftwareVersion = "test", "1"
	return do[*kmsg.ApiVersionsResponse](dial(t, b, b.cluster.setup.main), req)
}

// connect connects as Connection says.
func connect(t *testing.T, b *Broker, user string) *client {
	t.Helper()
	conn, err := b.Connection(user)
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, b, b.cluster.setup.main)
	if !conn.Protocol.Authenticates() {
		return c
	}
	extensions := ""
	if conn.TokenAuth {
		extensions = ",tokenauth=true"
	}
	conn.Password.Use(func(password []byte) {
		var code int16
		if conn.Mechanism == kafka.MechanismPlain {
			code, _ = c.plain(conn.User, string(password))
		} else {
			code, _, _, _ = c.scram(scramSHA512, conn.User, string(password), extensions)
		}
		if code != 0 {
			t.Fatalf("sign-in of %s: code %d", user, code)
		}
	})
	return c
}

// Each scenario must start, and must be what it says.
func TestScenarios(t *testing.T) {
	absent := func(t *testing.T, b *Broker, key kmsg.Key, present bool) {
		t.Helper()
		found := slices.ContainsFunc(apiVersionsOf(t, b).ApiKeys, func(k kmsg.ApiVersionsResponseApiKey) bool { return k.ApiKey == int16(key) })
		if found != present {
			t.Errorf("key %d offered: %v", key, found)
		}
	}
	tokens := func(t *testing.T, b *Broker, code int16, some bool) {
		t.Helper()
		r := connect(t, b, ops).describe()
		if r.ErrorCode != code || some != (len(r.TokenDetails) > 0) {
			t.Errorf("describe: code %d, %d tokens", r.ErrorCode, len(r.TokenDetails))
		}
	}
	create := func(t *testing.T, b *Broker, owner string, code int16) {
		t.Helper()
		if r := connect(t, b, ops).create(owner, -1); r.ErrorCode != code {
			t.Errorf("create for %q: code %d, want %d", owner, r.ErrorCode, code)
		}
	}
	checks := map[string]func(t *testing.T, b *Broker){
		"standard": func(t *testing.T, b *Broker) {
			tokens(t, b, 0, true)
			create(t, b, "User:alice", 0)
			create(t, b, "User:carol", 65)
		},
		"empty": func(t *testing.T, b *Broker) {
			tokens(t, b, 0, false)
			create(t, b, "User:alice", 0)
		},
		"no-secret-key":           func(t *testing.T, b *Broker) { tokens(t, b, 61, false); create(t, b, "", 61) },
		"controllers-without-key": func(t *testing.T, b *Broker) { tokens(t, b, 0, false); create(t, b, "", 61) },
		"plaintext": func(t *testing.T, b *Broker) {
			tokens(t, b, 64, false)
			create(t, b, "", 64)
			if r := do[*kmsg.DescribeACLsResponse](connect(t, b, ops), describeRules(anyRule())); r.ErrorCode != 0 {
				t.Errorf("ACL rules: code %d", r.ErrorCode)
			}
			if b.Address(SASLSSL) != "" {
				t.Error("another listener is open")
			}
		},
		"one-way-tls": func(t *testing.T, b *Broker) { tokens(t, b, 64, false); create(t, b, "", 64) },
		"token-session": func(t *testing.T, b *Broker) {
			for _, user := range []string{ops, bob, zoe} {
				c := connect(t, b, user)
				if r := c.create("", -1); r.ErrorCode != 64 || r.PrincipalName != user {
					t.Errorf("%s: create: code %d as %s", user, r.ErrorCode, r.PrincipalName)
				}
			}
			if r := do[*kmsg.DescribeACLsResponse](connect(t, b, ops), describeRules(anyRule())); r.ErrorCode != 0 {
				t.Errorf("ACL rules: code %d", r.ErrorCode)
			}
		},
		"kafka-1.0": func(t *testing.T, b *Broker) {
			absent(t, b, kmsg.DescribeDelegationToken, false)
			absent(t, b, kmsg.DescribeClientQuotas, false)
			connect(t, b, ops).closed(describeRequest())
			req := describeRules(anyRule())
			req.Version = 0
			r := do[*kmsg.DescribeACLsResponse](connect(t, b, ops), req)
			if r.ErrorCode != 0 || r.ErrorMessage != nil || len(r.Resources) == 0 {
				t.Errorf("ACL rules: code %d, %d resources", r.ErrorCode, len(r.Resources))
			}
			for _, res := range r.Resources {
				if res.ResourceType == userResource {
					t.Error("a rule on a USER resource")
				}
			}
		},
		"kafka-3.5": func(t *testing.T, b *Broker) {
			absent(t, b, kmsg.DescribeDelegationToken, false)
			absent(t, b, kmsg.DescribeClientQuotas, true)
			if v := finalizedMetadata(apiVersionsOf(t, b)); v != 11 {
				t.Errorf("metadata.version %d", v)
			}
		},
		"old-metadata": func(t *testing.T, b *Broker) {
			tokens(t, b, 0, false)
			create(t, b, "", 35)
			if v := finalizedMetadata(apiVersionsOf(t, b)); v != 13 {
				t.Errorf("metadata.version %d", v)
			}
		},
		"old-create": func(t *testing.T, b *Broker) {
			if v := b.cluster.setup.release.max(kmsg.CreateDelegationToken); v != 2 {
				t.Errorf("create up to v%d", v)
			}
			connect(t, b, ops).closed(createRequest("User:alice", -1))
			for version := int16(0); version <= 2; version++ {
				req := createRequest("User:alice", -1)
				req.Version = version
				if r := do[*kmsg.CreateDelegationTokenResponse](connect(t, b, ops), req); r.ErrorCode != 0 || r.PrincipalName != ops {
					t.Errorf("v%d: code %d owner %s, want the caller's own", version, r.ErrorCode, r.PrincipalName)
				}
			}
			if v := finalizedMetadata(apiVersionsOf(t, b)); v != -1 {
				t.Errorf("metadata.version %d", v)
			}
		},
		"no-authorizer": func(t *testing.T, b *Broker) {
			create(t, b, "User:carol", 0)
			r := do[*kmsg.DescribeACLsResponse](connect(t, b, ops), describeRules(anyRule()))
			if r.ErrorCode != 54 || text(r.ErrorMessage) != "No Authorizer is configured on the broker" {
				t.Errorf("ACL rules: code %d %q", r.ErrorCode, text(r.ErrorMessage))
			}
			c := do[*kmsg.CreateACLsResponse](connect(t, b, ops), createRules(allowed(bob, opRead, topicResource, "t")))
			if c.Results[0].ErrorCode != 54 || text(c.Results[0].ErrorMessage) != "No Authorizer is configured." {
				t.Errorf("creating a rule: %+v", c.Results)
			}
			if n := len(connect(t, b, "zoë").describe().TokenDetails); n < 15 {
				t.Errorf("zoë sees %d tokens", n)
			}
		},
		"no-rights": func(t *testing.T, b *Broker) {
			tokens(t, b, 0, false)
			create(t, b, "User:alice", 65)
			c := connect(t, b, ops)
			if r := do[*kmsg.DescribeACLsResponse](c, describeRules(anyRule())); r.ErrorCode != 31 {
				t.Errorf("ACL rules: code %d", r.ErrorCode)
			}
			if got := quotaAnswer(t, c, false); !slices.Equal(got, []string{"31 (null)"}) {
				t.Errorf("quotas: %q", got)
			}
			if r := do[*kmsg.DescribeUserSCRAMCredentialsResponse](c, describeScram()); r.ErrorCode != 31 {
				t.Errorf("SCRAM users: code %d", r.ErrorCode)
			}
			if r := as(t, b, admin).describe(); len(r.TokenDetails) == 0 {
				t.Error("there is nothing to hide")
			}
		},
		"late-brokers": func(t *testing.T, b *Broker) {
			c := connect(t, b, ops)
			before := len(c.describe("User:alice").TokenDetails)
			made := c.create("User:alice", -1, "User:ops")
			if r := c.renew(made.HMAC, -1); r.ErrorCode != 62 {
				t.Errorf("renew at once: code %d", r.ErrorCode)
			}
			if n := len(c.describe("User:alice").TokenDetails); n != before {
				t.Errorf("%d tokens at once", n-before)
			}
			if b.cluster.setup.Lag != 3*time.Second {
				t.Errorf("lag %s", b.cluster.setup.Lag)
			}
		},
		"lost-answer": func(t *testing.T, b *Broker) {
			connect(t, b, ops).closed(createRequest("User:alice", 4242))
			if n := b.Count(int16(kmsg.CreateDelegationToken)); n != 1 {
				t.Errorf("%d requests", n)
			}
			b.waitFor(t, func() bool {
				return slices.ContainsFunc(connect(t, b, ops).describe("User:alice").TokenDetails, func(d kmsg.DescribeDelegationTokenResponseTokenDetail) bool {
					return d.MaxTimestamp-d.IssueTimestamp == 4242
				})
			})
		},
		"big": func(t *testing.T, b *Broker) {
			r := connect(t, b, ops).describe()
			owners := map[string]bool{}
			for _, d := range r.TokenDetails {
				owners[d.PrincipalName] = true
			}
			if len(r.TokenDetails) != bigTokens || len(owners) < bigUsers*9/10 {
				t.Errorf("%d tokens of %d owners", len(r.TokenDetails), len(owners))
			}
			if n := len(do[*kmsg.DescribeUserSCRAMCredentialsResponse](connect(t, b, ops), describeScram()).Results); n != bigUsers {
				t.Errorf("%d users", n)
			}
			if code, _ := dial(t, b, SASLPlaintext).plain("etl-0000", "etl-0000-secret"); code != 0 {
				t.Errorf("sign-in of one of the crowd: code %d", code)
			}
		},
	}
	checks["slow"] = nil // has a test of its own, because it waits
	for _, sc := range Scenarios() {
		t.Run(sc.Name, func(t *testing.T) {
			check, ok := checks[sc.Name]
			if !ok || sc.Description == "" {
				t.Fatal("no check, or no description")
			}
			if check != nil {
				check(t, start(t, Options{Scenario: sc.Name}))
			}
		})
	}
	if _, err := Start(Options{Scenario: "nope"}); err == nil || !strings.Contains(err.Error(), "standard, empty") {
		t.Errorf("unknown scenario: %v", err)
	}
	if _, err := Start(Options{Listen: "nonsense"}); err == nil {
		t.Error("a listen address without a port was taken")
	}
}

func finalizedMetadata(r *kmsg.ApiVersionsResponse) int16 {
	for _, f := range r.FinalizedFeatures {
		if f.Name == metadataVersion {
			return f.MaxVersionLevel
		}
	}
	return -1
}

// The scenario slow waits with the clock of Options.After: here the test says
// when a second is over.
func TestSlow(t *testing.T) {
	asked, elapsed := make(chan time.Duration), make(chan time.Time)
	b := start(t, Options{Scenario: "slow", After: func(d time.Duration) <-chan time.Time {
		asked <- d
		return elapsed
	}})
	c := connect(t, b, ops) // a sign-in is not slow
	c.send(describeRequest())
	if d := <-asked; d != time.Second {
		t.Errorf("waits %s", d)
	}
	elapsed <- time.Time{}
	if r, err := c.receive(describeRequest()); err != nil || r.(*kmsg.DescribeDelegationTokenResponse).ErrorCode != 0 {
		t.Error(err)
	}
}
