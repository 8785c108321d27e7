package demo

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

const createKey = int16(kmsg.CreateDelegationToken)

func TestFaults(t *testing.T) {
	b, _ := bare(t, Cluster{})
	made := func() int { return len(as(t, b, alice).describe().TokenDetails) }
	t.Run("answers a code", func(t *testing.T) {
		defer b.Inject(Fault{Key: createKey, Code: 7})()
		if r := as(t, b, alice).create("", -1); r.ErrorCode != 7 || r.PrincipalName != "ANONYMOUS" {
			t.Errorf("code %d", r.ErrorCode)
		}
		if made() != 0 {
			t.Error("it was handled all the same")
		}
	})
	t.Run("drops before", func(t *testing.T) {
		defer b.Inject(Fault{Key: createKey, End: DropBefore})()
		as(t, b, alice).closed(createRequest("", -1))
		if made() != 0 {
			t.Error("it was handled")
		}
	})
	t.Run("drops after, once, the second time", func(t *testing.T) {
		defer b.Inject(Fault{Key: createKey, End: DropAfter, Skip: 1, Times: 1})()
		c := as(t, b, alice)
		if r := c.create("", -1); r.ErrorCode != 0 {
			t.Errorf("first: code %d", r.ErrorCode)
		}
		c.closed(createRequest("", -1))
		if r := as(t, b, alice).create("", -1); r.ErrorCode != 0 {
			t.Errorf("third: code %d", r.ErrorCode)
		}
		if n := made(); n != 3 {
			t.Errorf("%d tokens", n)
		}
	})
	t.Run("edits", func(t *testing.T) {
		defer b.Inject(Fault{Key: createKey, Edit: func(r kmsg.Response) { r.(*kmsg.CreateDelegationTokenResponse).PrincipalName = admin }})()
		defer b.Inject(Fault{Key: int16(kmsg.DescribeDelegationToken), Edit: func(r kmsg.Response) {
			m := r.(*kmsg.DescribeDelegationTokenResponse)
			m.ThrottleMillis = int32(len(m.TokenDetails))
		}})()
		c := as(t, b, alice)
		if r := c.create("", -1); r.PrincipalName != admin {
			t.Errorf("owner %s", r.PrincipalName)
		}
		if r := c.describe(); r.ThrottleMillis != int32(len(r.TokenDetails)) || r.ThrottleMillis == 0 {
			t.Errorf("throttle %d of %d tokens", r.ThrottleMillis, len(r.TokenDetails))
		}
	})
	t.Run("truncates", func(t *testing.T) {
		defer b.Inject(Fault{Key: createKey, End: Truncate})()
		c := as(t, b, alice)
		if _, err := c.ask(createRequest("", -1)); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("garbage", func(t *testing.T) {
		defer b.Inject(Fault{Key: createKey, End: Garbage})()
		c := as(t, b, alice)
		c.send(createRequest("", -1))
		frame, err := readFrame(c.in, 1<<20)
		if err != nil || len(frame) < 100 {
			t.Fatalf("%v, %d bytes", err, len(frame))
		}
		clean := bytes.Contains(frame, []byte("alice"))
		if clean {
			t.Error("not garbage")
		}
	})
	t.Run("giant", func(t *testing.T) {
		defer b.Inject(Fault{Key: createKey, End: Giant})()
		c := as(t, b, alice)
		c.send(createRequest("", -1))
		if _, err := readFrame(c.in, 1<<20); err == nil || !strings.Contains(err.Error(), "2147483647") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("silence", func(t *testing.T) {
		defer b.Inject(Fault{Key: createKey, End: Silence})()
		c := as(t, b, alice)
		c.send(createRequest("", -1))
		_ = c.conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		if n, err := c.in.ReadByte(); err == nil {
			t.Errorf("byte %d", n)
		} else if errors.Is(err, io.EOF) {
			t.Error("closed")
		}
	})
	t.Run("in the middle of a sign-in", func(t *testing.T) {
		defer b.Inject(Fault{Key: int16(kmsg.SASLAuthenticate), End: DropBefore})()
		c := dial(t, b, SASLPlaintext)
		c.handshake(kafka.MechanismPlain)
		if _, err := c.token([]byte("\x00alice\x00alice-secret")); err == nil {
			t.Error("answered")
		}
	})
}

// A code can be put in the answer of every request that the broker serves.
func TestRefusals(t *testing.T) {
	b, _ := bare(t, Cluster{})
	rules, quotas := createRules(allowed(bob, opRead, topicResource, "t")), alterQuotasRequest(alteration(set("producer_byte_rate", 1), "user", "a"))
	scram := kmsg.NewPtrAlterUserSCRAMCredentialsRequest()
	scram.Deletions = []kmsg.AlterUserSCRAMCredentialsRequestDeletion{{Name: alice, Mechanism: 1}}
	for _, req := range []kmsg.Request{
		createRequest("", -1), describeRequest(), rules, deleteRules(anyRule()), describeRules(anyRule()), quotas, scram, describeScram(),
		&kmsg.DescribeClientQuotasRequest{Version: 1}, &kmsg.DescribeClusterRequest{Version: 1}, &kmsg.RenewDelegationTokenRequest{Version: 1}, &kmsg.ExpireDelegationTokenRequest{Version: 1},
	} {
		remove := b.Inject(Fault{Key: req.Key(), Code: 7})
		resp, err := as(t, b, admin).ask(req)
		remove()
		if err != nil {
			t.Errorf("%T: %v", req, err)
		} else if text := fmt.Sprintf("%+v", resp); !strings.Contains(text, "ErrorCode:7") {
			t.Errorf("%T: %s", req, text)
		}
	}
}

func TestRecord(t *testing.T) {
	b := start(t, Options{Bare: true, Record: true, Cluster: Cluster{Lag: -1}})
	c := dial(t, b, SASLPlaintext)
	c.scram(scramSHA256, alice, "alice-secret", "")
	made := c.create("", 1234)
	c.renew(made.HMAC, -1)
	c.describe()
	c.expire(made.HMAC, -1)
	salted := []byte("salted password of 32 bytes here")
	req := kmsg.NewPtrAlterUserSCRAMCredentialsRequest()
	req.Upsertions = []kmsg.AlterUserSCRAMCredentialsRequestUpsertion{{Name: "n", Mechanism: 1, Iterations: 4096, Salt: []byte("salt"), SaltedPassword: salted}}
	do[*kmsg.AlterUserSCRAMCredentialsResponse](c, req)

	var keys []int16
	var printed strings.Builder
	for _, r := range b.Requests() {
		keys = append(keys, r.Key)
		fmt.Fprintf(&printed, "%v %+v %#v %s\n", r, r.Message, r.Message, r.Principal)
		fmt.Fprintf(&printed, "%x %q\n", r.Message.AppendTo(nil), r.Message.AppendTo(nil))
	}
	if want := "[17 36 36 38 39 41 40 51]"; fmt.Sprint(keys) != want {
		t.Errorf("keys %v, want %s", keys, want)
	}
	if m, ok := b.Requests()[3].Message.(*kmsg.CreateDelegationTokenRequest); !ok || m.MaxLifetimeMillis != 1234 || b.Requests()[3].Principal != kafka.UserPrincipal(alice) || b.Requests()[3].ClientID != "test" {
		t.Errorf("the creation is not recorded as it came: %+v", b.Requests()[3])
	}
	if m, ok := b.Requests()[5].Message.(*kmsg.DescribeDelegationTokenRequest); !ok || m.Owners != nil {
		t.Error("null owners are not recorded as null")
	}
	var decimal strings.Builder
	for _, x := range made.HMAC[:8] {
		fmt.Fprintf(&decimal, "%d ", x)
	}
	for name, secret := range map[string]string{
		"HMAC in base64": base64.StdEncoding.EncodeToString(made.HMAC), "HMAC in hex": hex.EncodeToString(made.HMAC[:16]), "HMAC in decimal": decimal.String(),
		"salted password": string(salted), "salted password in hex": hex.EncodeToString(salted), "proof": "p=", "password": "alice-secret",
	} {
		if strings.Contains(printed.String(), secret) {
			t.Errorf("%s is in the record", name)
		}
	}
	if b.Count(createKey) != 1 || b.Count(99) != 0 || b.SignIns() != 1 || b.Connections() != 1 {
		t.Errorf("counts: create %d, sign-ins %d, connections %d", b.Count(createKey), b.SignIns(), b.Connections())
	}
}

// Printing what holds HMACs and passwords shows none.
func TestNothingPrintsSecrets(t *testing.T) {
	b := start(t, Options{})
	var tok *token
	var cred *credential
	b.cluster.view(func(s *state, _ int64) {
		tok = s.tokens[storyID("alice's laptop")]
		cred = s.scram[credentialKey{alice, scramSHA256}]
	})
	stored, _ := cred.serverKeys()
	printed := fmt.Sprintf("%v %+v %#v %v", *tok, *tok, *tok, []*token{tok})
	for name, secret := range map[string]string{"decimal": strings.Trim(fmt.Sprint(tok.hmac[:6]), "[]"), "base64": hmacText(tok.hmac[:]), "stored key": string(stored)} {
		if strings.Contains(printed, secret) {
			t.Errorf("the HMAC is printed (%s)", name)
		}
	}
}
