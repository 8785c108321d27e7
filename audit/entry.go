package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// NoOutcome stands in lists where a change has an intent and no outcome: dtok
// was killed before it could write one, or the change is still running. How it
// ended is unknown.
const NoOutcome = "no outcome"

// Entry is all that the trail tells of one request: the intent and the outcome
// of a change, the parts of a reading. A record about the trail itself and a
// line that is no record are entries of their own.
type Entry struct{ Lines []Line }

// Record is the newest known record of the entry, the zero Record when none is
// known.
func (e Entry) Record() Record {
	for _, l := range slices.Backward(e.Lines) {
		if l.Known {
			return l.Record
		}
	}
	return Record{}
}

// Time is that of the first known record, zero when none is known.
func (e Entry) Time() time.Time {
	for _, l := range e.Lines {
		if l.Known {
			return l.Record.Time.Time
		}
	}
	return time.Time{}
}

// Outcome is how the request ended, NoOutcome for a change without one, and ""
// for what is no request.
func (e Entry) Outcome() string {
	switch r := e.Record(); {
	case r.Outcome != "":
		return string(r.Outcome)
	case r.Phase == Intent:
		return NoOutcome
	}
	return ""
}

// Fault is why a line of the entry does not verify; "" when all do.
func (e Entry) Fault() string {
	for _, l := range e.Lines {
		if l.Fault != "" {
			return l.Fault
		}
	}
	return ""
}

// Entries reads the trail at path into entries, in the order in which they
// begin. The error is as for Walk.
func Entries(ctx context.Context, path string) ([]Entry, Report, error) {
	var entries []Entry
	at := map[string]int{}
	report, err := Walk(ctx, path, Expect{}, func(l Line) error {
		id := l.Record.ID
		if i, ok := at[id]; ok && id != "" {
			entries[i].Lines = append(entries[i].Lines, l)
			return nil
		}
		if id != "" {
			at[id] = len(entries)
		}
		entries = append(entries, Entry{Lines: []Line{l}})
		return nil
	})
	return entries, report, err
}

// Filter chooses entries. A zero field chooses all.
type Filter struct {
	// User is a Kafka user, alice or User:alice: who owns the token or whose
	// tokens were read, whom ACL rules are for or on, whose quota was changed,
	// and who the connection acted as.
	User string
	// Token is a token's ID.
	Token string
	// Kind is the beginning of a kind, such as "create".
	Kind string
	// Outcome is one of the outcomes. Unknown also chooses changes without one.
	Outcome string
	// Since and Until bound the time of the entry's first record: from Since
	// on, and before Until.
	Since, Until time.Time
	// Environment is the name in dtok's configuration.
	Environment string
}

// Match reports whether the filter chooses the entry. A line that is not known
// is chosen by the zero Filter alone.
func (f Filter) Match(e Entry) bool {
	if f == (Filter{}) {
		return true
	}
	r, at := e.Record(), e.Time()
	switch {
	case r.Schema == 0:
		return false
	case !f.Since.IsZero() && at.Before(f.Since), !f.Until.IsZero() && !at.Before(f.Until):
		return false
	case !strings.HasPrefix(string(r.Kind), f.Kind):
		return false
	case f.Environment != "" && r.Where.Environment != f.Environment:
		return false
	case f.Outcome != "" && e.Outcome() != f.Outcome && !(f.Outcome == string(Unknown) && e.Outcome() == NoOutcome):
		return false
	}
	return f.matchUser(e) && f.matchToken(e)
}

func (f Filter) matchUser(e Entry) bool {
	if f.User == "" {
		return true
	}
	user := f.User
	if !strings.Contains(user, ":") {
		user = "User:" + user
	}
	return slices.ContainsFunc(e.Lines, func(l Line) bool {
		r := l.Record
		return r.Who.Principal == user || r.Token.Owner == user || r.Token.AskedOwner == user ||
			slices.Contains(r.users(), user) ||
			r.Read != nil && (r.Read.Owner == user ||
				slices.ContainsFunc(r.Read.Tokens, func(t ReadToken) bool { return t.Owner == user }))
	})
}

func (f Filter) matchToken(e Entry) bool {
	if f.Token == "" {
		return true
	}
	return slices.ContainsFunc(e.Lines, func(l Line) bool {
		r := l.Record
		return r.Token.ID == f.Token ||
			r.Read != nil && slices.ContainsFunc(r.Read.Tokens, func(t ReadToken) bool { return t.ID == f.Token })
	})
}

// JSON is the line for a program that reads on: as it stands in the file where
// it verifies, and within an object that says why not otherwise. It is one
// line, and safe to print.
func (l Line) JSON() []byte {
	if l.Fault == "" {
		return escapeUnprintable([]byte(l.Text))
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	// Strings and a number: there is nothing that could not be encoded.
	_ = enc.Encode(struct {
		File  string `json:"file"`
		Line  int    `json:"line"`
		Fault string `json:"fault"`
		Raw   string `json:"raw"`
	}{l.File, l.Number, l.Fault, l.Text})
	return escapeUnprintable(buf.Bytes())
}
