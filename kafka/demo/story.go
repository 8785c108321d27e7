package demo

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"time"

	"dtok/kafka"
)

// The people and jobs of the story. Each has the password NAME-secret.
const (
	admin    = "admin"
	ops      = "ops" // the presenter: no super user, but with the rules that the job needs
	alice    = "alice"
	bob      = "bob"
	carol    = "carol"
	zoe      = "zoë" // beyond ASCII: signs in by PLAIN only
	spark    = "spark-etl"
	flink    = "flink-orders"
	airflow  = "airflow"
	crm      = "connect-crm"
	scoring  = "team-fraud-scoring"
	training = "team-fraud-training"
	ledger   = "CN=ledger,OU=payments,O=Acme" // comes with a client certificate
)

// Presenter is the user that the demo signs in as unless another is asked for.
const Presenter = ops

// Users are the users who can sign in, each with the password NAME-secret.
func Users() []string {
	return []string{ops, alice, bob, carol, zoe, spark, flink, airflow, crm, scoring, training, ledger, admin}
}

// storyToken is a token relative to the start of the cluster.
type storyToken struct {
	name      string // makes the id, and tells the reader what the token is for
	owner     string
	requester string // the owner when ""
	renewers  []string
	// age is how long ago it was made, left when it expires, and life its
	// maximum lifetime.
	age, left, life time.Duration
}

const (
	minute = time.Minute
	hour   = time.Hour
	day    = 24 * hour
	week   = 7 * day
)

// storyTokens are the tokens that the cluster starts with.
func storyTokens() []storyToken {
	return []storyToken{
		{name: "alice's laptop", owner: alice, renewers: []string{ops}, age: 20 * minute, left: 23*hour + 40*minute, life: week},
		{name: "alice's notebook, about to expire", owner: alice, renewers: []string{ops, bob}, age: 23*hour + 54*minute, left: 6 * minute, life: week},
		{name: "alice's own, which ops may not renew", owner: alice, age: 3 * hour, left: 21 * hour, life: week},
		{name: "alice's report, at the end of its lifetime", owner: alice, renewers: []string{ops}, age: week - 40*minute, left: 40 * minute, life: week},
		{name: "alice's old laptop, expired", owner: alice, renewers: []string{ops}, age: day + 25*minute, left: -25 * minute, life: week},
		{name: "the nightly ETL", owner: spark, requester: ops, renewers: []string{ops, airflow, alice, carol}, age: 2 * day, left: 9 * hour, life: week},
		{name: "a backfill that airflow started", owner: spark, requester: airflow, renewers: []string{airflow}, age: 40 * minute, left: 3*hour + 20*minute, life: 4 * hour},
		{name: "yesterday's backfill, expired", owner: spark, requester: airflow, renewers: []string{airflow, ops}, age: day + 48*minute, left: -48 * minute, life: 2 * day},
		{name: "orders, made by alice for a day", owner: flink, requester: alice, renewers: []string{ops, alice}, age: 5 * hour, left: 19 * hour, life: day},
		{name: "orders, just made by ops", owner: flink, requester: ops, renewers: []string{ops}, age: 2 * minute, left: day - 2*minute, life: week},
		{name: "bob's notebook", owner: bob, age: 12 * hour, left: 12 * hour, life: week},
		{name: "bob's query, in its last minutes", owner: bob, renewers: []string{ops}, age: 57*minute + 30*time.Second, left: 2*minute + 30*time.Second, life: hour},
		{name: "carol's laptop", owner: carol, age: 8 * hour, left: 16 * hour, life: week},
		{name: "zoë's notebook", owner: zoe, renewers: []string{alice}, age: hour, left: 23 * hour, life: 3 * day},
		{name: "fraud scoring", owner: scoring, requester: carol, renewers: []string{carol, ops}, age: 3 * day, left: 11 * hour, life: week},
		{name: "fraud training", owner: training, requester: carol, renewers: []string{carol}, age: 6 * hour, left: 18 * hour, life: week},
		{name: "the ledger", owner: ledger, renewers: []string{ops}, age: 6 * day, left: 14 * hour, life: week},
		{name: "the CRM connector", owner: crm, requester: ops, renewers: []string{ops, crm}, age: 30 * hour, left: 20 * hour, life: week},
		{name: "the bastion host", owner: ops, age: 90 * minute, left: day - 90*minute, life: week},
		{name: "a job whose user is long gone", owner: "batch-2019", requester: admin, renewers: []string{ops}, age: 2 * day, left: 4 * hour, life: week},
	}
}

// tellStory fills the cluster for its scenario.
func (b *Broker) tellStory() {
	st := &b.cluster.setup
	for _, r := range b.storyRules() {
		b.cluster.seed(func(s *state) { s.rules.add(r) })
	}
	for _, q := range storyQuotas() {
		b.cluster.seed(func(s *state) { s.quotas.set(q.entity, q.key, q.value) })
	}
	tokens := storyTokens()
	if st.tokenSession { // whoever presents needs one of their own
		for _, name := range Users() {
			tokens = append(tokens, storyToken{name: "the session of " + name, owner: name, age: minute, left: day - minute, life: week})
		}
	}
	start := b.cluster.clock()
	if !st.noTokens {
		for _, t := range tokens {
			if !st.strangers || !t.concerns(Presenter) {
				b.addToken(t.at(start))
			}
		}
	}
	if st.big {
		b.crowd(start)
	}
}

// concerns reports whether the token has to do with somebody.
func (t storyToken) concerns(who string) bool {
	return t.owner == who || t.requester == who || slices.Contains(t.renewers, who)
}

// at is the token of a cluster that starts at that moment.
func (t storyToken) at(start time.Time) *token {
	issued := start.Add(-t.age)
	out := &token{
		id: storyID(t.name), owner: kafka.UserPrincipal(t.owner), requester: kafka.UserPrincipal(t.owner),
		issued: issued.UnixMilli(), expires: start.Add(t.left).UnixMilli(), maxEnds: issued.Add(t.life).UnixMilli(),
		hmac: new(hmacBytes),
	}
	if t.requester != "" {
		out.requester = kafka.UserPrincipal(t.requester)
	}
	for _, r := range t.renewers {
		out.renewers = append(out.renewers, kafka.UserPrincipal(r))
	}
	return out
}

// storyID is an id of the form that newTokenID gives, the same in every run.
func storyID(name string) string {
	sum := sha256.Sum256([]byte("dtok demo token: " + name))
	sum[0] &= 0x7f // the first character is then never a dash
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
