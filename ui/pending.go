package ui

import (
	"slices"
	"time"

	"dtok/kafka"
)

// changeKind is what dtok has done to a token.
type changeKind int

const (
	wasCreated changeKind = iota
	wasRenewed
	wasExpired
)

// pendingChange is a change that the cluster has confirmed and that no reading
// has shown yet: the controller answers before the brokers learn of it.
type pendingChange struct {
	kind   changeKind
	token  kafka.Token // as it is after the change
	before time.Time   // the expiry before a renewal
}

// pendingChanges keeps the changes of this session until a reading shows them,
// by token ID. What dtok did is shown at once and stays shown.
type pendingChanges map[string]pendingChange

// add notes a change. A later one of the same token replaces an earlier one,
// but a token that no reading has shown yet stays a new one.
func (p pendingChanges) add(kind changeKind, token kafka.Token, before time.Time) {
	if old, ok := p[token.ID]; ok && kind == wasRenewed {
		if old.kind == wasCreated {
			kind = wasCreated
		} else if old.kind == wasRenewed {
			before = old.before
		}
	}
	p[token.ID] = pendingChange{kind: kind, token: token, before: before}
}

// merge puts the pending changes into a fresh reading of owner's tokens (of
// all tokens for a zero owner) and forgets those that it shows.
func (p pendingChanges) merge(tokens []kafka.Token, owner kafka.Principal) []kafka.Token {
	if len(p) == 0 {
		return tokens
	}
	at := make(map[string]int, len(p))
	for i := range tokens {
		if _, ok := p[tokens[i].ID]; ok {
			at[tokens[i].ID] = i
		}
	}
	for id, change := range p {
		if !owner.IsZero() && change.token.Owner != owner {
			continue
		}
		i, listed := at[id]
		switch {
		case change.kind == wasCreated && !listed:
			tokens = append(tokens, change.token)
		case change.kind == wasRenewed && listed && tokens[i].Expires.Equal(change.before) &&
			!change.before.Equal(change.token.Expires):
			tokens[i].Expires = change.token.Expires
		case change.kind == wasExpired && listed:
			// The broker has not learned of it yet; the row stays, marked.
		default:
			delete(p, id)
		}
	}
	return tokens
}

// apply shows a change in tokens without a reading.
func (change pendingChange) apply(tokens []kafka.Token) []kafka.Token {
	i := slices.IndexFunc(tokens, func(t kafka.Token) bool { return t.ID == change.token.ID })
	switch {
	case change.kind == wasExpired && i >= 0:
		return slices.Delete(tokens, i, i+1)
	case change.kind == wasExpired:
		return tokens
	case i >= 0:
		tokens[i].Expires = change.token.Expires
		return tokens
	}
	return append(tokens, change.token)
}

// note is the mark of a token whose last change no reading has shown yet.
func (p pendingChanges) note(id string) string {
	change, ok := p[id]
	if !ok {
		return ""
	}
	switch change.kind {
	case wasCreated:
		return "new"
	case wasRenewed:
		return "renewed"
	}
	return "removed"
}

// noteText says what the mark means.
func (p pendingChanges) noteText(id string) string {
	switch p.note(id) {
	case "new":
		return "made a moment ago; the broker does not list it yet"
	case "renewed":
		return "renewed a moment ago; the broker still lists the old expiry"
	case "removed":
		return "expired a moment ago; the broker still lists it"
	}
	return ""
}
