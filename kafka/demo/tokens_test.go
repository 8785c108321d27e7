package demo

import (
	"math"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// epoch is where the fake clocks of these tests begin.
var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// bare starts a cluster with users and nothing else, on a fake clock and
// without lag.
func bare(t testing.TB, c Cluster) (*Broker, *Clock) {
	t.Helper()
	clock := NewClock(epoch)
	if c.Lag == 0 {
		c.Lag = -1
	}
	return start(t, Options{Bare: true, Now: clock.Now, Cluster: c}), clock
}

const (
	dayMs  = 86_400_000
	weekMs = 7 * dayMs
)

func TestCreateTimes(t *testing.T) {
	now := epoch.UnixMilli()
	for _, tc := range []struct {
		name        string
		cluster     Cluster
		life        int64
		expires, to int64
	}{
		{"default", Cluster{}, -1, now + dayMs, now + weekMs},
		{"zero is the default", Cluster{}, 0, now + dayMs, now + weekMs},
		{"any negative is the default", Cluster{}, math.MinInt64, now + dayMs, now + weekMs},
		{"short", Cluster{}, 5000, now + 5000, now + 5000},
		{"two days", Cluster{}, 2 * dayMs, now + dayMs, now + 2*dayMs},
		{"capped", Cluster{}, 9999999999999, now + dayMs, now + weekMs},
		{"the largest", Cluster{}, math.MaxInt64, now + dayMs, now + weekMs},
		{"other defaults", Cluster{ExpiryTime: time.Hour, MaxLifetime: 2 * time.Hour}, -1, now + 3_600_000, now + 7_200_000},
		{"expiry time beyond the lifetime", Cluster{MaxLifetime: time.Hour}, -1, now + 3_600_000, now + 3_600_000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, _ := bare(t, tc.cluster)
			r := as(t, b, alice).create("", tc.life)
			if r.ErrorCode != 0 || r.IssueTimestamp != now || r.ExpiryTimestamp != tc.expires || r.MaxTimestamp != tc.to {
				t.Fatalf("got %d %d %d %d, want 0 %d %d %d", r.ErrorCode, r.IssueTimestamp, r.ExpiryTimestamp, r.MaxTimestamp, now, tc.expires, tc.to)
			}
			if len(r.TokenID) != 22 || r.TokenID[0] == '-' || len(r.HMAC) != 64 {
				t.Fatalf("id %q, HMAC of %d bytes", r.TokenID, len(r.HMAC))
			}
		})
	}
}

func TestRenewAndExpireTimes(t *testing.T) {
	now := epoch.UnixMilli()
	for _, tc := range []struct {
		name   string
		renew  bool
		period int64
		want   int64
	}{
		{"renew by default", true, -1, now + dayMs},
		{"renew zero is the default", true, 0, now + dayMs},
		{"renew is capped by the expiry time", true, 2 * dayMs, now + dayMs},
		{"renew can shorten", true, 5000, now + 5000},
		{"renew the largest", true, math.MaxInt64, now + dayMs},
		{"expire removes", false, -1, now},
		{"expire removes with any negative", false, math.MinInt64, now},
		{"expire now", false, 0, now},
		{"expire sooner", false, 5000, now + 5000},
		{"expire is capped by the lifetime alone", false, 2 * dayMs, now + 2*dayMs},
		{"expire the largest", false, math.MaxInt64, now + 3*dayMs},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, _ := bare(t, Cluster{})
			c := as(t, b, alice)
			mac := c.create("", 3*dayMs).HMAC
			code, expiry := int16(0), int64(0)
			if tc.renew {
				r := c.renew(mac, tc.period)
				code, expiry = r.ErrorCode, r.ExpiryTimestamp
			} else {
				r := c.expire(mac, tc.period)
				code, expiry = r.ErrorCode, r.ExpiryTimestamp
			}
			if code != 0 || expiry != tc.want {
				t.Fatalf("code %d, expiry now%+d, want now%+d", code, expiry-now, tc.want-now)
			}
			tokens := c.describe().TokenDetails
			if removed := !tc.renew && tc.period < 0; removed != (len(tokens) == 0) {
				t.Fatalf("%d tokens listed", len(tokens))
			} else if !removed && tokens[0].ExpiryTimestamp != tc.want {
				t.Fatalf("listed expiry now%+d", tokens[0].ExpiryTimestamp-now)
			}
		})
	}
}

