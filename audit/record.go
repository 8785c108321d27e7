package audit

import (
	"time"

	"dtok/kafka"
)

// Schema is the version of the record format that this dtok writes. It grows
// when a field changes its meaning; fields that are only added do not change it.
const Schema = 1

// Phase tells the two records of one change apart.
type Phase string

// The phases of a change.
const (
	// Intent is written before anything is sent.
	Intent Phase = "intent"
	// Ended is written once the change has ended, in whatever way.
	Ended Phase = "outcome"
)

// Outcome is how a change ended.
type Outcome string

// The outcomes of a change.
const (
	// Done: the cluster confirmed the change.
	Done Outcome = "done"
	// Refused: the broker, or dtok itself, said no. Nothing changed.
	Refused Outcome = "refused"
	// Failed: an error came before the change was sent. Nothing changed.
	Failed Outcome = "failed"
	// Unknown: the change was sent and no usable answer came.
	Unknown Outcome = "unknown"
)

// Record is one line of the trail. The two records of a change carry the same
// ID, and each can be understood without the other. If writing an outcome
// failed half-way it is written again, so a reader may meet it twice.
type Record struct {
	// Schema is the version of the format, see the constant.
	Schema int `json:"schema"`
	// ID pairs the intent with its outcome: 26 random characters.
	ID string `json:"id"`
	// Time is when the record was made, which is not always when it reached
	// the file: an outcome that could not be written is kept and written later.
	Time Time `json:"time"`
	// Kind is "create token", "renew token" or "expire token".
	Kind  kafka.Op `json:"kind"`
	Phase Phase    `json:"phase"`
	// Outcome is set with phase "outcome" only.
	Outcome Outcome `json:"outcome,omitempty"`
	// Problem says why the outcome is not a plain "done".
	Problem *Problem `json:"error,omitempty"`
	Who     Who      `json:"who"`
	Where   Where    `json:"where"`
	Token   Token    `json:"token,omitzero"`
	// Reason is what the person typed, at most ReasonLimit characters of it.
	Reason string `json:"reason,omitempty"`
}

// Problem is an error as the person saw it.
type Problem struct {
	// Code and Name are Kafka's, where a broker answered with an error.
	Code kafka.Code `json:"code,omitempty"`
	Name string     `json:"name,omitempty"`
	Text string     `json:"text"`
}

// Where names the cluster that was changed.
type Where struct {
	// Environment is its name in dtok's configuration, "" without one.
	Environment string `json:"environment,omitempty"`
	// ClusterID is Kafka's own, "" where the broker does not tell it.
	ClusterID string `json:"cluster_id,omitempty"`
	// Address is the bootstrap address that the connection stands on.
	Address string `json:"address,omitempty"`
}

// Token is what a record tells of the token: what was asked for in the intent,
// and in the outcome what came of it as well. Names have the form User:alice.
type Token struct {
	ID        string   `json:"id,omitempty"`
	Owner     string   `json:"owner,omitempty"`
	Requester string   `json:"requester,omitempty"`
	Renewers  []string `json:"renewers,omitempty"`
	// AskedMillis is the maximum lifetime (create) or the period (renew) that
	// was asked for; -1 left it to the cluster.
	AskedMillis int64 `json:"asked_ms,omitempty"`
	Issued      Time  `json:"issued,omitzero"`
	// ExpiresBefore is the expiry that the token had before the change, as
	// far as dtok knew it when it wrote the record.
	ExpiresBefore Time `json:"expires_before,omitzero"`
	// Expires is the expiry after a creation or a renewal.
	Expires         Time `json:"expires,omitzero"`
	MaxLifetimeEnds Time `json:"max_lifetime_ends,omitzero"`
	// Stopped is the moment at which the token stopped working.
	Stopped Time `json:"stopped,omitzero"`
	// AskedOwner is set when the cluster made the token for another owner
	// than the one asked for; Owner then tells who really has it, and
	// ExpiredAtOnce that dtok expired it straight away.
	AskedOwner    string `json:"asked_owner,omitempty"`
	ExpiredAtOnce bool   `json:"expired_at_once,omitempty"`
}

// Time is written as RFC 3339 in UTC with milliseconds, the precision that
// Kafka has.
type Time struct{ time.Time }

const timeLayout = `"2006-01-02T15:04:05.000Z"`

// MarshalJSON writes the time. Unlike time.Time it takes any year: a broker
// may send one beyond 9999, and such a record must not be lost.
func (t Time) MarshalJSON() ([]byte, error) {
	return t.UTC().AppendFormat(nil, timeLayout), nil
}

func names(ps []kafka.Principal) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.String())
	}
	return out
}
