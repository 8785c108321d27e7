package kafka

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// quotaStore answers the two quota requests as Kafka does
// (ClientQuotasImage.describe and ClientQuotaControlManager).
type quotaStore struct {
	mu       sync.Mutex
	entities []QuotaEntity
}

func (s *stub) storesQuotas(entities ...QuotaEntity) *quotaStore {
	store := &quotaStore{entities: entities}
	s.on[48], s.on[49] = store.describe, store.alter
	return store
}

func quotas(e Entity, values ...QuotaValue) QuotaEntity { return QuotaEntity{e, values} }

func partsOf(e Entity) (parts []kmsg.DescribeClientQuotasResponseEntryEntity) {
	for kind, p := range map[string]EntityPart{"user": e.User, "client-id": e.ClientID} {
		switch name, named := p.Name(); {
		case named:
			parts = append(parts, kmsg.DescribeClientQuotasResponseEntryEntity{Type: kind, Name: &name})
		case p.IsDefault():
			parts = append(parts, kmsg.DescribeClientQuotasResponseEntryEntity{Type: kind})
		}
	}
	if kind, name, ok := strings.Cut(e.Other, "="); ok {
		parts = append(parts, kmsg.DescribeClientQuotasResponseEntryEntity{Type: kind, Name: &name})
	}
	return parts
}

func (s *quotaStore) describe(r kmsg.Request) answer {
	req, resp := r.(*kmsg.DescribeClientQuotasRequest), r.ResponseKind().(*kmsg.DescribeClientQuotasResponse)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.entities {
		parts := partsOf(q.Entity)
		match := !req.Strict || len(parts) == len(req.Components)
		for _, c := range req.Components {
			match = match && slices.ContainsFunc(parts, func(p kmsg.DescribeClientQuotasResponseEntryEntity) bool {
				switch {
				case p.Type != c.EntityType:
					return false
				case c.MatchType == 0:
					return p.Name != nil && *p.Name == *c.Match
				case c.MatchType == 1:
					return p.Name == nil
				}
				return true
			})
		}
		if !match {
			continue
		}
		e := kmsg.DescribeClientQuotasResponseEntry{Entity: parts}
		for _, v := range q.Values {
			e.Values = append(e.Values, kmsg.DescribeClientQuotasResponseEntryValue{Key: v.Key, Value: v.Value})
		}
		resp.Entries = append(resp.Entries, e)
	}
	return reply(resp)
}

func (s *quotaStore) alter(r kmsg.Request) answer {
	req, resp := r.(*kmsg.AlterClientQuotasRequest), r.ResponseKind().(*kmsg.AlterClientQuotasResponse)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, entry := range req.Entries {
		var e Entity
		var a kmsg.AlterClientQuotasResponseEntry
		for _, p := range entry.Entity {
			a.Entity = append(a.Entity, kmsg.AlterClientQuotasResponseEntryEntity(p))
			part := DefaultPart()
			if p.Name != nil {
				part = NamedPart(*p.Name)
			}
			if p.Type == "user" {
				e.User = part
			} else {
				e.ClientID = part
			}
			if p.Name != nil && *p.Name == "" {
				a.ErrorCode, a.ErrorMessage = 42, kmsg.StringPtr("Empty "+p.Type+" not supported")
			}
		}
		if a.ErrorCode == 0 && !req.ValidateOnly {
			s.apply(e, entry.Ops)
		}
		resp.Entries = append(resp.Entries, a)
	}
	return reply(resp)
}

func (s *quotaStore) apply(e Entity, ops []kmsg.AlterClientQuotasRequestEntryOp) {
	i := slices.IndexFunc(s.entities, func(q QuotaEntity) bool { return q.Entity == e })
	if i < 0 {
		s.entities, i = append(s.entities, QuotaEntity{Entity: e}), len(s.entities)
	}
	q := &s.entities[i]
	for _, op := range ops {
		q.Values = slices.DeleteFunc(q.Values, func(v QuotaValue) bool { return v.Key == op.Key })
		if !op.Remove {
			q.Values = append(q.Values, QuotaValue{op.Key, op.Value})
		}
	}
	if len(q.Values) == 0 {
		s.entities = slices.Delete(s.entities, i, i+1)
	}
}

