package ui

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"dtok/kafka"
)

// fakeBroker answers from memory, for driver tests. What Kafka itself does is
// the business of the contract suite; here the screens are tested.
type fakeBroker struct {
	now     func() time.Time
	session kafka.Session
	users   []kafka.User
	tokens  []kafka.Token
	failed  map[kafka.Source]error

	connectErr, usersErr, tokensErr error
	createErr, renewErr, expireErr  error
	signInErr                       error
	// lag keeps a change out of the lists until it is switched off.
	lag      bool
	unlisted []kafka.Token
	hmacs    map[string][]byte
	asked    []string // one line per request, without secrets
	created  []kafka.CreateRequest
	capped   bool
	closed   bool

	rules               []kafka.ACLRule
	rulesFailed         map[kafka.RuleGroup]error
	quotas              []kafka.QuotaEntity
	rulesErr, quotasErr error
	ruleErr, quotaErr   error
}

var alice, bob, carol, ops = kafka.UserPrincipal("alice"), kafka.UserPrincipal("bob"), kafka.UserPrincipal("carol"), kafka.UserPrincipal("ops")

func newFakeBroker() *fakeBroker {
	b := &fakeBroker{
		session: kafka.Session{Address: "127.0.0.1:9092", Protocol: kafka.SASLSSL, Mechanism: kafka.MechanismScramSHA512,
			Principal: ops, ClusterID: "demo-cluster", CanCreateForOthers: true},
		hmacs: map[string][]byte{}, rules: fakeRules(), quotas: fakeQuotas(),
	}
	b.add(token("tok-alice-000000000001", alice, alice, -2*time.Hour, 22*time.Hour, 6*24*time.Hour, ops))
	b.add(token("tok-alice-000000000002", alice, ops, -26*time.Hour, 40*time.Minute, 5*24*time.Hour, ops, carol))
	b.add(token("tok-alice-000000000003", alice, alice, -50*time.Hour, -3*time.Hour, 4*24*time.Hour))
	b.add(token("tok-bob-00000000000001", bob, bob, -time.Hour, 5*time.Hour, 30*time.Hour))
	b.users = []kafka.User{
		{Principal: alice, From: kafka.Sources(0).With(kafka.FromTokens).With(kafka.FromSCRAM), ACLRules: 3, Quotas: 1, SCRAM: []string{"SCRAM-SHA-256", "SCRAM-SHA-512"}},
		{Principal: bob, From: kafka.Sources(0).With(kafka.FromTokens), ACLRules: 1},
		{Principal: carol, From: kafka.Sources(0).With(kafka.FromACLs), ACLRules: 2},
		{Principal: ops, From: kafka.Sources(0).With(kafka.FromSCRAM), SCRAM: []string{"SCRAM-SHA-512"}},
	}
	return b
}

func token(id string, owner, requester kafka.Principal, issued, expires, ends time.Duration, renewers ...kafka.Principal) kafka.Token {
	return kafka.Token{ID: id, Owner: owner, Requester: requester, Renewers: renewers, Issued: start.Add(issued),
		Expires: start.Add(expires), MaxLifetimeEnds: start.Add(ends)}
}

func (b *fakeBroker) add(t kafka.Token) {
	b.tokens = append(b.tokens, t)
	hmac := make([]byte, kafka.HMACSize)
	copy(hmac, "HMAC of "+t.ID)
	b.hmacs[t.ID] = hmac
}

// hmacText is what a person pastes for a token.
func (b *fakeBroker) hmacText(id string) string {
	return base64.StdEncoding.EncodeToString(b.hmacs[id])
}

// mustNotHold fails if text holds an HMAC in any of its forms.
func (b *fakeBroker) mustNotHold(t *testing.T, where, text string) {
	t.Helper()
	for id, hmac := range b.hmacs {
		for _, form := range []string{string(hmac[:20]), base64.StdEncoding.EncodeToString(hmac)[:24],
			base64.URLEncoding.EncodeToString(hmac)[:24], fmt.Sprintf("%x", hmac)[:24]} {
			if strings.Contains(text, form) {
				t.Fatalf("%s holds the HMAC of %s", where, id)
			}
		}
	}
}

func (b *fakeBroker) Session() kafka.Session { return b.session }
func (b *fakeBroker) Close()                 { b.closed = true }

func (b *fakeBroker) Users(context.Context) (kafka.UserList, error) {
	b.asked = append(b.asked, "users")
	if b.usersErr != nil {
		return kafka.UserList{}, b.usersErr
	}
	list := kafka.UserList{Failed: b.failed, Read: b.now()}
	list.Tokens = append(list.Tokens, b.tokens...)
	list.Users = append(list.Users, b.users...)
	for _, r := range b.rules {
		if r.ResourceType == kafka.ResourceUser && b.failed[kafka.FromACLs] == nil {
			list.OnUsers = append(list.OnUsers, r)
		}
	}
	at := map[kafka.Principal]*kafka.User{}
	for i := range list.Users {
		at[list.Users[i].Principal] = &list.Users[i]
	}
	for i := range b.tokens {
		if u := at[b.tokens[i].Owner]; u != nil {
			u.Tokens++
			u.NextExpiry = kafka.NextExpiry(u.NextExpiry, b.tokens[i].Expires, list.Read)
		}
	}
	return list, nil
}

