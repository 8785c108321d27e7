package kafka

import (
	"slices"
	"time"
)

// Token is a delegation token without its HMAC: what lists show. Times have
// millisecond precision, as brokers give them.
type Token struct {
	// ID is the user name a worker signs in with: 22 characters of URL-safe
	// base64 on brokers of today, never interpreted here.
	ID string
	// Owner is who a session that signs in with the token acts as.
	Owner Principal
	// Requester asked for the token. It may see it, but neither renew nor
	// expire it. Zero where the broker does not tell (Describe below v3,
	// Kafka before 3.3).
	Requester Principal
	// Renewers may renew and expire the token besides its owner, in the
	// broker's order.
	Renewers []Principal
	// Issued is when the cluster made the token.
	Issued time.Time
	// Expires is when it stops working unless it is renewed.
	Expires time.Time
	// MaxLifetimeEnds is the moment that no renewal can pass; set at creation.
	MaxLifetimeEnds time.Time

	fingerprint fingerprint
}

// Expired reports whether the token no longer signs in at now. Brokers compare
// strictly: at the very millisecond of its expiry a token still works.
func (t Token) Expired(now time.Time) bool {
	return t.Expires.Before(now) || t.MaxLifetimeEnds.Before(now)
}

// ManagedBy reports whether Kafka lets p renew and expire the token: only its
// owner and its renewers, not the requester, and super users are no exception.
func (t Token) ManagedBy(p Principal) bool {
	return t.Owner == p || slices.Contains(t.Renewers, p)
}

// SeenBy reports whether p sees the token without any ACL rule: its owner, its
// requester and its renewers.
func (t Token) SeenBy(p Principal) bool { return t.ManagedBy(p) || t.Requester == p }

// TokenList is the answer to one reading of tokens. Brokers give no order.
type TokenList struct {
	Tokens []Token
	// Read is when the answer arrived.
	Read time.Time
}

// CreateRequest asks for a token.
type CreateRequest struct {
	// Owner is who the token acts as. An owner other than the connection's
	// own principal needs Create v3 (Kafka 3.3, KIP-373) and CreateTokens on
	// the User resource Owner.String().
	Owner Principal
	// Renewers may renew and expire it besides the owner; type User only.
	Renewers []Principal
	// MaxLifetime is capped by the cluster's delegation.token.max.lifetime.ms.
	MaxLifetime Period
	// Progress, where set, is told what the change waits for.
	Progress *Progress
}

// Created is a new token and the only copy of its HMAC that dtok ever holds.
type Created struct {
	Token Token
	// HMAC holds the 64 bytes as Kafka sent them; HMACText gives the text that
	// a worker uses as its password. Who receives it destroys it.
	HMAC *Secret
	// Capped is set when the cluster gave a shorter maximum lifetime than
	// the one asked for, which it does without an error.
	Capped bool
}

// RenewRequest asks for a later expiry. Kafka finds a token by nothing but its
// HMAC; Token is what the HMAC is checked against before anything is sent.
type RenewRequest struct {
	Token Token
	// HMAC holds the 64 decoded bytes (ParseHMAC). The client destroys it.
	HMAC *Secret
	// Period from now; the cluster caps it with delegation.token.expiry.time.ms.
	// The new expiry can be earlier than the old one.
	Period   Period
	Progress *Progress
}

// Renewed is the token with its new expiry, and the expiry it had.
type Renewed struct {
	Token  Token
	Before time.Time
	// Capped is set when the token expires more than a minute earlier than the
	// period that was asked for ends by this machine's clock. KRaft caps it with
	// delegation.token.expiry.time.ms, and all with the end of the maximum
	// lifetime.
	Capped bool
}

// ExpireRequest asks the cluster to remove a token at once (period -1: 0 would
// only mark it and leave it listed until the broker's next sweep).
type ExpireRequest struct {
	Token Token
	// HMAC holds the 64 decoded bytes (ParseHMAC). The client destroys it.
	HMAC *Secret
	// Reason is the person's; it goes to the audit trail and never to Kafka.
	Reason   string
	Progress *Progress
}

// Expired is the removed token, the expiry it had, and the moment it stopped.
type Expired struct {
	Token  Token
	Before time.Time
	At     time.Time
}

// SignIn is what a test sign-in with a token found.
type SignIn struct {
	Mechanism string
	// Lifetime is how long the broker lets such a session live; 0 when it
	// sets no limit (before Kafka 3.3 without connections.max.reauth.ms).
	Lifetime time.Duration
}
