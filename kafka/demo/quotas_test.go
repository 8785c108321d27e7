package demo

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// part makes type and name pairs; a name of "<default>" is null.
func alteration(ops []kmsg.AlterClientQuotasRequestEntryOp, pairs ...string) kmsg.AlterClientQuotasRequestEntry {
	e := kmsg.NewAlterClientQuotasRequestEntry()
	for i := 0; i < len(pairs); i += 2 {
		p := kmsg.NewAlterClientQuotasRequestEntryEntity()
		p.Type = pairs[i]
		if pairs[i+1] != "<default>" {
			p.Name = &pairs[i+1]
		}
		e.Entity = append(e.Entity, p)
	}
	e.Ops = ops
	return e
}

func set(key string, value float64) []kmsg.AlterClientQuotasRequestEntryOp {
	return []kmsg.AlterClientQuotasRequestEntryOp{{Key: key, Value: value}}
}

func remove(key string) []kmsg.AlterClientQuotasRequestEntryOp {
	return []kmsg.AlterClientQuotasRequestEntryOp{{Key: key, Remove: true}}
}

func alterQuotasRequest(entries ...kmsg.AlterClientQuotasRequestEntry) *kmsg.AlterClientQuotasRequest {
	req := kmsg.NewPtrAlterClientQuotasRequest()
	req.Version, req.Entries = 1, entries
	return req
}

func TestAlterQuotasChecks(t *testing.T) {
	const rate = "producer_byte_rate"
	b, _ := bare(t, Cluster{})
	c := as(t, b, admin)
	for _, tc := range []struct {
		entry kmsg.AlterClientQuotasRequestEntry
		code  int16
		text  string
	}{
		{alteration(set(rate, 1024), "user", "a"), 0, "(null)"},
		{alteration(set(rate, 1024), "user", "<default>", "client-id", "c"), 0, "(null)"},
		{alteration(set("request_percentage", 12.5), "user", "a"), 0, "(null)"},
		{alteration(set("connection_creation_rate", 1000), "ip", "1.2.3.4"), 0, "(null)"},
		{alteration(remove("never heard of"), "user", "a"), 0, "(null)"},
		{alteration(nil, "user", "a"), 0, "(null)"},
		{alteration(set(rate, 1)), 42, "Invalid empty client quota entity"},
		{alteration(set(rate, 1), "user", ""), 42, "Empty user not supported"},
		{alteration(set(rate, 1), "client-id", ""), 42, "Empty client-id not supported"},
		{alteration(set(rate, 1), "bogus", "x"), 42, "Unhandled client quota entity type: bogus"},
		{alteration(set(rate, 1), "user", "a", "ip", "1.2.3.4"), 42, "Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId"},
		{alteration(set("connection_creation_rate", 1), "ip", "not an ip"), 42, "not an ip is not a valid IP or resolvable host."},
		{alteration(set(rate, 0), "user", "a"), 42, "Quota producer_byte_rate must be greater than 0"},
		{alteration(set(rate, -1), "user", "a"), 42, "Quota producer_byte_rate must be greater than 0"},
		{alteration(set(rate, 1.5), "user", "a"), 42, "producer_byte_rate cannot be a fractional value."},
		{alteration(set(rate, 1e19), "user", "a"), 42, "Proposed value for producer_byte_rate is too large for a LONG."},
		{alteration(set("nope", 1), "user", "a"), 42, "Invalid configuration key nope"},
		{alteration(set("connection_creation_rate", 1), "user", "a"), 42, "Invalid configuration key connection_creation_rate"},
		{alteration(append(set(rate, 1), set(rate, 2)...), "user", "twice"), 42, "Ignoring duplicate entity ClientQuotaEntity(entries={user=twice})"},
	} {
		r := do[*kmsg.AlterClientQuotasResponse](c, alterQuotasRequest(tc.entry))
		if got := r.Entries[0]; got.ErrorCode != tc.code || text(got.ErrorMessage) != tc.text {
			t.Errorf("%+v %+v: code %d %q", tc.entry.Entity, tc.entry.Ops, got.ErrorCode, text(got.ErrorMessage))
		}
	}
	if r := do[*kmsg.AlterClientQuotasResponse](as(t, b, alice), alterQuotasRequest(alteration(set(rate, 1), "user", "a"))); r.Entries[0].ErrorCode != 31 || text(r.Entries[0].ErrorMessage) != "Cluster authorization failed." {
		t.Errorf("without the right: %+v", r.Entries)
	}
	half := alteration(append(set(rate, 7), set("nope", 1)...), "user", "half")
	do[*kmsg.AlterClientQuotasResponse](c, alterQuotasRequest(half))
	only := alterQuotasRequest(alteration(set(rate, 7), "user", "dry"))
	only.ValidateOnly = true
	do[*kmsg.AlterClientQuotasResponse](c, only)
	for _, e := range quotaAnswer(t, c, false) {
		if strings.Contains(e, "half") || strings.Contains(e, "dry") {
			t.Errorf("stored although refused or only checked: %s", e)
		}
	}
}