func (b *fakeBroker) Tokens(_ context.Context, owner kafka.Principal) (kafka.TokenList, error) {
	b.asked = append(b.asked, "tokens "+owner.String())
	if b.tokensErr != nil {
		return kafka.TokenList{}, b.tokensErr
	}
	list := kafka.TokenList{Read: b.now()}
	for i := len(b.tokens) - 1; i >= 0; i-- {
		if owner.IsZero() || b.tokens[i].Owner == owner {
			list.Tokens = append(list.Tokens, b.tokens[i])
		}
	}
	return list, nil
}

func (b *fakeBroker) CreateToken(_ context.Context, req kafka.CreateRequest) (kafka.Created, error) {
	b.asked = append(b.asked, "create "+req.Owner.String())
	b.created = append(b.created, req)
	t := token(fmt.Sprintf("tok-new-%014d", len(b.created)), req.Owner, b.session.Principal, 0, 0, 0, req.Renewers...)
	t.Issued, t.Expires, t.MaxLifetimeEnds = b.now(), b.now().Add(24*time.Hour), b.now().Add(7*24*time.Hour)
	if b.createErr == nil || isUnknown(b.createErr) {
		b.add(t)
		if b.lag {
			b.tokens = b.tokens[:len(b.tokens)-1]
			b.unlisted = append(b.unlisted, t)
		}
	}
	if b.createErr != nil {
		return kafka.Created{}, b.createErr
	}
	return kafka.Created{Token: t, HMAC: kafka.NewSecret(append([]byte(nil), b.hmacs[t.ID]...)), Capped: b.capped}, nil
}

// checked compares a pasted HMAC as the client does before it sends anything.
func (b *fakeBroker) checked(id string, hmac *kafka.Secret) error {
	same := false
	hmac.Use(func(h []byte) { same = string(h) == string(b.hmacs[id]) })
	if !same {
		return &kafka.MismatchError{TokenID: id}
	}
	return nil
}

func (b *fakeBroker) RenewToken(_ context.Context, req kafka.RenewRequest) (kafka.Renewed, error) {
	if err := b.checked(req.Token.ID, req.HMAC); err != nil {
		return kafka.Renewed{}, err
	}
	b.asked = append(b.asked, "renew "+req.Token.ID)
	if b.renewErr != nil {
		return kafka.Renewed{}, b.renewErr
	}
	period := 24 * time.Hour
	if !req.Period.IsDefault() {
		period = min(period, req.Period.Duration())
	}
	t := req.Token
	t.Expires = b.now().Add(period)
	for i := range b.tokens {
		if b.tokens[i].ID == t.ID && !b.lag {
			b.tokens[i].Expires = t.Expires
		}
	}
	return kafka.Renewed{Token: t, Before: req.Token.Expires}, nil
}

func (b *fakeBroker) ExpireToken(_ context.Context, req kafka.ExpireRequest) (kafka.Expired, error) {
	if err := b.checked(req.Token.ID, req.HMAC); err != nil {
		return kafka.Expired{}, err
	}
	b.asked = append(b.asked, "expire "+req.Token.ID+" because "+req.Reason)
	if b.expireErr != nil {
		return kafka.Expired{}, b.expireErr
	}
	for i := range b.tokens {
		if b.tokens[i].ID == req.Token.ID && !b.lag {
			b.tokens = append(b.tokens[:i], b.tokens[i+1:]...)
			break
		}
	}
	return kafka.Expired{Token: req.Token, Before: req.Token.Expires, At: b.now()}, nil
}

func (b *fakeBroker) TestSignIn(_ context.Context, t kafka.Token, hmac *kafka.Secret) (kafka.SignIn, error) {
	b.asked = append(b.asked, "sign in "+t.ID)
	if b.signInErr != nil {
		return kafka.SignIn{}, b.signInErr
	}
	if b.checked(t.ID, hmac) != nil {
		return kafka.SignIn{}, &kafka.SignInError{TokenAuth: true, User: t.ID, Code: kafka.CodeSASLFailed, Mechanism: kafka.MechanismScramSHA512}
	}
	return kafka.SignIn{Mechanism: kafka.MechanismScramSHA512, Lifetime: t.Expires.Sub(b.now())}, nil
}

// catchUp ends the lag: the broker has learned of what was changed.
func (b *fakeBroker) catchUp() {
	b.lag = false
	b.tokens = append(b.tokens, b.unlisted...)
	b.unlisted = nil
}
