package kafka

import "context"

// Changer makes the changes of a cluster. Client is one.
type Changer interface {
	TokenChanger
	RuleChanger
	QuotaChanger
}

// TokenChanger makes, renews and expires tokens. Client is one.
type TokenChanger interface {
	CreateToken(context.Context, CreateRequest) (Created, error)
	RenewToken(context.Context, RenewRequest) (Renewed, error)
	ExpireToken(context.Context, ExpireRequest) (Expired, error)
}

// ReadOnly refuses every change with a *ReadOnlyError, before anything is
// sent: it has no connection of its own. Embedded next to what reads, it makes
// an environment read-only.
type ReadOnly struct {
	// Reason is the environment's, in the words of who set it.
	Reason string
}

// CreateToken refuses.
func (r ReadOnly) CreateToken(context.Context, CreateRequest) (Created, error) {
	return Created{}, &ReadOnlyError{Reason: r.Reason}
}

// RenewToken refuses and destroys the HMAC.
func (r ReadOnly) RenewToken(_ context.Context, req RenewRequest) (Renewed, error) {
	req.HMAC.Destroy()
	return Renewed{}, &ReadOnlyError{Reason: r.Reason}
}

// ExpireToken refuses and destroys the HMAC.
func (r ReadOnly) ExpireToken(_ context.Context, req ExpireRequest) (Expired, error) {
	req.HMAC.Destroy()
	return Expired{}, &ReadOnlyError{Reason: r.Reason}
}

var (
	_ Changer = (*Client)(nil)
	_ Changer = ReadOnly{}
)
