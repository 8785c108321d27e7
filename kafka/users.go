package kafka

import "time"

// Source is one of the four places that users are known from.
type Source int

// The sources of the user list, in the order they are read. The tokens come
// first and the SCRAM users last, because a fault in a later answer of a
// pipeline cannot take an earlier one with it.
const (
	FromTokens Source = iota
	FromACLs
	FromQuotas
	FromSCRAM
	sourceCount
)

// String is the source's name for people.
func (s Source) String() string {
	switch s {
	case FromTokens:
		return "tokens"
	case FromACLs:
		return "ACL rules"
	case FromQuotas:
		return "quotas"
	case FromSCRAM:
		return "SCRAM users"
	}
	return "unknown source"
}

// Sources is a set of Source.
type Sources uint8

// With returns the set that also holds s.
func (set Sources) With(s Source) Sources { return set | 1<<s }

// Has reports whether s is in the set.
func (set Sources) Has(s Source) bool { return set&(1<<s) != 0 }

// Only is the source of a set of one; false for every other set.
func (set Sources) Only() (Source, bool) {
	for s := range sourceCount {
		if set == Sources(0).With(s) {
			return s, true
		}
	}
	return 0, false
}

// User is one row of the user list: the union of SCRAM users, token owners,
// principals of ACL rules and users with quotas.
type User struct {
	Principal Principal
	// From tells which sources know the user.
	From Sources
	// Tokens counts the tokens that the user owns and the connection may see.
	Tokens int
	// NextExpiry is the earliest expiry among them that was still to come when
	// they were read, or the earliest of all where none was; zero without tokens.
	NextExpiry time.Time
	// ACLRules counts the rules whose principal is exactly this user.
	ACLRules int
	// Quotas counts the quota values set on entities that name the user.
	Quotas int
	// SCRAM lists the mechanisms that the user has credentials for.
	SCRAM []string
}

// UserList is the answer to one reading of all sources.
type UserList struct {
	// Users are sorted by the label of their principal.
	Users []User
	// Tokens are all tokens that the connection may see, in no order.
	Tokens []Token
	// OnUsers are all rules on User resources: who may create and describe whose
	// tokens. There are none where FromACLs failed.
	OnUsers []ACLRule
	// Failed says why a source could not be read: an *OffError where tokens
	// are off, a *RefusedError where a permission is missing, an error of the
	// connection otherwise. A source without an entry was read.
	Failed map[Source]error
	// Read is when the last answer arrived.
	Read time.Time
}

// NextExpiry is the one of two expiries that comes next at now: one that has
// passed, of a token that the broker has not removed yet, only where the other
// has passed too, or is zero for none.
func NextExpiry(have, other, now time.Time) time.Time {
	switch passed := now.Compare(other) >= 0; {
	case have.IsZero():
		return other
	case passed != (now.Compare(have) >= 0):
		if passed {
			return have
		}
		return other
	case other.Before(have):
		return other
	}
	return have
}