// Who may change a token, and in which order the reasons against it come.
func TestRenewAndExpireChecks(t *testing.T) {
	for _, tc := range []struct {
		name          string
		who           string
		expired       bool
		wrong         bool
		renew, expire int16 // expire with period -1
		shorten       int16 // expire with period 100
	}{
		{name: "owner", who: alice},
		{name: "renewer", who: bob},
		{name: "requester", who: spark, renew: 63, expire: 63, shorten: 63},
		{name: "stranger", who: carol, renew: 63, expire: 63, shorten: 63},
		{name: "super user", who: admin, renew: 63, expire: 63, shorten: 63},
		{name: "owner, wrong HMAC", who: alice, wrong: true, renew: 62, expire: 62, shorten: 62},
		{name: "owner, expired", who: alice, expired: true, renew: 66, expire: 0, shorten: 66},
		{name: "stranger, expired", who: carol, expired: true, renew: 66, expire: 63, shorten: 63},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, clock := bare(t, Cluster{SuperUsers: []string{"User:" + spark}})
			mac := as(t, b, spark).create("User:"+alice, 1000, "User:"+bob).HMAC
			b.cluster.setup.SuperUsers = []string{superUser} // spark was one only to make it
			if tc.wrong {
				mac[0] ^= 1
			}
			if tc.expired {
				clock.Advance(1001 * time.Millisecond)
			}
			c := as(t, b, tc.who)
			want := int64(0) // the controller's answers leave 0
			if r := c.renew(mac, -1); r.ErrorCode != tc.renew || r.ErrorCode != 0 && r.ExpiryTimestamp != want {
				t.Errorf("renew: code %d expiry %d, want %d", r.ErrorCode, r.ExpiryTimestamp, tc.renew)
			}
			if r := c.expire(mac, 100); r.ErrorCode != tc.shorten || r.ErrorCode != 0 && r.ExpiryTimestamp != want {
				t.Errorf("expire 100: code %d expiry %d, want %d", r.ErrorCode, r.ExpiryTimestamp, tc.shorten)
			}
			if r := c.expire(mac, -1); r.ErrorCode != tc.expire || r.ErrorCode != 0 && r.ExpiryTimestamp != want {
				t.Errorf("expire -1: code %d expiry %d, want %d", r.ErrorCode, r.ExpiryTimestamp, tc.expire)
			}
			if tc.expire == 0 {
				if r := c.expire(mac, -1); r.ErrorCode != 62 {
					t.Errorf("expire of a removed token: code %d", r.ErrorCode)
				}
			}
		})
	}
}

func TestExpiredIsStrict(t *testing.T) {
	b, clock := bare(t, Cluster{})
	c := as(t, b, alice)
	mac := c.create("", 1000).HMAC
	clock.Advance(time.Second)
	if r := c.renew(mac, -1); r.ErrorCode != 0 || r.ExpiryTimestamp != epoch.UnixMilli()+1000 {
		t.Fatalf("at its very expiry: code %d", r.ErrorCode)
	}
	clock.Advance(time.Millisecond)
	if r := c.renew(mac, -1); r.ErrorCode != 66 {
		t.Fatalf("a millisecond later: code %d", r.ErrorCode)
	}
}

func TestSweep(t *testing.T) {
	b, clock := bare(t, Cluster{SweepInterval: 5 * time.Second})
	c := as(t, b, alice)
	short := c.create("", 5000) // expires at the very moment of the first sweep
	c.create("", 20_000)
	listed := func() int { return len(c.describe().TokenDetails) }
	clock.Advance(5 * time.Second)
	if n := listed(); n != 2 {
		t.Fatalf("%d tokens at the first sweep, want both: expiry is strict", n)
	}
	clock.Advance(4999 * time.Millisecond)
	if n := listed(); n != 2 {
		t.Fatalf("%d tokens between sweeps", n)
	}
	if r := c.renew(short.HMAC, -1); r.ErrorCode != 66 {
		t.Fatalf("an expired token before the sweep: code %d, want 66", r.ErrorCode)
	}
	clock.Advance(time.Millisecond)
	if n := listed(); n != 1 {
		t.Fatalf("%d tokens after the second sweep", n)
	}
	if r := c.expire(short.HMAC, -1); r.ErrorCode != 62 {
		t.Fatalf("a swept token: code %d, want 62", r.ErrorCode)
	}
	clock.Advance(time.Hour)
	if n := listed(); n != 0 {
		t.Fatalf("%d tokens an hour later", n)
	}
}

func TestChangesAreSeenLate(t *testing.T) {
	b, clock := bare(t, Cluster{Lag: 200 * time.Millisecond})
	c := as(t, b, alice)
	made := c.create("", -1)
	if made.ErrorCode != 0 {
		t.Fatal(made.ErrorCode)
	}
	clock.Advance(199 * time.Millisecond)
	if n := len(c.describe().TokenDetails); n != 0 {
		t.Fatalf("listed too early: %d", n)
	}
	if r := c.renew(made.HMAC, -1); r.ErrorCode != 62 {
		t.Fatalf("renew too early: code %d, want 62", r.ErrorCode)
	}
	if r := c.expire(made.HMAC, -1); r.ErrorCode != 62 {
		t.Fatalf("expire too early: code %d, want 62", r.ErrorCode)
	}
	if code, _, step, _ := dial(t, b, SASLPlaintext).scram(scramSHA256, made.TokenID, hmacText(made.HMAC), ",tokenauth=true"); code != 58 || step != 1 {
		t.Fatalf("sign-in too early: code %d at step %d, want 58 at 1", code, step)
	}
	clock.Advance(time.Millisecond)
	if n := len(c.describe().TokenDetails); n != 1 {
		t.Fatalf("not listed: %d", n)
	}
	if r := c.expire(made.HMAC, -1); r.ErrorCode != 0 {
		t.Fatalf("expire: code %d", r.ErrorCode)
	}
	if n := len(c.describe().TokenDetails); n != 1 {
		t.Fatalf("a removal is seen late too: %d listed", n)
	}
	clock.Advance(200 * time.Millisecond)
	if n := len(c.describe().TokenDetails); n != 0 {
		t.Fatalf("still listed: %d", n)
	}
}

