package audit

import (
	"slices"

	"dtok/kafka"
)

// Rule is an ACL rule in Kafka's words, and what became of it.
type Rule struct {
	Permission   string `json:"permission"`
	Principal    string `json:"principal"`
	Host         string `json:"host"`
	Operation    string `json:"operation"`
	ResourceType string `json:"resource_type"`
	ResourceName string `json:"resource_name"`
	Pattern      string `json:"pattern"`
	// Before tells whether the rule was there just before the change; null
	// where that could not be read, and in an intent. After tells whether it
	// was there afterwards, by the cluster's answer; null where the change
	// did not go through, or nobody knows.
	Before *bool `json:"before,omitempty"`
	After  *bool `json:"after,omitempty"`
	// Removed are the rules that a deletion removed, where they are not
	// exactly this one: RemovedCount is their number, which may be 0.
	Removed      []string `json:"removed,omitempty"`
	RemovedCount *int     `json:"removed_count,omitempty"`
	// Problem is this rule's own, in a change of several.
	Problem string `json:"error,omitempty"`
}

// Quota is one value of one entity. Values are decimal text.
type Quota struct {
	// Entity are the parts "user" and "client-id" as far as the entity has
	// them; a name that is null is the default.
	Entity []EntityPart `json:"entity"`
	Key    string       `json:"key"`
	// Asked is the value to be set, "" for a removal.
	Asked string `json:"asked,omitempty"`
	// Before and After are the values around a change that was done; null is
	// none. BeforeUnknown is set where Before could not be read.
	Before        *string `json:"before"`
	BeforeUnknown bool    `json:"before_unknown,omitempty"`
	After         *string `json:"after"`
}

// EntityPart is a part of a quota entity.
type EntityPart struct {
	Type string  `json:"type"`
	Name *string `json:"name"`
}

func ruleOf(r kafka.ACLRule) Rule {
	return Rule{Permission: r.Permission.String(), Principal: r.Principal, Host: r.Host, Operation: r.Operation.String(),
		ResourceType: r.ResourceType.String(), ResourceName: r.ResourceName, Pattern: r.Pattern.String()}
}

func rulesOf(rules []kafka.ACLRule) []Rule {
	out := make([]Rule, len(rules))
	for i, r := range rules {
		out[i] = ruleOf(r)
	}
	return out
}

// became is what the cluster's answer says of each rule.
func became(changed kafka.RulesChanged, op kafka.Op) []Rule {
	out := make([]Rule, len(changed.Results))
	for i, result := range changed.Results {
		r := ruleOf(result.Rule)
		if result.ExistedErr == nil {
			r.Before = &result.Existed
		}
		if result.Err == nil {
			r.After = new(op == kafka.OpAddRules)
		} else if len(changed.Results) > 1 {
			r.Problem = result.Err.Error()
		}
		if op == kafka.OpDeleteRules && !slices.Equal(result.Removed, []kafka.ACLRule{result.Rule}) && as[*kafka.RemovedCountError](result.Err) {
			r.RemovedCount = new(len(result.Removed))
			for _, gone := range result.Removed {
				r.Removed = append(r.Removed, gone.String())
			}
		}
		out[i] = r
	}
	return out
}

func quotaOf(change kafka.QuotaChange, op kafka.Op) *Quota {
	q := &Quota{Key: change.Key, BeforeUnknown: true}
	for _, p := range []struct {
		kind string
		part kafka.EntityPart
	}{{"user", change.Entity.User}, {"client-id", change.Entity.ClientID}} {
		name, named := p.part.Name()
		switch {
		case named:
			q.Entity = append(q.Entity, EntityPart{p.kind, &name})
		case p.part.IsDefault():
			q.Entity = append(q.Entity, EntityPart{p.kind, nil})
		}
	}
	if op == kafka.OpSetQuota {
		q.Asked = decimal(change.Key, change.Value)
	}
	return q
}

// decimal is a value as text: JSON has no NaN, which a broker might send.
func decimal(key string, v float64) string { return kafka.QuotaValue{Key: key, Value: v}.Exact() }

// done fills in what the cluster confirmed.
func (q Quota) done(changed kafka.QuotaChanged) *Quota {
	q.BeforeUnknown = changed.BeforeErr != nil
	if changed.Before != nil {
		q.Before = new(decimal(q.Key, *changed.Before))
	}
	if changed.After != nil {
		q.After = new(decimal(q.Key, *changed.After))
	}
	return &q
}

// withoutHMACs are the rules without names that may be a pasted HMAC.
func withoutHMACs(rules []Rule) []Rule {
	rules = slices.Clone(rules)
	for i := range rules {
		r := &rules[i]
		r.Principal, r.Host, r.ResourceName = unlessHMAC(r.Principal), unlessHMAC(r.Host), unlessHMAC(r.ResourceName)
		r.Problem = shorten(withoutHMAC(r.Problem), problemLimit)
		r.Removed = slices.Clone(r.Removed)
		for j, gone := range r.Removed {
			r.Removed[j] = withoutHMAC(gone)
		}
	}
	return rules
}

func (q *Quota) withoutHMAC() *Quota {
	if q == nil {
		return nil
	}
	clean := *q
	clean.Key, clean.Entity = unlessHMAC(q.Key), slices.Clone(q.Entity)
	for i, p := range clean.Entity {
		if p.Name != nil {
			clean.Entity[i].Name = new(unlessHMAC(*p.Name))
		}
	}
	return &clean
}

// users are the principals that a change of rules or quotas is about, each in
// the form User:alice: those of the rules, those that rules are on, and the
// user of a quota, whose name is bare.
func (r Record) users() []string {
	var out []string
	for _, rule := range r.Rules {
		if rule.ResourceType == kafka.ResourceUser.String() {
			out = append(out, rule.ResourceName)
		}
		out = append(out, rule.Principal)
	}
	if r.Quota != nil {
		for _, p := range r.Quota.Entity {
			if p.Type == "user" && p.Name != nil {
				out = append(out, kafka.UserPrincipal(*p.Name).String())
			}
		}
	}
	return out
}

// About is whom a record is about, as User:alice: the token's owner, the user
// that a rule is on or else its principal, or the user of a quota. It is "" for
// nobody in particular.
func (r Record) About() string {
	if users := r.users(); r.Token.Owner == "" && len(users) > 0 {
		return users[0]
	}
	return r.Token.Owner
}
