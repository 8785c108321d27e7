package contract

import (
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func quotaCases() []contractCase {
	return only(offering(clientQuotas), []contractCase{
		{"quotas: set, read, changed, removed", quotaLifecycle, always},
		{"quotas: what cannot be set, with Kafka's words", quotaInvalid, always},
		{"quotas: one bad entry leaves the others", quotaEntries, always},
		{"quotas: a dry run changes nothing", quotaValidateOnly, always},
		{"quotas: removing what is not there is no error", quotaRemoveAbsent, always},
		{"quotas: rights to read and to change", quotaRights, always},
	})
}

// entity is what a quota is for: its parts sorted by type, a null name written
// "<default>".
type entity map[string]string

const defaultName = "<default>"

func (n entity) request() (parts []kmsg.AlterClientQuotasRequestEntryEntity) {
	for kind, name := range n {
		part := kmsg.NewAlterClientQuotasRequestEntryEntity()
		part.Type = kind
		if name != defaultName {
			part.Name = &name
		}
		parts = append(parts, part)
	}
	return parts
}

// quota sets a key of an entity, or removes it where remove is set.
type quota struct {
	entity entity
	key    string
	value  float64
	remove bool
}

func alterRequest(validateOnly bool, quotas ...quota) *kmsg.AlterClientQuotasRequest {
	req := kmsg.NewPtrAlterClientQuotasRequest()
	req.Version, req.ValidateOnly = 1, validateOnly
	for _, q := range quotas {
		entry := kmsg.NewAlterClientQuotasRequestEntry()
		entry.Entity = q.entity.request()
		op := kmsg.NewAlterClientQuotasRequestEntryOp()
		op.Key, op.Value, op.Remove = q.key, q.value, q.remove
		entry.Ops = append(entry.Ops, op)
		req.Entries = append(req.Entries, entry)
	}
	return req
}

func (c *client) alterQuotas(req *kmsg.AlterClientQuotasRequest) (outcomes []outcome) {
	c.Helper()
	for _, entry := range do[*kmsg.AlterClientQuotasResponse](c, req).Entries {
		outcomes = append(outcomes, outcomeOf(entry.ErrorCode, entry.ErrorMessage))
	}
	return outcomes
}

func (c *client) setQuota(q quota) {
	c.Helper()
	equal(c.env, "outcome of AlterClientQuotas", c.alterQuotas(alterRequest(false, q)), []outcome{{0, "null"}})
}

// component is one part of a quota filter; match "" with match type exact is
// written as null.
type component struct {
	kind  string
	how   kmsg.QuotasMatchType
	match *string
}

func exact(kind, name string) component {
	return component{kind, kmsg.QuotasMatchTypeExact, &name}
}

func quotasRequest(strict bool, components ...component) *kmsg.DescribeClientQuotasRequest {
	req := kmsg.NewPtrDescribeClientQuotasRequest()
	req.Version, req.Strict = 1, strict
	for _, p := range components {
		part := kmsg.NewDescribeClientQuotasRequestComponent()
		part.EntityType, part.MatchType, part.Match = p.kind, p.how, p.match
		req.Components = append(req.Components, part)
	}
	return req
}

// quotas are the entities that the filter finds, each as "type=name type=name
// key=value", sorted.
func (c *client) quotas(strict bool, components ...component) []string {
	c.Helper()
	r := do[*kmsg.DescribeClientQuotasResponse](c, quotasRequest(strict, components...))
	equal(c.env, "outcome of DescribeClientQuotas", outcomeOf(r.ErrorCode, r.ErrorMessage), outcome{0, ""})
	return quotaLines(r)
}

func quotaLines(r *kmsg.DescribeClientQuotasResponse) []string {
	lines := []string{}
	for _, entry := range r.Entries {
		var names, values []string
		for _, p := range entry.Entity {
			name := defaultName
			if p.Name != nil {
				name = *p.Name
			}
			names = append(names, p.Type+"="+name)
		}
		for _, v := range entry.Values {
			values = append(values, v.Key+"="+strings.TrimRight(strings.TrimRight(formatFloat(v.Value), "0"), "."))
		}
		slices.Sort(names)
		slices.Sort(values)
		lines = append(lines, strings.Join(append(names, values...), " "))
	}
	slices.Sort(lines)
	return lines
}

func quotaLifecycle(e *env) {
	admin := e.admin()
	for _, name := range []string{e.fresh("u"), "CN=" + e.fresh("x") + ",OU=a b", e.fresh("user with spaces")} {
		of := []component{exact("user", name)}
		read := func() []string { return admin.quotas(true, of...) }
		equal(e, "quotas of a new user", read(), []string{})
		admin.setQuota(quota{entity{"user": name}, "producer_byte_rate", 1048576, false})
		admin.setQuota(quota{entity{"user": name}, "request_percentage", 150.5, false})
		want := "user=" + name + " producer_byte_rate=1048576 request_percentage=150.5"
		e.await("both are read", arrival, func() bool { return slices.Equal(read(), []string{want}) })
		admin.setQuota(quota{entity{"user": name}, "producer_byte_rate", 2, false})
		admin.setQuota(quota{entity{"user": name}, "request_percentage", 0, true})
		e.await("the changed one is read", arrival, func() bool {
			return slices.Equal(read(), []string{"user=" + name + " producer_byte_rate=2"})
		})
		admin.setQuota(quota{entity{"user": name}, "producer_byte_rate", 0, true})
		e.await("none is read", arrival, func() bool { return len(read()) == 0 })
	}
	name := e.fresh("u")
	both := entity{"user": name, "client-id": "c"}
	admin.setQuota(quota{both, "controller_mutation_rate", 0.5, false})
	for version := range int16(2) {
		req := quotasRequest(false, exact("user", name))
		req.Version = version
		e.await("user and client are read", arrival, func() bool {
			return slices.Equal(quotaLines(do[*kmsg.DescribeClientQuotasResponse](admin, req)), []string{"client-id=c user=" + name + " controller_mutation_rate=0.5"})
		})
	}
	old := alterRequest(false, quota{both, "controller_mutation_rate", 0, true})
	old.Version = 0
	equal(e, "removed with version 0", admin.alterQuotas(old), []outcome{{0, "null"}})
	e.await("none is left", arrival, func() bool { return len(admin.quotas(false, exact("user", name))) == 0 })
}

func quotaInvalid(e *env) {
	admin := e.admin()
	name := e.fresh("u")
	user := entity{"user": name}
	long := func(key string) outcome { return outcome{42, "Configuration " + key + " must be a LONG value"} }
	const producer, consumer = "producer_byte_rate", "consumer_byte_rate"
	stored := outcome{0, "null"}
	same := outcome{}
	for _, test := range []struct {
		quota     quota
		want      string
		zooKeeper outcome // where it is another one
	}{
		{quota{entity{"user": ""}, producer, 1, false}, "Empty user not supported", same},
		{quota{entity{"client-id": ""}, producer, 1, false}, "Empty client-id not supported", same},
		{quota{entity{"bogus": "x"}, producer, 1, false}, "Unhandled client quota entity type: bogus", same},
		{quota{entity{}, producer, 1, false}, "Invalid empty client quota entity", same},
		{quota{entity{"user": name, "ip": "127.0.0.1"}, "connection_creation_rate", 1, false},
			"Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId",
			outcome{42, "Invalid quota entity combination, IP entity should not be used with user/client ID entity."}},
		{quota{entity{"ip": "notanip"}, "connection_creation_rate", 1, false}, "notanip is not a valid IP or resolvable host.", same},
		{quota{user, producer, 0, false}, "Quota producer_byte_rate must be greater than 0", stored},
		{quota{user, producer, -1, false}, "Quota producer_byte_rate must be greater than 0", long(producer)},
		{quota{user, "request_percentage", 0, false}, "Quota request_percentage must be greater than 0", stored},
		{quota{user, producer, 1.5, false}, "producer_byte_rate cannot be a fractional value.", long(producer)},
		{quota{user, consumer, 1e30, false}, "Proposed value for consumer_byte_rate is too large for a LONG.", long(consumer)},
		{quota{user, "nope", 1, false}, "Invalid configuration key nope", same},
		{quota{user, "connection_creation_rate", 1, false}, "Invalid configuration key connection_creation_rate", same},
		{quota{entity{"ip": "127.0.0.1"}, producer, 1, false}, "Invalid configuration key producer_byte_rate", same},
	} {
		want := outcome{42, test.want}
		if e.Kafka().ZooKeeper() && test.zooKeeper != same {
			want = test.zooKeeper
		}
		equal(e, "outcome", admin.alterQuotas(alterRequest(false, test.quota)), []outcome{want})
		if want == stored {
			admin.setQuota(quota{test.quota.entity, test.quota.key, 0, true})
		}
	}
	equal(e, "quotas", admin.quotas(false, exact("user", name)), []string{})
}

// belowZero refuses a producer_byte_rate below 0.
func (e *env) belowZero() outcome {
	if e.Kafka().ZooKeeper() {
		return outcome{42, "Configuration producer_byte_rate must be a LONG value"}
	}
	return outcome{42, "Quota producer_byte_rate must be greater than 0"}
}

func quotaEntries(e *env) {
	admin := e.admin()
	good, bad := e.fresh("good"), e.fresh("bad")
	got := admin.alterQuotas(alterRequest(false,
		quota{entity{"user": bad}, "producer_byte_rate", -1, false},
		quota{entity{"user": good}, "producer_byte_rate", 5, false},
	))
	slices.SortFunc(got, func(a, b outcome) int { return int(a.code) - int(b.code) })
	equal(e, "outcomes", got, []outcome{{0, "null"}, e.belowZero()})
	e.await("the good one is read", arrival, func() bool { return len(admin.quotas(true, exact("user", good))) == 1 })
	equal(e, "the bad one", admin.quotas(true, exact("user", bad)), []string{})

	// One bad key spoils its entity.
	both := alterRequest(false, quota{entity{"user": bad}, "producer_byte_rate", 5, false})
	nope := both.Entries[0].Ops[0]
	nope.Key = "nope"
	both.Entries[0].Ops = append(both.Entries[0].Ops, nope)
	equal(e, "outcomes of a good and a bad key", admin.alterQuotas(both), []outcome{{42, "Invalid configuration key nope"}})
	equal(e, "the entity with a bad key", admin.quotas(true, exact("user", bad)), []string{})
}

func quotaValidateOnly(e *env) {
	admin := e.admin()
	name := e.fresh("u")
	good := quota{entity{"user": name}, "producer_byte_rate", 5, false}
	bad := good
	bad.value = -5
	equal(e, "good", admin.alterQuotas(alterRequest(true, good)), []outcome{{0, "null"}})
	equal(e, "bad", admin.alterQuotas(alterRequest(true, bad)), []outcome{e.belowZero()})
	// A later change that is visible shows that the dry run would be.
	marker := e.fresh("u")
	admin.setQuota(quota{entity{"user": marker}, "producer_byte_rate", 5, false})
	e.await("a later change is read", arrival, func() bool { return len(admin.quotas(true, exact("user", marker))) == 1 })
	equal(e, "quotas", admin.quotas(true, exact("user", name)), []string{})
}

func quotaRemoveAbsent(e *env) {
	admin := e.admin()
	for _, key := range []string{"producer_byte_rate", "nope"} {
		admin.setQuota(quota{entity{"user": e.fresh("u")}, key, 0, true})
	}
}

func quotaRights(e *env) {
	user := e.user()
	c := e.as(user)
	read := func() int16 {
		r := do[*kmsg.DescribeClientQuotasResponse](c, quotasRequest(false, exact("user", user)))
		if r.ErrorCode != 0 {
			equal(e, "refusal to read", outcomeOf(r.ErrorCode, r.ErrorMessage), outcome{31, "null"})
			equal(e, "entries are null in a refusal", r.Entries == nil, true)
		}
		return r.ErrorCode
	}
	change := func() int16 {
		q := quota{entity{"user": user}, "producer_byte_rate", 5, false}
		other := q
		other.entity = entity{"user": user + "-other"}
		got := c.alterQuotas(alterRequest(false, q, other))
		if got[0].code != 0 {
			refusal := outcome{31, "Cluster authorization failed."}
			equal(e, "refusal to change", got, []outcome{refusal, refusal})
		}
		return got[0].code
	}
	const cluster, name = kmsg.ACLResourceTypeCluster, "kafka-cluster"
	equal(e, "read without a right", read(), 31)
	equal(e, "change without a right", change(), 31)
	e.allow(user, cluster, name, kmsg.ACLOperationDescribe, func() bool {
		return do[*kmsg.DescribeACLsResponse](c, filter{principal: &user}.request()).ErrorCode == 0
	})
	equal(e, "read with Describe", read(), 31)
	e.allow(user, cluster, name, kmsg.ACLOperationDescribeConfigs, func() bool { return read() == 0 })
	equal(e, "change with DescribeConfigs", change(), 31)
	e.allow(user, cluster, name, kmsg.ACLOperationAlterConfigs, func() bool { return change() == 0 })
}
