package contract

import (
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"dtok/kafka/contract/raw"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// client is a connection whose failures fail the case.
type client struct {
	*env
	conn *raw.Conn
}

// hungUp reports whether err says that the broker closed the connection.
func hungUp(err error) bool {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return false
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// do sends a request and returns its response; R is its type. The request goes
// out in the version that it carries, or in the newest that the release has.
func do[R kmsg.Response](c *client, req kmsg.Request) R {
	c.Helper()
	req.SetVersion(c.Kafka().Newest(req.Key(), req.GetVersion()))
	resp, err := c.conn.Do(req)
	if err != nil {
		c.Fatalf("%s version %d: %v", kmsg.NameForKey(req.Key()), req.GetVersion(), err)
	}
	return resp.(R)
}

// newToken asks for a token. The zero value is one for the caller, without
// renewers, with the cluster's own lifetime.
type newToken struct {
	version  *int16 // nil is the newest
	owner    string
	renewers []string
	life     int64 // 0 is -1
}

func createRequest(n newToken) *kmsg.CreateDelegationTokenRequest {
	req := kmsg.NewPtrCreateDelegationTokenRequest()
	req.Version, req.MaxLifetimeMillis = 3, -1
	if n.version != nil {
		req.Version = *n.version
	}
	if n.life != 0 {
		req.MaxLifetimeMillis = n.life
	}
	if n.owner != "" {
		kind, name := split(n.owner)
		req.OwnerPrincipalType, req.OwnerPrincipalName = &kind, &name
	}
	for _, r := range n.renewers {
		renewer := kmsg.NewCreateDelegationTokenRequestRenewer()
		renewer.PrincipalType, renewer.PrincipalName = split(r)
		req.Renewers = append(req.Renewers, renewer)
	}
	return req
}

// split cuts a principal at its first colon.
func split(principal string) (kind, name string) {
	kind, name, _ = strings.Cut(principal, ":")
	return kind, name
}

func (c *client) create(n newToken) *kmsg.CreateDelegationTokenResponse {
	c.Helper()
	return do[*kmsg.CreateDelegationTokenResponse](c, createRequest(n))
}

// creates holds a create to its code, after the rules have settled. Rules reach
// the controller, which looks at them once more, a little later than the
// broker; its refusals carry times of 0.
func (c *client) creates(n newToken, code int16) *kmsg.CreateDelegationTokenResponse {
	c.Helper()
	r := c.create(n)
	c.await("the rules reach the controller", arrival, func() bool {
		late := code == 0 && r.ErrorCode == 65 && r.IssueTimestamp == c.noTime()
		if late {
			r = c.create(n)
		}
		return !late
	})
	equal(c.env, "code of create", r.ErrorCode, code)
	return r
}

// newToken creates a token and waits until the broker shows it to its maker.
func (c *client) newToken(n newToken) token {
	c.Helper()
	r := c.creates(n, 0)
	c.await("the new token is described", arrival, func() bool { return c.sees(r.TokenID) })
	return token{
		id: r.TokenID, hmac: string(r.HMAC), renewers: n.renewers,
		owner:     principal(r.PrincipalType, r.PrincipalName),
		requester: principal(r.TokenRequesterPrincipalType, r.TokenRequesterPrincipalName),
		issued:    r.IssueTimestamp, expires: r.ExpiryTimestamp, ends: r.MaxTimestamp,
	}
}

// principal is "" where a message has none, as those below version 3 have no
// requester.
func principal(kind, name string) string {
	if kind == "" && name == "" {
		return ""
	}
	return kind + ":" + name
}

// token is a token as the cases compare it.
type token struct {
	id, owner, requester  string
	renewers              []string
	issued, expires, ends int64
	hmac                  string
}

// ownerFilter is the owners field of a describe request: nil is null.
type ownerFilter []string

func describeRequest(version int16, owners ownerFilter) *kmsg.DescribeDelegationTokenRequest {
	req := kmsg.NewPtrDescribeDelegationTokenRequest()
	req.Version = version
	if owners != nil {
		req.Owners = []kmsg.DescribeDelegationTokenRequestOwner{}
	}
	for _, o := range owners {
		owner := kmsg.NewDescribeDelegationTokenRequestOwner()
		owner.PrincipalType, owner.PrincipalName = split(o)
		req.Owners = append(req.Owners, owner)
	}
	return req
}

// describe returns the tokens that the broker shows, sorted by id, because
// brokers give no order. Owners nil asks for all.
func (c *client) describe(owners ownerFilter) []token {
	c.Helper()
	return c.describeVersion(3, owners)
}

func (c *client) describeVersion(version int16, owners ownerFilter) []token {
	c.Helper()
	r := do[*kmsg.DescribeDelegationTokenResponse](c, describeRequest(version, owners))
	equal(c.env, "code of describe", r.ErrorCode, 0)
	var tokens []token
	for _, d := range r.TokenDetails {
		t := token{
			id: d.TokenID, hmac: string(d.HMAC), owner: principal(d.PrincipalType, d.PrincipalName),
			requester: principal(d.TokenRequesterPrincipalType, d.TokenRequesterPrincipalName),
			issued:    d.IssueTimestamp, expires: d.ExpiryTimestamp, ends: d.MaxTimestamp,
		}
		for _, p := range d.Renewers {
			t.renewers = append(t.renewers, p.PrincipalType+":"+p.PrincipalName)
		}
		tokens = append(tokens, t)
	}
	slices.SortFunc(tokens, func(a, b token) int { return strings.Compare(a.id, b.id) })
	return tokens
}

// ids are the ids that the broker shows, sorted.
func (c *client) ids(owners ownerFilter) []string {
	c.Helper()
	return idsOf(c.describe(owners)...)
}

func idsOf(tokens ...token) []string {
	ids := []string{}
	for _, t := range tokens {
		ids = append(ids, t.id)
	}
	slices.Sort(ids)
	return ids
}

// sees reports whether the broker shows the token to this client.
func (c *client) sees(id string) bool {
	c.Helper()
	return slices.Contains(c.ids(nil), id)
}

// shown is the token with this id as the broker shows it.
func (c *client) shown(id string) token {
	c.Helper()
	for _, t := range c.describe(nil) {
		if t.id == id {
			return t
		}
	}
	c.Fatalf("token %s is not described", id)
	return token{}
}
