package ui

import (
	"context"

	"dtok/kafka"
)

// Broker is what the screens need of a cluster. kafka.Client satisfies it;
// read-only and the audit trail are decorators that are wired in cmd/dtok.
type Broker interface {
	Reads
	Changes
	// Session is what is known of the connection, without asking anyone.
	Session() kafka.Session
	// Close gives the connection up.
	Close()
}

// Reads are the requests that change nothing.
type Reads interface {
	Users(ctx context.Context) (kafka.UserList, error)
	// Tokens lists the tokens that owner owns; a zero owner lists all that
	// the connection may see.
	Tokens(ctx context.Context, owner kafka.Principal) (kafka.TokenList, error)
	// Rules lists the ACL rules of user, for everyone, and on user.
	Rules(ctx context.Context, user kafka.Principal) (kafka.RuleList, error)
	// Quotas lists every quota entity that touches user.
	Quotas(ctx context.Context, user kafka.Principal) (kafka.QuotaList, error)
	// TestSignIn signs in as a worker would, with hmac's 64 bytes, which it
	// destroys, and sends one request.
	TestSignIn(ctx context.Context, token kafka.Token, hmac *kafka.Secret) (kafka.SignIn, error)
}

// Changes are the requests that change the cluster. Each is sent at most once.
type Changes interface {
	CreateToken(ctx context.Context, req kafka.CreateRequest) (kafka.Created, error)
	RenewToken(ctx context.Context, req kafka.RenewRequest) (kafka.Renewed, error)
	ExpireToken(ctx context.Context, req kafka.ExpireRequest) (kafka.Expired, error)
	kafka.RuleChanger
	kafka.QuotaChanger
}
