package demo

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"sync"
	"time"

	"dtok/kafka"
)

// secretKey is the cluster's delegation.token.secret.key.
const secretKey = "dtok-demo-secret-key"

// Broker is a running cluster. Its methods may be called at any time from any
// goroutine.
type Broker struct {
	cluster   *cluster
	authority *authority
	faults    faultList
	record    *recorder
	after     func(time.Duration) <-chan time.Time
	// passwords are the users' passwords, as PLAIN knows them.
	passwords map[string]string
	listeners map[Listener]*openListener

	done    chan struct{}
	closing sync.Once
	running sync.WaitGroup
	mu      sync.Mutex
	open    map[net.Conn]struct{}
}

// Start starts a cluster, which runs until Close. It fails for an unknown
// scenario and when it cannot listen.
func Start(opts Options) (*Broker, error) {
	s, err := scenarioSetup(opts.Scenario)
	if err != nil {
		return nil, err
	}
	s.override(opts)
	b := &Broker{
		record:    newRecorder(opts.Record),
		after:     opts.After,
		passwords: passwords(opts.Passwords),
		listeners: map[Listener]*openListener{},
		done:      make(chan struct{}),
		open:      map[net.Conn]struct{}{},
	}
	if b.after == nil {
		b.after = time.After
	}
	now := opts.Now
	if now == nil {
		now = time.Now
	}
	b.cluster = newCluster(s, now, newKeyring(secretKey))
	b.addUsers()
	if !opts.Bare {
		b.tellStory()
	}
	for _, f := range s.faults {
		b.Inject(f)
	}
	if err := b.listen(opts.Listen); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// passwords are the story's users with their passwords, and further ones.
func passwords(more map[string]string) map[string]string {
	all := map[string]string{}
	for _, name := range Users() {
		all[name] = name + "-secret"
	}
	maps.Copy(all, more)
	return all
}

// addUsers gives every user SCRAM credentials.
func (b *Broker) addUsers() {
	for name, password := range b.passwords {
		b.addScramUser(name, password)
	}
}

func (b *Broker) addScramUser(name, password string) {
	for _, m := range []scramMechanism{scramSHA256, scramSHA512} {
		cred := passwordCredential(m, password)
		b.cluster.seed(func(s *state) { s.scram[credentialKey{name, m}] = cred })
	}
}

// Close stops the cluster: connections are cut, and when Close returns no
// goroutine of the broker runs. It may be called more than once.
func (b *Broker) Close() {
	b.closing.Do(func() {
		b.mu.Lock()
		close(b.done)
		for _, l := range b.listeners {
			_ = l.Close()
		}
		for conn := range b.open {
			_ = conn.Close()
		}
		b.mu.Unlock()
	})
	b.running.Wait()
}

// Disconnect cuts all present connections, as a restart of the broker does,
// and keeps listening.
func (b *Broker) Disconnect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for conn := range b.open {
		_ = conn.Close()
	}
}

// AddToken puts a token where everybody sees it at once. Its HMAC is made as
// for any other token, and HMAC gives it.
func (b *Broker) AddToken(t kafka.Token) error {
	if t.ID == "" || t.Owner.IsZero() {
		return errors.New("a token needs an id and an owner")
	}
	requester := t.Requester
	if requester.IsZero() {
		requester = t.Owner
	}
	b.addToken(&token{
		id: t.ID, owner: t.Owner, requester: requester, renewers: t.Renewers,
		issued: t.Issued.UnixMilli(), expires: t.Expires.UnixMilli(), maxEnds: t.MaxLifetimeEnds.UnixMilli(),
		hmac: new(hmacBytes),
	})
	return nil
}

func (b *Broker) addToken(t *token) {
	b.cluster.keys.hmacOf(t.id, t.hmac)
	b.cluster.seed(b.cluster.storing(t))
}

// HMAC is the HMAC of a token that the brokers know by now.
func (b *Broker) HMAC(tokenID string) (*kafka.Secret, error) {
	var secret *kafka.Secret
	b.cluster.view(func(s *state, _ int64) {
		if t := s.tokens[tokenID]; t != nil {
			c := *t.hmac
			secret = kafka.NewSecret(c[:])
		}
	})
	if secret == nil {
		return nil, fmt.Errorf("the brokers know no token %s", tokenID)
	}
	return secret, nil
}
