package demo

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"hash"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// token is a delegation token. It is never changed once it is stored: a
// renewal stores another one.
type token struct {
	id               string
	owner, requester kafka.Principal
	renewers         []kafka.Principal
	// issued, expires and maxEnds are Unix milliseconds.
	issued, expires, maxEnds int64
	// hmac is behind a pointer, so that printing a token cannot show it.
	hmac *hmacBytes
}

type hmacBytes [kafka.HMACSize]byte

// ends is when the token stops being good.
func (t *token) ends() int64 { return min(t.expires, t.maxEnds) }

// expired is strict: at the very millisecond of its expiry a token is good.
func (t *token) expired(now int64) bool { return t.ends() < now }

// managedBy reports whether p may renew and expire: the owner and the
// renewers, not the requester, and super users are no exception.
func (t *token) managedBy(p kafka.Principal) bool {
	return t.owner == p || slices.Contains(t.renewers, p)
}

// concerns is TokenInformation.ownerOrRenewer, which also takes the requester.
func (t *token) concerns(p kafka.Principal) bool { return t.managedBy(p) || t.requester == p }

// renewed is the token with another expiry.
func (t *token) renewed(expires int64) *token {
	c := *t
	c.expires = expires
	return &c
}

// keyring makes HMACs: HmacSHA512 over the token id, keyed with
// delegation.token.secret.key.
type keyring struct {
	mu  *sync.Mutex
	mac hash.Hash
}

func newKeyring(secretKey string) keyring {
	return keyring{mu: &sync.Mutex{}, mac: hmac.New(sha512.New, []byte(secretKey))}
}

func (k keyring) hmacOf(id string, into *hmacBytes) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.mac.Reset()
	k.mac.Write([]byte(id))
	k.mac.Sum(into[:0])
}

// newTokenID is 22 characters of URL-safe base64 that do not begin with a
// dash, as Kafka's Uuid.randomUuid gives.
func newTokenID() string {
	var b [16]byte
	for {
		_, _ = rand.Read(b[:])
		if id := base64.RawURLEncoding.EncodeToString(b[:]); id[0] != '-' {
			return id
		}
	}
}

// createToken answers CreateDelegationToken. The checks are those of Kafka in
// its order: the broker's first, with timestamps -1, then the controller's,
// with timestamps 0.
func (c *connection) createToken(req *kmsg.CreateDelegationTokenRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.CreateDelegationTokenResponse)
	resp.IssueTimestamp, resp.ExpiryTimestamp, resp.MaxTimestamp = -1, -1, -1
	requester := c.session.principal
	owner := requester
	fail := func(code kafka.Code) kmsg.Response {
		resp.ErrorCode = int16(code)
		resp.PrincipalType, resp.PrincipalName = owner.Type, owner.Name
		resp.TokenRequesterPrincipalType, resp.TokenRequesterPrincipalName = requester.Type, requester.Name
		return resp
	}
	if req.Version >= 3 && req.OwnerPrincipalName != nil && *req.OwnerPrincipalName != "" {
		if req.OwnerPrincipalType == nil { // the broker throws while it makes the principal
			owner, requester = anonymous, anonymous
			return fail(kafka.CodeUnknownServer)
		}
		owner = kafka.Principal{Type: *req.OwnerPrincipalType, Name: *req.OwnerPrincipalName}
	}
	if !c.session.mayUseTokens() {
		return fail(kafka.CodeTokenNotAllowed)
	}
	var out kmsg.Response
	c.cluster.view(func(s *state, now int64) {
		st := &c.cluster.setup
		if owner != requester && !c.may(s, createTokens, userResource, owner.String()) {
			out = fail(kafka.CodeTokenAuthFailed)
			return
		}
		renewers := make([]kafka.Principal, 0, len(req.Renewers))
		for _, r := range req.Renewers {
			if r.PrincipalType != kafka.UserType {
				out = fail(kafka.CodeInvalidPrincipal)
				return
			}
			renewers = append(renewers, kafka.Principal{Type: r.PrincipalType, Name: r.PrincipalName})
		}
		if !st.release.zookeeper {
			resp.IssueTimestamp, resp.ExpiryTimestamp, resp.MaxTimestamp = 0, 0, 0
		}
		switch {
		case !st.controllerKey:
			out = fail(kafka.CodeTokenAuthDisabled)
			return
		case !st.tokensSupported():
			out = fail(kafka.CodeUnsupportedVersion)
			return
		}
		life := st.MaxLifetime.Milliseconds()
		if req.MaxLifetimeMillis > 0 {
			life = min(life, req.MaxLifetimeMillis)
		}
		t := &token{
			id: st.newTokenID(), owner: owner, requester: requester, renewers: renewers,
			issued: now, maxEnds: addMillis(now, life), hmac: new(hmacBytes),
		}
		t.expires = min(t.maxEnds, addMillis(now, st.ExpiryTime.Milliseconds()))
		c.cluster.keys.hmacOf(t.id, t.hmac)
		c.cluster.write(now, c.cluster.storing(t))
		resp.IssueTimestamp, resp.ExpiryTimestamp, resp.MaxTimestamp = t.issued, t.expires, t.maxEnds
		resp.TokenID, resp.HMAC = t.id, bytes.Clone(t.hmac[:])
		out = fail(kafka.CodeNone)
	})
	return out
}

