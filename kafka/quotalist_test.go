package kafka

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"
)

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
				if _, err := reading(&answer, func(*kmsg.DescribeClientQuotasResponse) {})(1, body); err != nil {
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
