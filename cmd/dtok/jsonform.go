package main

import (
	"encoding/json"
	"io"
	"time"

	"dtok/kafka"
)

// jsonVersion is the schema_version of all JSON that the commands print. It
// grows when a field goes or changes its meaning, and not when one is added.
const jsonVersion = 1

// moment is written as RFC 3339 in UTC with milliseconds, and none as null.
// Unlike time.Time it takes any year: a broker may send one beyond 9999.
type moment time.Time

// MarshalJSON writes the moment.
//
//nolint:unparam // json.Marshaler is so
func (m moment) MarshalJSON() ([]byte, error) {
	t := time.Time(m)
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`), nil
}

// tokenJSON is a token without its HMAC. Principals have Kafka's own form,
// User:alice; requester is null where the broker does not tell it.
type tokenJSON struct {
	ID              string   `json:"token_id"`
	Owner           string   `json:"owner"`
	Requester       *string  `json:"requester"`
	Renewers        []string `json:"renewers"`
	Issued          moment   `json:"issued"`
	Expires         moment   `json:"expires"`
	MaxLifetimeEnds moment   `json:"max_lifetime_ends"`
	Expired         bool     `json:"expired"`
}

func tokenAsJSON(t *kafka.Token, now time.Time) tokenJSON {
	j := tokenJSON{
		ID: t.ID, Owner: t.Owner.String(), Renewers: make([]string, len(t.Renewers)),
		Issued: moment(t.Issued), Expires: moment(t.Expires), MaxLifetimeEnds: moment(t.MaxLifetimeEnds),
		Expired: t.Expired(now),
	}
	for i, r := range t.Renewers {
		j.Renewers[i] = r.String()
	}
	if !t.Requester.IsZero() {
		requester := t.Requester.String()
		j.Requester = &requester
	}
	return j
}

// tokensJSON is what dtok tokens prints.
type tokensJSON struct {
	Version int    `json:"schema_version"`
	Read    moment `json:"read"`
	// User is null where all tokens are listed.
	User *string `json:"user"`
	// WithinMillis is --expiring-within, null without it.
	WithinMillis *int64      `json:"expiring_within_ms"`
	Tokens       []tokenJSON `json:"tokens"`
}

func writeTokensJSON(w io.Writer, owner kafka.Principal, read time.Time, within time.Duration, tokens []*kafka.Token) error {
	j := tokensJSON{Version: jsonVersion, Read: moment(read), Tokens: make([]tokenJSON, len(tokens))}
	if !owner.IsZero() {
		user := owner.String()
		j.User = &user
	}
	if within > 0 {
		ms := within.Milliseconds()
		j.WithinMillis = &ms
	}
	for i, t := range tokens {
		j.Tokens[i] = tokenAsJSON(t, read)
	}
	return writeJSON(w, j)
}

// changeJSON is what a change prints that was done.
type changeJSON struct {
	Version int       `json:"schema_version"`
	Change  kafka.Op  `json:"change"`
	Token   tokenJSON `json:"token"`
	// ExpiresBefore is the expiry before a renewal or an expiry.
	ExpiresBefore *moment `json:"expires_before,omitempty"`
	// Capped is set by a creation and a renewal: the cluster gave less than was
	// asked for.
	Capped *bool `json:"capped,omitempty"`
	// HMACFile is where a creation has put the HMAC.
	HMACFile string `json:"hmac_file,omitempty"`
}

// writeJSON writes a value on one line, in one piece.
func writeJSON(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
