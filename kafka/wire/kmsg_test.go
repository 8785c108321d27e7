package wire_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka/wire"
)

// The oracle of these tests is franz-go's kmsg, which is generated from
// Kafka's own message definitions and shares nothing with our structs.

var hmac = bytes.Repeat([]byte{0x00, 0x7f, 0xff, 0x2c}, 16)

const clientID = "dtok"

func ptr(s string) *string { return &s }

// requests pairs each of our requests with kmsg's.
func requests(version int16) map[string]struct {
	ours   protocol.Message
	theirs kmsg.Request
} {
	type pair = struct {
		ours   protocol.Message
		theirs kmsg.Request
	}
	create := kmsg.NewPtrCreateDelegationTokenRequest()
	create.Renewers = []kmsg.CreateDelegationTokenRequestRenewer{{PrincipalType: "User", PrincipalName: "carol"}, {PrincipalType: "User", PrincipalName: "CN=a,OU=b"}}
	create.MaxLifetimeMillis = 86400000
	forOther := *create
	forOther.OwnerPrincipalType, forOther.OwnerPrincipalName = ptr("User"), ptr("älice")
	renew := kmsg.NewPtrRenewDelegationTokenRequest()
	renew.HMAC, renew.RenewTimeMillis = hmac, -1
	expire := kmsg.NewPtrExpireDelegationTokenRequest()
	expire.HMAC, expire.ExpiryPeriodMillis = hmac, -1

	renewers := []wire.Principal{{Type: "User", Name: "carol"}, {Type: "User", Name: "CN=a,OU=b"}}
	return map[string]pair{
		"create for itself":   {&wire.CreateRequest{Renewers: renewers, MaxLifetimeMs: 86400000}, create},
		"create for another":  {&wire.CreateRequest{OwnerType: "User", OwnerName: "älice", Renewers: renewers, MaxLifetimeMs: 86400000}, &forOther},
		"create, no renewers": {&wire.CreateRequest{MaxLifetimeMs: -1}, &kmsg.CreateDelegationTokenRequest{MaxLifetimeMillis: -1}},
		"renew":               {&wire.RenewRequest{HMAC: hmac, PeriodMs: -1}, renew},
		"expire":              {&wire.ExpireRequest{HMAC: hmac, PeriodMs: -1}, expire},
	}
}

func TestRequestsAreTheBytesOfKmsg(t *testing.T) {
	format := kmsg.NewRequestFormatter(kmsg.FormatterClientID(clientID))
	for name, p := range requests(0) {
		for v := int16(0); v <= p.theirs.MaxVersion(); v++ {
			t.Run(fmt.Sprintf("%s v%d", name, v), func(t *testing.T) {
				var got bytes.Buffer
				if err := wire.WriteRequest(&got, v, 77, clientID, p.ours); err != nil {
					t.Fatal(err)
				}
				p.theirs.SetVersion(v)
				want := format.AppendRequest(nil, p.theirs, 77)
				if !bytes.Equal(got.Bytes(), want) {
					t.Fatalf("ours  %x\nkmsg  %x", got.Bytes(), want)
				}
				gv, id, client, msg, err := protocol.ReadRequest(bytes.NewReader(want))
				if err != nil {
					t.Fatalf("kafka-go does not read kmsg's bytes back: %v", err)
				}
				var again bytes.Buffer
				if err := protocol.WriteRequest(&again, gv, id, client, msg); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(again.Bytes(), want) {
					t.Fatalf("read and written again %x\nkmsg %x", again.Bytes(), want)
				}
			})
		}
	}
}

func TestRangesAreTheProtocols(t *testing.T) {
	for name, p := range requests(0) {
		key := p.ours.ApiKey()
		if err := wire.WriteRequest(io.Discard, 0, 1, clientID, p.ours); err != nil {
			t.Error(err)
		}
		if int16(key) != p.theirs.Key() {
			t.Errorf("%s: key %d, kmsg %d", name, key, p.theirs.Key())
		}
		if key.MinVersion() != 0 || key.MaxVersion() != p.theirs.MaxVersion() {
			t.Errorf("%s: v%d–v%d, want v0–v%d", name, key.MinVersion(), key.MaxVersion(), p.theirs.MaxVersion())
		}
	}
}

func createResponse(version int16) (wire.CreateResponse, *kmsg.CreateDelegationTokenResponse) {
	theirs := kmsg.NewPtrCreateDelegationTokenResponse()
	theirs.SetVersion(version)
	theirs.PrincipalType, theirs.PrincipalName = "User", "alice"
	theirs.TokenRequesterPrincipalType, theirs.TokenRequesterPrincipalName = "User", "ops"
	theirs.IssueTimestamp, theirs.ExpiryTimestamp, theirs.MaxTimestamp = 1, 2, 1<<63-1
	theirs.TokenID, theirs.HMAC, theirs.ThrottleMillis = "mT7hWl4TQNSmFqdn8gnYUA", hmac, 5000
	ours := wire.CreateResponse{OwnerType: "User", OwnerName: "alice", RequesterType: "User", RequesterName: "ops",
		IssuedMs: 1, ExpiresMs: 2, MaxMs: 1<<63 - 1, TokenID: "mT7hWl4TQNSmFqdn8gnYUA", HMAC: hmac, ThrottleMs: 5000}
	if version < 3 {
		ours.RequesterType, ours.RequesterName = "", ""
	}
	return ours, theirs
}

