package contract

import (
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func quotaFilterCases() []contractCase {
	return only(offering(clientQuotas), []contractCase{
		{"quota filters: exact, default and any, strict and not", quotaFilterMatches, always},
		{"quota filters: what is no filter, with Kafka's words", quotaFilterInvalid, always},
	})
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }

// quotaFilterMatches sets defaults of a key that no other case uses and leaves
// everybody as unlimited as before.
func quotaFilterMatches(e *env) {
	admin := e.admin()
	a, b, client := e.fresh("a"), e.fresh("b"), e.fresh("c")
	const key, plenty = "controller_mutation_rate", 1e9
	all := []entity{
		{"user": a}, {"user": b}, {"user": defaultName}, {"client-id": client},
		{"user": a, "client-id": client}, {"user": a, "client-id": defaultName}, {"user": defaultName, "client-id": client},
	}
	line := func(n entity) string {
		parts := []string{}
		for kind, name := range n {
			parts = append(parts, kind+"="+name)
		}
		slices.Sort(parts)
		return strings.Join(parts, " ") + " " + key + "=1000000000"
	}
	// What other cases or the cluster itself have set is left aside.
	mine := func(lines []string) []string {
		kept := []string{}
		for _, l := range lines {
			for _, n := range all {
				if l == line(n) {
					kept = append(kept, l)
				}
			}
		}
		return kept
	}
	for _, n := range all {
		admin.setQuota(quota{n, key, plenty, false})
	}
	e.await("all are read", arrival, func() bool { return len(mine(admin.quotas(false))) == len(all) })
	isDefault := func(kind string) component { return component{kind, kmsg.QuotasMatchTypeDefault, nil} }
	anyOf := func(kind string) component { return component{kind, kmsg.QuotasMatchTypeAny, nil} }
	for _, test := range []struct {
		what       string
		strict     bool
		components []component
		want       []int // of all
	}{
		{"nothing", false, nil, []int{0, 1, 2, 3, 4, 5, 6}},
		{"nothing, strict", true, nil, nil},
		{"user a", false, []component{exact("user", a)}, []int{0, 4, 5}},
		{"user a, strict", true, []component{exact("user", a)}, []int{0}},
		{"default user", false, []component{isDefault("user")}, []int{2, 6}},
		{"default user, strict", true, []component{isDefault("user")}, []int{2}},
		{"any user", false, []component{anyOf("user")}, []int{0, 1, 2, 4, 5, 6}},
		{"any user, strict", true, []component{anyOf("user")}, []int{0, 1, 2}},
		{"client", false, []component{exact("client-id", client)}, []int{3, 4, 6}},
		{"user a and client", true, []component{exact("user", a), exact("client-id", client)}, []int{4}},
		{"user a and any client", true, []component{exact("user", a), anyOf("client-id")}, []int{4, 5}},
		{"nobody", false, []component{exact("user", e.fresh("x"))}, nil},
	} {
		want := []string{}
		for _, i := range test.want {
			want = append(want, line(all[i]))
		}
		slices.Sort(want)
		equal(e, test.what, mine(admin.quotas(test.strict, test.components...)), want)
	}
	for _, n := range all {
		admin.setQuota(quota{n, key, 0, true})
	}
	e.await("none is left", arrival, func() bool { return len(mine(admin.quotas(false))) == 0 })
}

func quotaFilterInvalid(e *env) {
	admin := e.admin()
	name, empty := "x", ""
	internal := outcome{-1, "null"}
	for _, test := range []struct {
		components      []component
		want, zooKeeper outcome
	}{
		{[]component{exact("bogus", "x")}, outcome{35, "Unsupported entity type bogus"}, outcome{35, "Custom entity type 'bogus' not supported"}},
		{[]component{{"user", kmsg.QuotasMatchTypeExact, nil}}, outcome{42, "Request specified MATCH_TYPE_EXACT, but set match string to null."}, internal},
		{[]component{exact("user", "x"), {"ip", kmsg.QuotasMatchTypeAny, nil}},
			outcome{42, "Invalid entity filter component combination. IP filter component should not be used with user or clientId filter component."},
			outcome{42, "Invalid entity filter component combination, IP filter component should not be used with user or clientId filter component."}},
		{[]component{{"user", kmsg.QuotasMatchTypeDefault, &name}}, outcome{42, "Request specified MATCH_TYPE_DEFAULT, but also specified a match string."}, outcome{0, ""}},
		{[]component{{"user", kmsg.QuotasMatchTypeAny, &name}}, outcome{42, "Request specified MATCH_TYPE_SPECIFIED, but also specified a match string."}, outcome{0, ""}},
		{[]component{{"user", 9, nil}}, outcome{42, "Unknown match type 9"}, internal},
		{[]component{{"", kmsg.QuotasMatchTypeExact, &empty}}, outcome{42, "Invalid empty entity type."}, outcome{42, "Unexpected empty filter component entity type"}},
		{[]component{exact("user", "x"), exact("user", "y")}, outcome{42, "Entity type user cannot appear more than once in the filter."}, outcome{42, "Duplicate user filter component entity type"}},
	} {
		want := test.want
		if e.Kafka().ZooKeeper() {
			want = test.zooKeeper
		}
		r := do[*kmsg.DescribeClientQuotasResponse](admin, quotasRequest(false, test.components...))
		if got := outcomeOf(r.ErrorCode, r.ErrorMessage); got != want {
			e.Errorf("%+v: got %+v, want %+v", test.components, got, want)
		}
		equal(e, "entries are null", r.Entries == nil, want.code != 0)
	}
}