// quotaAnswer is a DescribeClientQuotas answer as sorted lines.
func quotaAnswer(t *testing.T, c *client, strict bool, components ...kmsg.DescribeClientQuotasRequestComponent) []string {
	t.Helper()
	req := kmsg.NewPtrDescribeClientQuotasRequest()
	req.Version, req.Strict, req.Components = 1, strict, components
	r := do[*kmsg.DescribeClientQuotasResponse](c, req)
	if r.ErrorCode != 0 {
		return []string{strconv.Itoa(int(r.ErrorCode)) + " " + text(r.ErrorMessage)}
	}
	var lines []string
	for _, e := range r.Entries {
		var entity, values []string
		for _, p := range e.Entity {
			entity = append(entity, p.Type+"="+text(p.Name))
		}
		for _, v := range e.Values {
			values = append(values, v.Key+"="+strconv.FormatFloat(v.Value, 'f', -1, 64))
		}
		slices.Sort(entity)
		slices.Sort(values)
		lines = append(lines, strings.Join(entity, " ")+": "+strings.Join(values, " "))
	}
	slices.Sort(lines)
	return lines
}

func component(kind string, match kmsg.QuotasMatchType, name ...string) kmsg.DescribeClientQuotasRequestComponent {
	c := kmsg.NewDescribeClientQuotasRequestComponent()
	c.EntityType, c.MatchType = kind, match
	if len(name) > 0 {
		c.Match = &name[0]
	}
	return c
}

func TestDescribeQuotas(t *testing.T) {
	const rate = "producer_byte_rate"
	b, _ := bare(t, Cluster{})
	c := as(t, b, admin)
	do[*kmsg.AlterClientQuotasResponse](c, alterQuotasRequest(
		alteration(append(set(rate, 1), set("request_percentage", 2.5)...), "user", "a"),
		alteration(set(rate, 2), "client-id", "c", "user", "a"),
		alteration(set(rate, 3), "user", "<default>"),
		alteration(set(rate, 4), "client-id", "c"),
		alteration(set("connection_creation_rate", 5000), "ip", "<default>"),
		alteration(set(rate, 6), "user", "CN=x,OU=y z"),
	))
	const (
		exact, byDefault, anyName = kmsg.QuotasMatchTypeExact, kmsg.QuotasMatchTypeDefault, kmsg.QuotasMatchTypeAny

		a       = "user=a: producer_byte_rate=1 request_percentage=2.5"
		ac      = "client-id=c user=a: producer_byte_rate=2"
		users   = "user=(null): producer_byte_rate=3"
		clients = "client-id=c: producer_byte_rate=4"
		ips     = "ip=(null): connection_creation_rate=5000"
		cn      = "user=CN=x,OU=y z: producer_byte_rate=6"
	)
	type parts = []kmsg.DescribeClientQuotasRequestComponent
	for _, tc := range []struct {
		name   string
		strict bool
		parts  parts
		want   []string
	}{
		{"all", false, nil, []string{ac, clients, ips, users, cn, a}},
		{"nothing", true, nil, nil},
		{"exact", false, parts{component("user", exact, "a")}, []string{ac, a}},
		{"exact, strict", true, parts{component("user", exact, "a")}, []string{a}},
		{"exact, odd name", true, parts{component("user", exact, "CN=x,OU=y z")}, []string{cn}},
		{"default", false, parts{component("user", byDefault)}, []string{users}},
		{"any includes the default", false, parts{component("user", anyName)}, []string{ac, users, cn, a}},
		{"any, strict", true, parts{component("user", anyName)}, []string{users, cn, a}},
		{"both types", true, parts{component("client-id", anyName), component("user", anyName)}, []string{ac}},
		{"ip", true, parts{component("ip", anyName)}, []string{ips}},
		{"none such", false, parts{component("user", exact, "nobody")}, nil},
		{"no type", false, parts{component("", exact, "a")}, []string{"42 Invalid empty entity type."}},
		{"unknown type", false, parts{component("bogus", anyName)}, []string{"35 Unsupported entity type bogus"}},
		{"twice", false, parts{component("user", exact, "a"), component("user", anyName)}, []string{"42 Entity type user cannot appear more than once in the filter."}},
		{"exact null", false, parts{component("user", exact)}, []string{"42 Request specified MATCH_TYPE_EXACT, but set match string to null."}},
		{"default with a name", false, parts{component("user", byDefault, "a")}, []string{"42 Request specified MATCH_TYPE_DEFAULT, but also specified a match string."}},
		{"any with a name", false, parts{component("user", anyName, "a")}, []string{"42 Request specified MATCH_TYPE_SPECIFIED, but also specified a match string."}},
		{"unknown match", false, parts{component("user", 3)}, []string{"42 Unknown match type 3"}},
		{"ip and user", false, parts{component("ip", anyName), component("user", anyName)}, []string{"42 Invalid entity filter component combination. IP filter component should not be used with user or clientId filter component."}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			slices.Sort(tc.want)
			if got := quotaAnswer(t, c, tc.strict, tc.parts...); !slices.Equal(got, tc.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
		})
	}
	if got := quotaAnswer(t, as(t, b, alice), false); !slices.Equal(got, []string{"31 (null)"}) {
		t.Errorf("without the right: %q", got)
	}
	do[*kmsg.AlterClientQuotasResponse](c, alterQuotasRequest(alteration(append(remove(rate), remove("request_percentage")...), "user", "a")))
	if got := quotaAnswer(t, c, true, component("user", exact, "a")); got != nil {
		t.Errorf("after the last value is gone: %q", got)
	}
	r := do[*kmsg.AlterClientQuotasResponse](c, alterQuotasRequest(alteration(set(rate, 8), "user", "b"), alteration(set(rate, 9), "user", "b")))
	if len(r.Entries) != 1 || r.Entries[0].ErrorCode != 42 {
		t.Errorf("an entity named twice: %+v", r.Entries)
	}
	if got := quotaAnswer(t, c, true, component("user", exact, "b")); !slices.Equal(got, []string{"user=b: producer_byte_rate=8"}) {
		t.Errorf("an entity named twice: %q", got)
	}
}