func TestQuotasOfAUser(t *testing.T) {
	entities, _ := eight()
	s := opsStub(t, func(s *stub) {
		store := s.storesQuotas(quotas(Entity{User: NamedPart("bob")}, QuotaValue{QuotaMutations, 1}), quotas(Entity{User: NamedPart("<default>")}, QuotaValue{QuotaMutations, 2}),
			quotas(Entity{User: NamedPart("")}, QuotaValue{QuotaMutations, 3}), quotas(Entity{User: NamedPart("bob"), ClientID: DefaultPart()}, QuotaValue{QuotaMutations, 4}),
			quotas(Entity{User: NamedPart("alice"), Other: "group=g"}, QuotaValue{"tomorrow", 5}))
		for i, e := range slices.Backward(entities) {
			store.entities = append(store.entities, quotas(e, QuotaValue{"tomorrow", 1}, QuotaValue{QuotaMutations, float64(i)}, QuotaValue{QuotaProducerBytes, 9}))
		}
	})
	c, k := dialStub(t, s)
	l, err := c.Quotas(t.Context(), alice)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range l.Entities {
		got = append(got, fmt.Sprintf("%d %s %v", q.Entity.Level(), q.Entity, q.Values))
	}
	want := []string{"0 user alice, group=g [{tomorrow 5}]"}
	for i, e := range entities {
		want = append(want, fmt.Sprintf("%d %s [{producer_byte_rate 9} {controller_mutation_rate %d} {tomorrow 1}]", i+1, e, i))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !l.Read.Equal(k.clock().now()) || s.count(48) != 3 {
		t.Errorf("read at %s with %d requests", l.Read, s.count(48))
	}
	if v, ok := l.Value(entities[3], QuotaMutations); !ok || v != 3 {
		t.Error(v, ok)
	}
	if _, ok := l.Value(entities[3], "nope"); ok {
		t.Error("a value that is not there")
	}
}

func TestQuotasRefusedAndAbsent(t *testing.T) {
	refuse := func(code int16) func(*stub) {
		return func(s *stub) {
			s.on[48] = func(r kmsg.Request) answer {
				resp := r.ResponseKind().(*kmsg.DescribeClientQuotasResponse)
				resp.ErrorCode = code
				return reply(resp)
			}
		}
	}
	for _, tc := range []struct {
		name   string
		change func(*stub)
		text   string
	}{
		{"31", refuse(31), "This connection's identity may not list quotas: it needs DescribeConfigs on the cluster."},
		{"35", refuse(35), "The broker refused to list quotas: UNSUPPORTED_VERSION (35)."},
		{"before 2.6", func(s *stub) { delete(s.offered, 48); delete(s.offered, 49) }, "The broker does not offer DescribeClientQuotas, which needs Kafka 2.6 or later"},
	} {
		c, _ := dialStub(t, opsStub(t, tc.change, func(s *stub) { s.stores() }))
		if _, err := c.Quotas(t.Context(), alice); err == nil || !strings.HasPrefix(err.Error(), tc.text) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if _, err := c.Rules(t.Context(), alice); err != nil { // the rest of the page works
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	c, _ := dialStub(t, opsStub(t, func(s *stub) { s.on[48] = func(kmsg.Request) answer { return answer{drop: true} } }))
	if _, err := c.Quotas(t.Context(), alice); err == nil {
		t.Error("a closed connection is no list")
	}
}

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

// answers49 answers the validation and the change apart.
func answers49(validation, change func(kmsg.Request) answer) func(*stub) {
	return func(s *stub) {
		store := s.storesQuotas()
		s.on[49] = func(r kmsg.Request) answer {
			do := change
			if r.(*kmsg.AlterClientQuotasRequest).ValidateOnly {
				do = validation
			}
			if do == nil {
				return store.alter(r)
			}
			return do(r)
		}
	}
}

func quotaCode(code int16, text *string) func(kmsg.Request) answer {
	return func(r kmsg.Request) answer {
		resp := r.ResponseKind().(*kmsg.AlterClientQuotasResponse)
		resp.Entries = []kmsg.AlterClientQuotasResponseEntry{{ErrorCode: code, ErrorMessage: text}}
		return reply(resp)
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

// BenchmarkQuotas reads many entities: time and memory grow with them.
func BenchmarkQuotas(b *testing.B) {
	for _, n := range []int{2000, 20000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			resp := kmsg.NewPtrDescribeClientQuotasResponse()
			resp.SetVersion(1)
			for i := range n {
				resp.Entries = append(resp.Entries, kmsg.DescribeClientQuotasResponseEntry{
					Entity: partsOf(Entity{User: NamedPart("alice"), ClientID: NamedPart(fmt.Sprintf("app-%06d", (i*7919)%n))}),
					Values: []kmsg.DescribeClientQuotasResponseEntryValue{{Key: QuotaProducerBytes, Value: 1e6}, {Key: QuotaConsumerBytes, Value: 2e6}}})
			}
			body := resp.AppendTo(nil)
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				var answer kmsg.DescribeClientQuotasResponse
				asked := &call{}
				if err := reading(&answer, func(*kmsg.DescribeClientQuotasResponse) {})(1, body); err != nil {
					b.Fatal(err)
				}
				l := QuotaList{User: alice}
				l.Entities, asked.err = describedQuotas(asked, &answer)
				slices.SortFunc(l.Entities, compareEntities)
				if len(l.Effective(NamedPart("app-000001"))) != 4 || len(l.ClientIDs()) != n {
					b.Fatal("wrong")
				}
			}
		})
	}
}