func describeResponse(version int16) ([]wire.Described[wire.Principal], *kmsg.DescribeDelegationTokenResponse) {
	theirs := kmsg.NewPtrDescribeDelegationTokenResponse()
	theirs.SetVersion(version)
	var ours []wire.Described[wire.Principal]
	for i := range 4 {
		k := kmsg.NewDescribeDelegationTokenResponseTokenDetail()
		o := wire.Described[wire.Principal]{Owner: wire.Principal{Type: "User", Name: fmt.Sprint("owner", i/2)}, IssuedMs: int64(i), ExpiresMs: -1,
			MaxMs: 1<<63 - 1, ID: fmt.Sprint("t-", i), HMAC: append([]byte{byte(i)}, hmac[1:]...)}
		k.PrincipalType, k.PrincipalName = "User", o.Owner.Name
		if version >= 3 {
			o.Requester = wire.Principal{Type: "User", Name: "ops"}
		}
		k.TokenRequesterPrincipalType, k.TokenRequesterPrincipalName = "User", "ops"
		k.IssueTimestamp, k.ExpiryTimestamp, k.MaxTimestamp = o.IssuedMs, o.ExpiresMs, o.MaxMs
		k.TokenID, k.HMAC = o.ID, o.HMAC
		for n := range i {
			o.Renewers = append(o.Renewers, wire.Principal{Type: "User", Name: fmt.Sprint("r", n)})
			k.Renewers = append(k.Renewers, kmsg.DescribeDelegationTokenResponseTokenDetailRenewer{PrincipalType: "User", PrincipalName: fmt.Sprint("r", n)})
		}
		ours = append(ours, o)
		theirs.TokenDetails = append(theirs.TokenDetails, k)
	}
	theirs.ThrottleMillis = 9
	return ours, theirs
}

// frame is a whole answer as kmsg would send it.
func frame(id int32, r kmsg.Response) []byte {
	b := binary.BigEndian.AppendUint32(nil, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(id))
	if r.IsFlexible() && r.Key() != 18 {
		b = append(b, 0)
	}
	b = r.AppendTo(b)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

// bodyOf is what follows the header of an answer that kmsg has written.
func bodyOf(t *testing.T, r kmsg.Response) []byte {
	t.Helper()
	id, body, err := wire.Body(frame(7, r)[4:], r.IsFlexible())
	if err != nil || id != 7 {
		t.Fatalf("v%d: header: id %d, %v", r.GetVersion(), id, err)
	}
	return body
}

func TestResponsesAreTheBytesOfKmsg(t *testing.T) {
	for _, p := range requests(0) { // which registers their answers
		if err := wire.WriteRequest(io.Discard, 0, 1, clientID, p.ours); err != nil {
			t.Fatal(err)
		}
	}
	check := func(t *testing.T, v int16, ours protocol.Message, theirs kmsg.Response) []byte {
		t.Helper()
		theirs.SetVersion(v)
		want := frame(7, theirs)
		var got bytes.Buffer
		if err := protocol.WriteResponse(&got, v, 7, ours); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("v%d\nours %x\nkmsg %x", v, got.Bytes(), want)
		}
		return bodyOf(t, theirs)
	}
	ignore := cmp.Options{cmpopts.IgnoreUnexported(wire.CreateResponse{}, wire.RenewResponse{}, wire.ExpireResponse{},
		wire.Principal{}), cmpopts.EquateEmpty()}
	for v := int16(0); v <= 3; v++ {
		ours, theirs := createResponse(v)
		got, err := wire.ReadCreate(v, check(t, v, &ours, theirs))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(ours, got, ignore); d != "" {
			t.Errorf("create v%d: %s", v, d)
		}

		many, manyTheirs := describeResponse(v)
		tokens, code, err := wire.ReadDescribe(v, bodyOf(t, manyTheirs), newPrincipal, keepAll)
		if err != nil || code != 0 {
			t.Fatalf("describe v%d: code %d, %v", v, code, err)
		}
		if d := cmp.Diff(many, tokens, ignore); d != "" {
			t.Errorf("describe v%d: %s", v, d)
		}
	}
	for v := int16(0); v <= 2; v++ {
		renewed := kmsg.NewPtrRenewDelegationTokenResponse()
		renewed.ErrorCode, renewed.ExpiryTimestamp, renewed.ThrottleMillis = 63, -1, 4
		want := wire.RenewResponse{ErrorCode: 63, ExpiresMs: -1, ThrottleMs: 4}
		if got, err := wire.ReadRenew(v, check(t, v, &want, renewed)); err != nil || got != want {
			t.Errorf("renew v%d: %+v, %v", v, got, err)
		}
		expired := kmsg.NewPtrExpireDelegationTokenResponse()
		expired.ErrorCode, expired.ExpiryTimestamp, expired.ThrottleMillis = 0, 1764500000000, 0
		gone := wire.ExpireResponse{ExpiresMs: 1764500000000}
		if got, err := wire.ReadExpire(v, check(t, v, &gone, expired)); err != nil || got != gone {
			t.Errorf("expire v%d: %+v, %v", v, got, err)
		}
	}
}

func newPrincipal(kind, name string) wire.Principal { return wire.Principal{Type: kind, Name: name} }

// keepAll keeps each token with an HMAC of its own.
func keepAll(t wire.Described[wire.Principal]) (wire.Described[wire.Principal], bool) {
	t.HMAC = bytes.Clone(t.HMAC)
	return t, true
}
