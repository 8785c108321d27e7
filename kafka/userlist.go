package kafka

import (
	"context"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Users reads all four sources in one round trip and joins them. A source that
// cannot be read is named in UserList.Failed and costs only itself; the error
// is for a reading of which nothing came back.
func (c *Client) Users(ctx context.Context) (_ UserList, err error) {
	defer c.log().operation(OpListUsers)(&err)
	giveBack, err := c.take(ctx)
	if err != nil {
		return UserList{}, err
	}
	defer giveBack()
	_ = c.off(ctx) // the reading sees by itself what it asked anew
	var r *usersReading
	err = c.read(ctx, func(o offers) []*call {
		r = c.newUsersReading(o)
		return r.asked
	})
	if err != nil && (ctx.Err() != nil || r == nil || !r.any()) {
		return UserList{}, err
	}
	return r.list(c), nil
}

// usersReading collects the answers of one reading.
type usersReading struct {
	calls   []*call // one for each of the sources
	of      []Source
	asked   []*call // what is sent: calls and the question for the cluster ID
	failed  map[Source]error
	tokens  describing
	acls    kmsg.DescribeACLsResponse
	quotas  kmsg.DescribeClientQuotasResponse
	scram   kmsg.DescribeUserSCRAMCredentialsResponse
	onUsers []ACLRule
	byUser  map[Principal]*User
	ordered []*User
}

// newUsersReading makes a request for each source that the broker offers.
// Tokens come first and SCRAM last: answers come in order, and brokers were
// seen to hang on SCRAM. Its list of users is empty and never null, because
// with null Kafka up to 4.4 throws while refusing and never answers (seen).
func (c *Client) newUsersReading(o offers) *usersReading {
	r := &usersReading{failed: map[Source]error{}, byUser: map[Principal]*User{}}
	if off := o.off(); off != nil {
		r.failed[FromTokens] = off
	} else {
		r.add(o, FromTokens, r.tokens.call(c.listPrints()))
	}
	const everything = 1 // ANY, for resource, pattern, operation and permission
	r.add(o, FromACLs, &call{
		req: encoded{&kmsg.DescribeACLsRequest{ResourceType: everything, ResourcePatternType: everything,
			Operation: everything, PermissionType: everything}},
		read: reading(&r.acls, func(*kmsg.DescribeACLsResponse) {})})
	const present = 2 // entities that have the component, named or default
	r.add(o, FromQuotas, &call{
		req:  encoded{&kmsg.DescribeClientQuotasRequest{Components: []kmsg.DescribeClientQuotasRequestComponent{{EntityType: "user", MatchType: present}}}},
		read: reading(&r.quotas, func(*kmsg.DescribeClientQuotasResponse) {})})
	r.asked = c.withClusterID(o, r.asked)
	r.add(o, FromSCRAM, &call{
		req:  encoded{&kmsg.DescribeUserSCRAMCredentialsRequest{Users: []kmsg.DescribeUserSCRAMCredentialsRequestUser{}}},
		read: reading(&r.scram, func(*kmsg.DescribeUserSCRAMCredentialsResponse) {})})
	return r
}

func (r *usersReading) add(o offers, s Source, c *call) {
	if _, err := o.version(c.req.ApiKey()); err != nil {
		r.failed[s] = err
		return
	}
	r.calls, r.of, r.asked = append(r.calls, c), append(r.of, s), append(r.asked, c)
}

// any reports whether any source was answered.
func (r *usersReading) any() bool {
	return slices.ContainsFunc(r.calls, func(c *call) bool { return c.err == nil })
}

func (r *usersReading) list(c *Client) UserList {
	for i, s := range r.of {
		if err := r.calls[i].err; err != nil {
			r.failed[s] = err
			continue
		}
		if err := r.join(c, s); err != nil {
			r.failed[s] = err
		}
	}
	l := UserList{Users: make([]User, len(r.ordered)), Tokens: r.tokens.tokens, OnUsers: r.onUsers, Failed: r.failed, Read: c.clock.now()}
	for i, u := range r.ordered {
		slices.Sort(u.SCRAM)
		l.Users[i] = *u
	}
	slices.SortFunc(l.Users, func(a, b User) int {
		if n := strings.Compare(a.Principal.Label(), b.Principal.Label()); n != 0 {
			return n
		}
		return strings.Compare(a.Principal.Type, b.Principal.Type)
	})
	return l
}

func (r *usersReading) join(c *Client, s Source) error {
	switch s {
	case FromTokens:
		if err := c.describeRefusal(r.tokens.code); err != nil {
			return err
		}
		now := c.clock.now()
		for _, t := range r.tokens.tokens {
			u := r.user(t.Owner, s)
			u.Tokens++
			u.NextExpiry = NextExpiry(u.NextExpiry, t.Expires, now)
		}
	case FromACLs:
		return r.joinACLs()
	case FromQuotas:
		return r.joinQuotas()
	case FromSCRAM:
		return r.joinSCRAM()
	}
	return nil
}

func (r *usersReading) joinACLs() error {
	if code := Code(r.acls.ErrorCode); code != CodeNone {
		return &RefusedError{Op: OpListACLs, Code: code}
	}
	for i := range r.acls.Resources {
		resource := &r.acls.Resources[i]
		if ResourceType(resource.ResourceType) == ResourceUser {
			r.onUsers = appendRules(r.onUsers, resource)
		}
		for _, rule := range resource.ACLs {
			p, err := ParsePrincipal(rule.Principal)
			if err != nil || p == everyone {
				continue // nobody in particular
			}
			r.user(p, FromACLs).ACLRules++
		}
	}
	return nil
}

// everyone is the wildcard of ACL rules, which is not a user.
var everyone = UserPrincipal("*")

func (r *usersReading) joinQuotas() error {
	if code := Code(r.quotas.ErrorCode); code != CodeNone {
		return &RefusedError{Op: OpListQuotas, Code: code}
	}
	for _, entry := range r.quotas.Entries {
		for _, part := range entry.Entity {
			if part.Type == "user" && part.Name != nil {
				r.user(UserPrincipal(*part.Name), FromQuotas).Quotas += len(entry.Values)
			}
		}
	}
	return nil
}

func (r *usersReading) joinSCRAM() error {
	if code := Code(r.scram.ErrorCode); code != CodeNone {
		return &RefusedError{Op: OpListSCRAM, Code: code}
	}
	for _, result := range r.scram.Results {
		if result.ErrorCode != 0 {
			continue // removed between the two halves of the broker's answer
		}
		u := r.user(UserPrincipal(result.User), FromSCRAM)
		for _, info := range result.CredentialInfos {
			switch info.Mechanism {
			case 1:
				u.SCRAM = append(u.SCRAM, MechanismScramSHA256)
			case 2:
				u.SCRAM = append(u.SCRAM, MechanismScramSHA512)
			}
		}
	}
	return nil
}

func (r *usersReading) user(p Principal, from Source) *User {
	u, ok := r.byUser[p]
	if !ok {
		u = &User{Principal: p}
		r.byUser[p] = u
		r.ordered = append(r.ordered, u)
	}
	u.From = u.From.With(from)
	return u
}
