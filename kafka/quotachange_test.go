package kafka

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The three entities that one letter tells apart, and names that other tools
// encode: each is read back as it was set, and nothing else changes.
func TestSetAndRemoveQuotas(t *testing.T) {
	names := []EntityPart{DefaultPart(), NamedPart("<default>"), NamedPart("alice"), NamedPart("CN=alice,OU=x y"), NamedPart("a@b/c%3D"), NamedPart("ü\u200b"), NamedPart(strings.Repeat("n", 200))}
	for _, version := range []int16{0, 1} {
		var store *quotaStore
		s := opsStub(t, func(s *stub) {
			store = s.storesQuotas()
			s.offered[48], s.offered[49] = [2]int16{0, version}, [2]int16{0, version}
		})
		c, _ := dialStub(t, s)
		for i, user := range names {
			for _, e := range []Entity{{User: user}, {ClientID: user}, {User: user, ClientID: DefaultPart()}} {
				before := len(store.entities)
				change := QuotaChange{Entity: e, Key: QuotaProducerBytes, Value: float64(1e6 + i), Reason: "load test", Progress: new(Progress)}
				done, err := c.SetQuota(t.Context(), change)
				if err != nil || done.Before != nil || done.BeforeErr != nil || done.After == nil || *done.After != change.Value || done.Entity != e {
					t.Fatalf("%s: %+v, %v", e, done, err)
				}
				if len(store.entities) != before+1 || store.entities[before].Entity != e || change.Progress.Phase() != PhaseSent {
					t.Fatalf("%s was set as %v", e, store.entities[before:])
				}
				change.Value = 7
				if done, err = c.SetQuota(t.Context(), change); err != nil || done.Before == nil || *done.Before != float64(1e6+i) {
					t.Fatalf("%s again: %+v, %v", e, done, err)
				}
				name, _ := user.Name()
				l, err := c.Quotas(t.Context(), UserPrincipal(name))
				if v, ok := l.Value(e, QuotaProducerBytes); err != nil || !ok || v != 7 {
					t.Fatalf("%s reads back as %v, %v", e, l.Entities, err)
				}
			}
		}
		for _, q := range slices.Clone(store.entities) {
			done, err := c.RemoveQuota(t.Context(), QuotaChange{Entity: q.Entity, Key: QuotaProducerBytes})
			if err != nil || done.Before == nil || *done.Before != 7 || done.After != nil {
				t.Fatalf("%s: %+v, %v", q.Entity, done, err)
			}
		}
		if len(store.entities) != 0 {
			t.Errorf("left: %v", store.entities)
		}
		done, err := c.RemoveQuota(t.Context(), QuotaChange{Entity: Entity{User: NamedPart("alice")}, Key: "was not there"})
		if err != nil || done.Before != nil {
			t.Errorf("%+v, %v", done, err)
		}
		for _, r := range s.requests(49) {
			if r.GetVersion() != version {
				t.Fatalf("v%d was sent", r.GetVersion())
			}
		}
	}
}

// The bytes of a name: null is the default, and empty is a name.
func TestEmptyNamesAreNotNull(t *testing.T) {
	for _, tc := range []struct {
		part   EntityPart
		v0, v1 []byte // the type's text and the name
	}{
		{DefaultPart(), []byte("\x00\x04user\xff\xff"), []byte("\x05user\x00\x00")},
		{NamedPart(""), []byte("\x00\x04user\x00\x00"), []byte("\x05user\x01\x00")},
		{NamedPart("a"), []byte("\x00\x04user\x00\x01a"), []byte("\x05user\x02a\x00")},
	} {
		for version, want := range [][]byte{tc.v0, tc.v1} {
			req := alterQuota(QuotaChange{Entity: Entity{User: tc.part}, Key: "k", Value: 1}, false, true).req.(encoded)
			if frame := req.frame(int16(version), 1, "dtok"); !bytes.Contains(frame, want) {
				t.Errorf("%v v%d: %q is not in %q", tc.part, version, want, frame)
			}
		}
	}
	// A deletion's filter, where null would mean any.
	r := ACLRule{ResourceTopic, "", PatternLiteral, "", "", OperationRead, PermissionAllow}
	if frame := deletion([]ACLRule{r}).frame(2, 1, ""); !bytes.Contains(frame, []byte{2, 1, 3, 1, 1, 3, 3, 0}) {
		t.Errorf("%q", frame)
	}
	if (encoded{kmsg.NewPtrDeleteACLsRequest()}).ApiKey() != protocol.DeleteAcls {
		t.Error("the key is not the request's")
	}
}

