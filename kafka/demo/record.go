package demo

import (
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// Request is what reached the broker, without secrets.
type Request struct {
	Key, Version int16
	ClientID     string
	Listener     Listener
	// Principal is who asked, and TokenAuth whether by a token.
	Principal kafka.Principal
	TokenAuth bool
	// Message is the request as it was read. HMACs, SASL messages and salted
	// passwords are taken out of it.
	Message kmsg.Request
}

// recorder counts requests, and keeps them when it is told to.
type recorder struct {
	mu       sync.Mutex
	keep     bool
	counts   map[int16]int
	requests []Request
	signIns  int
	accepted int
}

func newRecorder(keep bool) *recorder { return &recorder{keep: keep, counts: map[int16]int{}} }

func (r *recorder) request(c *connection, h header, req kmsg.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[h.key]++
	if !r.keep {
		return
	}
	r.requests = append(r.requests, Request{
		Key: h.key, Version: h.version, ClientID: h.clientID, Listener: c.listener.name,
		Principal: c.session.principal, TokenAuth: c.session.tokenAuth, Message: withoutSecrets(req),
	})
}

func (r *recorder) signIn() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.signIns++
}

func (r *recorder) connection() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.accepted++
}

// withoutSecrets is a copy of a request for keeping. The messages are copied
// one level deep, which is where their secrets are.
func withoutSecrets(req kmsg.Request) kmsg.Request {
	switch req := req.(type) {
	case *kmsg.RenewDelegationTokenRequest:
		c := *req
		c.HMAC = nil
		return &c
	case *kmsg.ExpireDelegationTokenRequest:
		c := *req
		c.HMAC = nil
		return &c
	case *kmsg.SASLAuthenticateRequest:
		c := *req
		c.SASLAuthBytes = nil
		return &c
	case *kmsg.AlterUserSCRAMCredentialsRequest:
		c := *req
		c.Upsertions = append([]kmsg.AlterUserSCRAMCredentialsRequestUpsertion(nil), req.Upsertions...)
		for i := range c.Upsertions {
			c.Upsertions[i].Salt, c.Upsertions[i].SaltedPassword = nil, nil
		}
		return &c
	}
	return req
}

// eraseSecrets overwrites the secrets of a request that has been handled.
func eraseSecrets(req kmsg.Request) {
	switch req := req.(type) {
	case *kmsg.RenewDelegationTokenRequest:
		clear(req.HMAC)
	case *kmsg.ExpireDelegationTokenRequest:
		clear(req.HMAC)
	case *kmsg.SASLAuthenticateRequest:
		clear(req.SASLAuthBytes)
	case *kmsg.AlterUserSCRAMCredentialsRequest:
		for i := range req.Upsertions {
			clear(req.Upsertions[i].SaltedPassword)
		}
	}
}

// Requests are the requests so far, oldest first; Options.Record turns it on.
// They must not be changed.
func (b *Broker) Requests() []Request {
	b.record.mu.Lock()
	defer b.record.mu.Unlock()
	return append([]Request(nil), b.record.requests...)
}

// Count is how many requests with that key came so far.
func (b *Broker) Count(key int16) int {
	b.record.mu.Lock()
	defer b.record.mu.Unlock()
	return b.record.counts[key]
}

// SignIns is how many sign-ins were begun so far, whatever became of them.
func (b *Broker) SignIns() int {
	b.record.mu.Lock()
	defer b.record.mu.Unlock()
	return b.record.signIns
}

// Connections is how many connections were accepted so far.
func (b *Broker) Connections() int {
	b.record.mu.Lock()
	defer b.record.mu.Unlock()
	return b.record.accepted
}