func TestCreateChecks(t *testing.T) {
	for _, tc := range []struct {
		name               string
		scenario           string
		owner              string
		renewers           []string
		code               int16
		stamp              int64
		gotOwner, gotAsker string
	}{
		{name: "for another without a right", owner: "User:bob", code: 65, stamp: -1, gotOwner: "User:bob", gotAsker: "User:alice"},
		{name: "for a group of that name", owner: "Group:alice", code: 65, stamp: -1, gotOwner: "Group:alice", gotAsker: "User:alice"},
		{name: "65 before 67", owner: "User:bob", renewers: []string{"Group:x"}, code: 65, stamp: -1, gotOwner: "User:bob", gotAsker: "User:alice"},
		{name: "group as renewer", renewers: []string{"User:bob", "Group:x"}, code: 67, stamp: -1, gotOwner: "User:alice", gotAsker: "User:alice"},
		{name: "lower case as renewer", renewers: []string{"user:bob"}, code: 67, stamp: -1, gotOwner: "User:alice", gotAsker: "User:alice"},
		{name: "65 before 61", scenario: "no-secret-key", owner: "User:bob", code: 65, stamp: -1, gotOwner: "User:bob", gotAsker: "User:alice"},
		{name: "67 before 61", scenario: "no-secret-key", renewers: []string{"Group:x"}, code: 67, stamp: -1, gotOwner: "User:alice", gotAsker: "User:alice"},
		{name: "no key", scenario: "no-secret-key", code: 61, gotOwner: "User:alice", gotAsker: "User:alice"},
		{name: "old metadata", scenario: "old-metadata", code: 35, gotOwner: "User:alice", gotAsker: "User:alice"},
		{name: "67 before 35", scenario: "old-metadata", renewers: []string{"Group:x"}, code: 67, stamp: -1, gotOwner: "User:alice", gotAsker: "User:alice"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := start(t, Options{Scenario: tc.scenario, Bare: true})
			r := as(t, b, alice).create(tc.owner, -1, tc.renewers...)
			if r.ErrorCode != tc.code {
				t.Fatalf("code %d, want %d", r.ErrorCode, tc.code)
			}
			if r.IssueTimestamp != tc.stamp || r.ExpiryTimestamp != tc.stamp || r.MaxTimestamp != tc.stamp {
				t.Errorf("timestamps %d %d %d, want %d", r.IssueTimestamp, r.ExpiryTimestamp, r.MaxTimestamp, tc.stamp)
			}
			owner, asker := r.PrincipalType+":"+r.PrincipalName, r.TokenRequesterPrincipalType+":"+r.TokenRequesterPrincipalName
			if owner != tc.gotOwner || asker != tc.gotAsker || r.TokenID != "" || len(r.HMAC) != 0 {
				t.Errorf("owner %s requester %s id %q", owner, asker, r.TokenID)
			}
		})
	}
}

func TestCreateOddOwners(t *testing.T) {
	b, _ := bare(t, Cluster{})
	c := as(t, b, alice)
	req := createRequest("User:alice", -1)
	req.OwnerPrincipalType = nil
	if r := do[*kmsg.CreateDelegationTokenResponse](c, req); r.ErrorCode != -1 || r.PrincipalName != "ANONYMOUS" || r.TokenRequesterPrincipalName != "ANONYMOUS" || r.IssueTimestamp != -1 {
		t.Errorf("owner without a type: code %d principal %s", r.ErrorCode, r.PrincipalName)
	}
	if r := c.create("User:", -1); r.ErrorCode != 0 || r.PrincipalName != alice {
		t.Errorf("empty owner name: code %d owner %s", r.ErrorCode, r.PrincipalName)
	}
	if r := c.create("", -1, "User:", "User:alice", "User:bob", "User:bob"); r.ErrorCode != 0 {
		t.Errorf("odd renewers: code %d", r.ErrorCode)
	} else if d := c.describe("User:bob").TokenDetails; len(d) != 1 || len(d[0].Renewers) != 4 {
		t.Errorf("renewers are not kept as they came: %+v", len(d))
	}
	if r := as(t, b, admin).create("Group:bob", -1); r.ErrorCode != 0 || r.PrincipalType != "Group" {
		t.Errorf("super user for a group: code %d", r.ErrorCode)
	}
}
