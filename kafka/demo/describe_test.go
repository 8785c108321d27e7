package demo

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// threeTokens makes one token of alice (renewer bob), one of bob that alice
// asked for, and one of carol (no renewers), and returns their ids.
func threeTokens(t *testing.T, b *Broker) (ofAlice, ofBob, ofCarol string) {
	t.Helper()
	addRule(t, b, allowed(alice, createTokens, userResource, "User:bob"))
	a := as(t, b, alice)
	ofAlice = a.create("", -1, "User:bob").TokenID
	ofBob = a.create("User:bob", -1).TokenID
	ofCarol = as(t, b, carol).create("", -1).TokenID
	if ofAlice == "" || ofBob == "" || ofCarol == "" {
		t.Fatal("a token was not made")
	}
	return ofAlice, ofBob, ofCarol
}

func TestDescribeFilter(t *testing.T) {
	b, _ := bare(t, Cluster{})
	ofAlice, ofBob, ofCarol := threeTokens(t, b)
	ids := func(req *kmsg.DescribeDelegationTokenRequest, who string) []string {
		var out []string
		resp := do[*kmsg.DescribeDelegationTokenResponse](as(t, b, who), req)
		if resp.ErrorCode != 0 {
			t.Fatalf("code %d", resp.ErrorCode)
		}
		for _, d := range resp.TokenDetails {
			out = append(out, d.TokenID)
		}
		slices.Sort(out)
		return out
	}
	nobody := describeRequest()
	nobody.Owners = []kmsg.DescribeDelegationTokenRequestOwner{} // empty, not null
	for _, tc := range []struct {
		name string
		who  string
		req  *kmsg.DescribeDelegationTokenRequest
		want []string
	}{
		{"owner and requester", alice, describeRequest(), []string{ofAlice, ofBob}},
		{"owner and renewer", bob, describeRequest(), []string{ofAlice, ofBob}},
		{"one's own only", carol, describeRequest(), []string{ofCarol}},
		{"super user", admin, describeRequest(), []string{ofAlice, ofBob, ofCarol}},
		{"stranger", zoe, describeRequest(), nil},
		{"an empty list asks for nothing", admin, nobody, nil},
		{"owner also finds the renewer", admin, describeRequest("User:bob"), []string{ofAlice, ofBob}},
		{"owner also finds the requester", admin, describeRequest("User:alice"), []string{ofAlice, ofBob}},
		{"unknown owner", admin, describeRequest("User:nobody"), nil},
		{"another type", admin, describeRequest("Group:alice"), nil},
		{"two owners", admin, describeRequest("User:carol", "User:nobody"), []string{ofCarol}},
		{"an owner one may not see", alice, describeRequest("User:carol"), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			slices.Sort(tc.want)
			if got := ids(tc.req, tc.who); !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	addRule(t, b, allowed(zoe, describeTokens, userResource, "User:alice"))
	addRule(t, b, allowed(zoe, describe, tokenResource, ofCarol))
	want := []string{ofAlice, ofCarol}
	slices.Sort(want)
	if got := ids(describeRequest(), zoe); !slices.Equal(got, want) {
		t.Errorf("with DescribeTokens on alice and Describe on carol's token: %q, want %q", got, want)
	}
	addRule(t, b, allowed(zoe, describeTokens, userResource, "User:").prefixed().denied())
	if got := ids(describeRequest(), zoe); !slices.Equal(got, []string{ofCarol}) {
		t.Errorf("with DescribeTokens denied: %q", got)
	}
}

// What is encoded straight into the frame must be what kmsg would encode.
func TestDescribeEncoding(t *testing.T) {
	b := start(t, Options{})
	for version := int16(0); version <= 3; version++ {
		list := &tokenList{}
		list.Version = version
		want := kmsg.NewPtrDescribeDelegationTokenResponse()
		want.Version = version
		b.cluster.view(func(s *state, _ int64) {
			for _, tok := range s.tokens {
				list.tokens = append(list.tokens, tok)
				d := kmsg.NewDescribeDelegationTokenResponseTokenDetail()
				d.PrincipalType, d.PrincipalName = tok.owner.Type, tok.owner.Name
				d.TokenRequesterPrincipalType, d.TokenRequesterPrincipalName = tok.requester.Type, tok.requester.Name
				d.IssueTimestamp, d.ExpiryTimestamp, d.MaxTimestamp = tok.issued, tok.expires, tok.maxEnds
				d.TokenID, d.HMAC = tok.id, tok.hmac[:]
				for _, r := range tok.renewers {
					d.Renewers = append(d.Renewers, kmsg.DescribeDelegationTokenResponseTokenDetailRenewer{PrincipalType: r.Type, PrincipalName: r.Name})
				}
				want.TokenDetails = append(want.TokenDetails, d)
			}
		})
		got := list.AppendTo(nil)
		if len(list.tokens) < 10 || !bytes.Equal(got, want.AppendTo(nil)) {
			t.Errorf("v%d: %d tokens encode otherwise than kmsg does", version, len(list.tokens))
		}
		// In pieces it is the same frame.
		for len(list.tokens) < longList {
			list.tokens = append(list.tokens, list.tokens...)
		}
		pieces := bytes.NewBuffer(list.frameStart(7))
		if err := list.writeBody(pieces); err != nil || !bytes.Equal(pieces.Bytes(), appendResponse(7, list)) {
			t.Errorf("v%d: in pieces it is another frame: %v", version, err)
		}
		if m := list.message(); len(m.TokenDetails) != len(list.tokens) {
			t.Errorf("v%d: message has %d tokens", version, len(m.TokenDetails))
		}
	}
}

// Vector made with javax.crypto's HmacSHA512.
func TestHMAC(t *testing.T) {
	var mac hmacBytes
	newKeyring("test-secret-key").hmacOf("mT7hWl4TQNSmFqdn8gnYUA", &mac)
	const want = "5O4ytNsIqfjwFoUqjj3eRrbBbHIDz4T2yquUyJvUlc6jmXe/WZekYxCs3U4RoDzSmpioawbOMku2FAobQLk0lA=="
	if got := hmacText(mac[:]); got != want {
		t.Errorf("got %s", got)
	}
}

func TestTokenOrderMeansNothing(t *testing.T) {
	b := start(t, Options{})
	c := as(t, b, admin)
	orders := map[string]bool{}
	for range 8 {
		var ids []string
		for _, d := range c.describe().TokenDetails {
			ids = append(ids, d.TokenID)
		}
		orders[strings.Join(ids, " ")] = true
	}
	if len(orders) < 2 {
		t.Error("20 tokens came in the same order eight times")
	}
}

func TestHookedTokens(t *testing.T) {
	b, _ := bare(t, Cluster{})
	made := kafka.Token{ID: "t-1", Owner: kafka.UserPrincipal(alice), Issued: epoch, Expires: epoch.Add(hour), MaxLifetimeEnds: epoch.Add(day)}
	if err := b.AddToken(made); err != nil {
		t.Fatal(err)
	}
	if err := b.AddToken(kafka.Token{ID: "t-2"}); err == nil {
		t.Error("a token without an owner was added")
	}
	listed := as(t, b, alice).describe().TokenDetails
	if len(listed) != 1 || listed[0].TokenID != "t-1" || listed[0].TokenRequesterPrincipalName != alice {
		t.Fatalf("listed: %d tokens", len(listed))
	}
	secret, err := b.HMAC("t-1")
	if err != nil {
		t.Fatal(err)
	}
	secret.Use(func(mac []byte) {
		if !bytes.Equal(mac, listed[0].HMAC) {
			t.Error("HMAC gives another HMAC than describe")
		}
	})
	if _, err := b.HMAC("t-9"); err == nil {
		t.Error("HMAC of an unknown token")
	}
}
