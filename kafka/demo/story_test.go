package demo

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// TestStory holds what a new cluster contains, as the presenter sees it.
// UPDATE=1 in the environment writes the file anew.
func TestStory(t *testing.T) {
	clock := NewClock(epoch)
	b := start(t, Options{Now: clock.Now})
	c := connect(t, b, Presenter)
	var out strings.Builder
	since := func(ms int64) string { return time.UnixMilli(ms).Sub(epoch).String() }

	var lines []string
	for _, d := range c.describe().TokenDetails {
		var renewers []string
		for _, r := range d.Renewers {
			renewers = append(renewers, r.PrincipalType+":"+r.PrincipalName)
		}
		lines = append(lines, fmt.Sprintf("%s:%s by %s:%s renewers [%s] issued %s expires %s ends %s id %s",
			d.PrincipalType, d.PrincipalName, d.TokenRequesterPrincipalType, d.TokenRequesterPrincipalName,
			strings.Join(renewers, " "), since(d.IssueTimestamp), since(d.ExpiryTimestamp), since(d.MaxTimestamp), d.TokenID))
	}
	section(&out, "tokens", lines)

	lines = nil
	for _, res := range do[*kmsg.DescribeACLsResponse](c, describeRules(anyRule())).Resources {
		for _, a := range res.ACLs {
			lines = append(lines, fmt.Sprintf("%s %s %s on %s %s %s from %s", a.Principal, a.PermissionType, a.Operation,
				res.ResourceType, res.ResourcePatternType, res.ResourceName, a.Host))
		}
	}
	section(&out, "ACL rules", lines)
	section(&out, "quotas", quotaAnswer(t, c, false))

	lines = nil
	for _, u := range do[*kmsg.DescribeUserSCRAMCredentialsResponse](c, describeScram()).Results {
		lines = append(lines, u.User)
	}
	section(&out, "SCRAM users", lines)

	const file = "testdata/story.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the story is not that of %s:\n%s", file, out.String())
	}
}

func section(out *strings.Builder, title string, lines []string) {
	slices.Sort(lines)
	fmt.Fprintf(out, "%s\n  %s\n", title, strings.Join(lines, "\n  "))
}

// Every token of the story must be one that a cluster could have.
func TestStoryIsPossible(t *testing.T) {
	for _, s := range storyTokens() {
		tok := s.at(epoch)
		now := epoch.UnixMilli()
		switch {
		case tok.issued >= now, tok.maxEnds-tok.issued > weekMs, tok.expires > tok.maxEnds, tok.expires > now+dayMs, tok.maxEnds < now:
			t.Errorf("%s: issued %d, expires %d, ends %d", s.name, tok.issued-now, tok.expires-now, tok.maxEnds-now)
		case tok.expired(now) && now-tok.expires > defaultSweepInterval.Milliseconds():
			t.Errorf("%s: would have been swept", s.name)
		case tok.id[0] == '-' || len(tok.id) != 22:
			t.Errorf("%s: id %s", s.name, tok.id)
		}
	}
}

// The presenter can do the whole job without being a super user.
func TestPresenter(t *testing.T) {
	clock := NewClock(epoch)
	b := start(t, Options{Now: clock.Now, Cluster: Cluster{Lag: -1}})
	c := connect(t, b, Presenter)
	var renewable, foreign bool
	for _, d := range c.describe("User:alice").TokenDetails {
		if d.PrincipalName != alice || d.ExpiryTimestamp < epoch.UnixMilli() {
			continue
		}
		switch r := c.renew(d.HMAC, -1); r.ErrorCode {
		case 0:
			renewable = true
		case 63:
			foreign = true
		default:
			t.Errorf("renew %s: code %d", d.TokenID, r.ErrorCode)
		}
	}
	if !renewable || !foreign {
		t.Errorf("alice needs tokens that ops may renew (%v) and may not (%v)", renewable, foreign)
	}
	made := c.create("User:alice", -1, "User:ops")
	if made.ErrorCode != 0 {
		t.Fatalf("create: code %d", made.ErrorCode)
	}
	if r := c.expire(made.HMAC, -1); r.ErrorCode != 0 {
		t.Errorf("expire: code %d", r.ErrorCode)
	}
	if r := do[*kmsg.CreateACLsResponse](c, createRules(allowed(bob, createTokens, userResource, "User:alice"))); r.Results[0].ErrorCode != 0 {
		t.Errorf("ACL rule: code %d", r.Results[0].ErrorCode)
	}
	if r := do[*kmsg.AlterClientQuotasResponse](c, alterQuotasRequest(alteration(set("producer_byte_rate", 1), "user", bob))); r.Entries[0].ErrorCode != 0 {
		t.Errorf("quota: code %d", r.Entries[0].ErrorCode)
	}
	if slices.Contains(b.cluster.setup.SuperUsers, "User:"+Presenter) {
		t.Error("the presenter is a super user")
	}
}

func TestConnections(t *testing.T) {
	b := start(t, Options{})
	for _, user := range Users() {
		if r := connect(t, b, user).create("", -1); r.ErrorCode != 0 || r.PrincipalName != user {
			t.Errorf("%s: code %d as %s", user, r.ErrorCode, r.PrincipalName)
		}
	}
	if _, err := b.Connection("nobody"); err == nil {
		t.Error("a connection for an unknown user")
	}
	conn, err := b.Connection(alice)
	if err != nil {
		t.Fatal(err)
	}
	s, err := conn.Settings()
	if err != nil || s.Protocol != kafka.SASLSSL || s.TLS == nil || s.SASL.User != alice || s.SASL.Mechanism != "SCRAM-SHA-512" || s.Bootstrap[0] != b.Address(SASLSSL) {
		t.Errorf("%v %+v", err, s)
	}
	if text := fmt.Sprintf("%v %+v %#v", conn, conn, s); strings.Contains(text, "alice-secret") {
		t.Error("a printed connection shows the password")
	}
}

func TestClientProperties(t *testing.T) {
	b := start(t, Options{Bare: true, Passwords: map[string]string{`q"u\o`: "x"}})
	for _, tc := range []struct {
		user     string
		listener Listener
		want     []string
	}{
		{alice, Plaintext, []string{"bootstrap.servers=" + b.Address(Plaintext) + "\nsecurity.protocol=PLAINTEXT\n"}},
		{alice, SASLPlaintext, []string{"security.protocol=SASL_PLAINTEXT\n", "sasl.mechanism=SCRAM-SHA-512\n", `ScramLoginModule required username="alice" password="alice-secret";`}},
		{zoe, SASLSSL, []string{"sasl.mechanism=PLAIN\n", `PlainLoginModule required username="zo\u00eb"`, `ssl.truststore.certificates=-----BEGIN CERTIFICATE-----\n`}},
		{`q"u\o`, SASLPlaintext, []string{`username="q\\"u\\\\o"`}},
		{alice, MTLS, []string{"security.protocol=SSL\n", `ssl.keystore.key=-----BEGIN PRIVATE KEY-----\n`}},
	} {
		got := b.ClientProperties(tc.user, tc.listener)
		for _, want := range tc.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s on %s lacks %q:\n%s", tc.user, tc.listener, want, got)
			}
		}
	}
	if b.ClientProperties("nobody", SASLSSL) != "" || b.ClientProperties(alice, "OTHER") != "" {
		t.Error("properties for nobody, or for no listener")
	}
}