// byHMAC finds a token, which Kafka knows by nothing else.
func (s *state) byHMAC(mac []byte) *token {
	for _, t := range s.tokens {
		if hmac.Equal(t.hmac[:], mac) {
			return t
		}
	}
	return nil
}

// changeChecks are the checks that renewing and expiring share: 64, 61, 35 and
// 62. The token is nil when code is not 0.
func (c *connection) changeChecks(s *state, mac []byte) (t *token, code kafka.Code, expiry int64) {
	st := &c.cluster.setup
	if st.release.zookeeper {
		expiry = -1 // the broker answers by itself; the KRaft controller leaves 0
	}
	switch {
	case !c.session.mayUseTokens():
		return nil, kafka.CodeTokenNotAllowed, -1
	case !st.controllerKey:
		return nil, kafka.CodeTokenAuthDisabled, expiry
	case !st.tokensSupported():
		return nil, kafka.CodeUnsupportedVersion, expiry
	}
	if t = s.byHMAC(mac); t == nil {
		return nil, kafka.CodeTokenNotFound, expiry
	}
	return t, kafka.CodeNone, expiry
}

// renewToken answers RenewDelegationToken.
func (c *connection) renewToken(req *kmsg.RenewDelegationTokenRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.RenewDelegationTokenResponse)
	c.cluster.view(func(s *state, now int64) {
		st := &c.cluster.setup
		t, code, expiry := c.changeChecks(s, req.HMAC)
		if t != nil {
			mine, gone := t.managedBy(c.session.principal), t.expired(now)
			switch {
			case st.release.zookeeper && !mine: // 63 before 66 there, after it on KRaft (seen)
				code = kafka.CodeTokenOwnerMismatch
			case gone:
				code = kafka.CodeTokenExpired
			case !mine:
				code = kafka.CodeTokenOwnerMismatch
			default:
				expiry = min(t.maxEnds, addMillis(now, st.renewPeriod(req.RenewTimeMillis)))
				c.cluster.write(now, c.cluster.storing(t.renewed(expiry)))
			}
		}
		resp.ErrorCode, resp.ExpiryTimestamp = int16(code), expiry
	})
	return resp
}

// renewPeriod is what becomes of the period asked for. KRaft caps it with
// delegation.token.expiry.time.ms and takes 0 for the default; ZooKeeper mode
// does neither (seen).
func (s *setup) renewPeriod(asked int64) int64 {
	byDefault := s.ExpiryTime.Milliseconds()
	switch {
	case asked < 0, asked == 0 && !s.release.zookeeper:
		return byDefault
	case s.release.zookeeper:
		return asked
	}
	return min(byDefault, asked)
}

// expireToken answers ExpireDelegationToken. A period below 0 removes the
// token, even one that has expired already (KAFKA-17315); other periods set
// its expiry, uncapped but for the end of the maximum lifetime.
func (c *connection) expireToken(req *kmsg.ExpireDelegationTokenRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.ExpireDelegationTokenResponse)
	c.cluster.view(func(s *state, now int64) {
		zookeeper := c.cluster.setup.release.zookeeper
		t, code, expiry := c.changeChecks(s, req.HMAC)
		if t != nil {
			switch {
			case !t.managedBy(c.session.principal):
				code = kafka.CodeTokenOwnerMismatch
			case t.expired(now) && (zookeeper || req.ExpiryPeriodMillis >= 0): // KAFKA-13771 for ZooKeeper
				code = kafka.CodeTokenExpired
			case req.ExpiryPeriodMillis < 0:
				expiry = now
				c.cluster.write(now, c.cluster.removal(t.id))
			default:
				expiry = min(t.maxEnds, addMillis(now, req.ExpiryPeriodMillis))
				c.cluster.write(now, c.cluster.storing(t.renewed(expiry)))
			}
		}
		resp.ErrorCode, resp.ExpiryTimestamp = int16(code), expiry
	})
	return resp
}
