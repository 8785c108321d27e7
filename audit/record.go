package audit

import (
	"strconv"
	"time"

	"dtok/kafka"
)

// Schema is the version of the record format that this dtok writes. It grows
// when a field changes its meaning; fields that are only added do not change it.
// The package documentation lists the versions and the fields.
const Schema = 2

// KindListUsers is a reading of everything that users are known from.
const KindListUsers = kafka.OpListUsers

// The kinds of the records that are about the trail itself; every other kind
// is a request to the cluster.
const (
	// KindHead begins a file, or the chain in a file that had none.
	KindHead kafka.Op = "head"
	// KindSeal says that lines before it are no records of the chain, such as
	// one that was torn when dtok was killed.
	KindSeal kafka.Op = "seal"
	// KindMissed says that readings could not be recorded for a while.
	KindMissed kafka.Op = "missed readings"
)

// Kinds are the kinds of the records that a trail can hold. Filter.Kind is one,
// or the beginning of one.
func Kinds() []kafka.Op {
	return []kafka.Op{kafka.OpCreateToken, kafka.OpRenewToken, kafka.OpExpireToken, kafka.OpTestSignIn, kafka.OpAddRules, kafka.OpDeleteRules,
		kafka.OpSetQuota, kafka.OpRemoveQuota, KindListUsers, kafka.OpListTokens, KindHead, KindSeal, KindMissed}
}

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
	// ID pairs the intent with its outcome, and the parts of a long reading:
	// 26 random characters. Records about the trail itself have none.
	ID string `json:"id,omitempty"`
	// Time is when the record was made, which is not always when it reached
	// the file: an outcome that could not be written is kept and written later.
	Time Time `json:"time"`
	// Kind is the request, such as "create token", or one of the Kind
	// constants.
	Kind  kafka.Op `json:"kind"`
	Phase Phase    `json:"phase,omitempty"`
	// Outcome is set with phase "outcome" only.
	Outcome Outcome `json:"outcome,omitempty"`
	// Problem says why the outcome is not a plain "done".
	Problem *Problem `json:"error,omitempty"`
	Who     Who      `json:"who"`
	Where   Where    `json:"where,omitzero"`
	Token   Token    `json:"token,omitzero"`
	// Rules are the ACL rules that were added or deleted.
	Rules []Rule `json:"rules,omitempty"`
	// Quota is the quota that was set or removed.
	Quota *Quota `json:"quota,omitempty"`
	// Reason is what the person typed, at most ReasonLimit characters of it.
	Reason string `json:"reason,omitempty"`
	// Read is what a reading gave back.
	Read *ReadPart `json:"read,omitempty"`
	// Head is set with KindHead.
	Head *Head `json:"head,omitempty"`
	// Sealed is set with KindSeal, and with KindHead in a file that had lines
	// before its chain began.
	Sealed *Sealed `json:"sealed,omitempty"`
	// Missed is set with KindMissed.
	Missed *Missed `json:"missed,omitempty"`
	// Prev is the Hash of the record before, "" in the first of a trail.
	Prev string `json:"prev,omitempty"`
	// Hash is the SHA-256, in hexadecimal, of the line's bytes up to the comma
	// before "hash". Prev and Hash are put in when the line is written.
	Hash string `json:"hash,omitempty"`
}

// Head is about the file that it begins.
type Head struct {
	// File counts the files of the trail from 1. A full file N is renamed to
	// its name with ".N" after it.
	File int `json:"file"`
}

// Sealed are lines that stand between a record and the one before it, and that
// are no records of the chain.
type Sealed struct {
	Lines int `json:"lines"`
	// SHA256 is over the lines' bytes with their newlines, in hexadecimal.
	SHA256 string `json:"sha256"`
}

// Missed are readings that went on although they could not be recorded.
type Missed struct {
	Readings int  `json:"readings"`
	Since    Time `json:"since"`
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

// ReadPart is what a reading gave back, or a part of it: a long reading is
// recorded in several records with one ID.
type ReadPart struct {
	// Owner is whose tokens were asked for, "" for all that the connection
	// may see.
	Owner string `json:"owner,omitempty"`
	// Users counts the users of a list of users.
	Users int `json:"users,omitempty"`
	// Count is how many tokens the whole reading gave back.
	Count int `json:"count"`
	// Part of Parts, from 1.
	Part  int `json:"part"`
	Parts int `json:"parts"`
	// Tokens are the ones of this part.
	Tokens []ReadToken `json:"tokens,omitempty"`
	// Failed are the sources that could not be read, by name.
	Failed []string `json:"failed,omitempty"`
}

// ReadToken is a token that a reading gave back.
type ReadToken struct {
	ID              string   `json:"id"`
	Owner           string   `json:"owner"`
	Requester       string   `json:"requester,omitempty"`
	Renewers        []string `json:"renewers,omitempty"`
	Issued          Time     `json:"issued"`
	Expires         Time     `json:"expires"`
	MaxLifetimeEnds Time     `json:"max_lifetime_ends"`
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

// UnmarshalJSON reads what MarshalJSON writes, and any RFC 3339 time.
func (t *Time) UnmarshalJSON(text []byte) error {
	const rest = `-01-02T15:04:05.000Z"`
	if at := len(text) - len(rest); at > 0 && text[0] == '"' {
		year, err := strconv.Atoi(string(text[1:at]))
		within, err2 := time.Parse(`2006`+rest, `2000`+string(text[at:])) // a leap year
		if err == nil && err2 == nil {
			t.Time = within.AddDate(year-2000, 0, 0)
			return nil
		}
	}
	return t.Time.UnmarshalJSON(text)
}

func names(ps []kafka.Principal) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.String())
	}
	return out
}