func TestQuotaChangeIsValidatedFirst(t *testing.T) {
	e := Entity{User: NamedPart("")}
	s := opsStub(t, func(s *stub) { s.storesQuotas() })
	c, _ := dialStub(t, s)
	_, err := c.SetQuota(t.Context(), QuotaChange{Entity: e, Key: QuotaMutations, Value: 1})
	if r := as[*RefusedError](t, err); r.Error() != `The cluster refused to set quotas: INVALID_REQUEST (42), "Empty user not supported".` {
		t.Error(err)
	}
	if n := s.count(49); n != 1 || !s.requests(49)[0].(*kmsg.AlterClientQuotasRequest).ValidateOnly {
		t.Errorf("%d changes were sent", n)
	}
}

func TestQuotaChangeFaults(t *testing.T) {
	drop := func(kmsg.Request) answer { return answer{drop: true} }
	cluster := "Cluster authorization failed."
	for _, tc := range []struct {
		name               string
		validation, change func(kmsg.Request) answer
		sent               int // changes, not validations
		unknown            bool
		text               string
	}{
		{"31", quotaCode(31, &cluster), nil, 0, false, "This connection's identity may not set quotas: it needs AlterConfigs on the cluster."},
		{"31 only later", nil, quotaCode(31, nil), 1, false, "This connection's identity may not set quotas: it needs AlterConfigs on the cluster."},
		{"7 to the validation", quotaCode(7, nil), nil, 0, false, "asked whether it would set quota: the broker answered REQUEST_TIMED_OUT (7); nothing was sent"},
		{"7", nil, quotaCode(7, nil), 1, true, `The outcome of "set quota" is unknown`},
		{"-1", nil, quotaCode(-1, nil), 1, true, `The outcome of "set quota" is unknown`},
		{"no entity in the answer", nil, func(r kmsg.Request) answer { return reply(r.ResponseKind()) }, 1, true, `The outcome of "set quota" is unknown`},
		{"lost", nil, drop, 1, true, `The outcome of "set quota" is unknown`},
		{"validation lost", drop, nil, 0, false, "the other side closed the connection without an answer; nothing was sent"},
	} {
		s := opsStub(t, answers49(tc.validation, tc.change))
		c, _ := dialStub(t, s)
		_, err := c.SetQuota(t.Context(), QuotaChange{Entity: Entity{User: NamedPart("alice")}, Key: QuotaMutations, Value: 1})
		if err == nil || !strings.HasPrefix(err.Error(), tc.text) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if _, unknown := err.(*UnknownOutcomeError); unknown != tc.unknown {
			t.Errorf("%s: %T", tc.name, err)
		}
		sent := 0
		for _, r := range s.requests(49) {
			if !r.(*kmsg.AlterClientQuotasRequest).ValidateOnly {
				sent++
			}
		}
		if sent != tc.sent {
			t.Errorf("%s: %d changes were sent", tc.name, sent)
		}
	}
}

func TestQuotaChangesThatAreNotSent(t *testing.T) {
	s := opsStub(t, func(s *stub) { s.storesQuotas() })
	c, _ := dialStub(t, s)
	user := Entity{User: NamedPart("alice")}
	for _, change := range []QuotaChange{
		{Entity: Entity{}, Key: QuotaMutations, Value: 1}, {Entity: Entity{User: DefaultPart(), Other: "ip=::1"}, Key: QuotaMutations, Value: 1},
		{Entity: user, Key: QuotaMutations}, {Entity: user, Key: QuotaProducerBytes, Value: 1.5}, {Entity: user, Value: 1},
		{Entity: Entity{User: NamedPart(strings.Repeat("n", 40000))}, Key: QuotaMutations, Value: 1},
	} {
		if _, err := c.SetQuota(t.Context(), change); err == nil || !strings.HasSuffix(err.Error(), "; nothing was sent") {
			t.Errorf("%.80v: %v", change, err)
		}
	}
	if _, err := c.RemoveQuota(t.Context(), QuotaChange{Entity: user}); err == nil {
		t.Error("a removal without a key")
	}
	if s.count(48)+s.count(49) != 0 {
		t.Errorf("sent %v", s.keys())
	}
	c, _ = dialStub(t, opsStub(t, func(s *stub) { delete(s.offered, 48); delete(s.offered, 49) }))
	_, err := c.SetQuota(t.Context(), QuotaChange{Entity: user, Key: QuotaMutations, Value: 1})
	if e := as[*UnsupportedError](t, err); e.Needs != "2.6" {
		t.Error(err)
	}
}
