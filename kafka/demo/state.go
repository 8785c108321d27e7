package demo

import (
	"maps"
	"math"
	"sync"
	"time"
)

// state is what the metadata log says: one copy as the controller wrote it,
// one as the brokers show it.
type state struct {
	tokens map[string]*token
	rules  ruleSet
	quotas quotaSet
	scram  map[credentialKey]*credential
}

func newState() state {
	return state{
		tokens: map[string]*token{},
		rules:  ruleSet{},
		quotas: quotaSet{},
		scram:  map[credentialKey]*credential{},
	}
}

// record is one entry of the metadata log. It is applied twice, to two states,
// so it must not share anything that a state changes in place.
type record func(*state)

// cluster is the controller and the metadata log.
//
// A change is written at once and published a lag later, as on KRaft: the
// answer to a creation comes before any broker or the controller's own token
// cache knows the token, so that listing it, renewing it (62) and signing in
// with it (58) fail for a moment. Nothing runs in the background: whoever
// needs the state first lets pass what was due by then.
type cluster struct {
	mu    sync.Mutex
	setup setup
	clock func() time.Time
	keys  keyring

	// written holds no tokens: the controller looks tokens up in its own
	// published cache (DelegationTokenControlManager.getToken).
	written, published state
	pending            []pendingRecord
	epoch              int64

	// started is when the controller became active; sweeps come every
	// SweepInterval after it.
	started   int64
	lastSweep int64
	// nextExpiry is the earliest expiry among the published tokens that no
	// sweep has removed yet.
	nextExpiry int64
	swept      map[string]bool
}

type pendingRecord struct {
	at     int64
	record record
}

// never is a time that does not come.
const never = math.MaxInt64

func newCluster(s setup, clock func() time.Time, keys keyring) *cluster {
	c := &cluster{
		setup: s, clock: clock, keys: keys,
		written: newState(), published: newState(),
		nextExpiry: never, swept: map[string]bool{},
	}
	c.written.tokens = nil
	c.started = clock().UnixMilli()
	c.lastSweep = c.started
	return c
}

// view calls f with the published state of this moment, and the moment in
// milliseconds.
func (c *cluster) view(f func(s *state, now int64)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock().UnixMilli()
	c.catchUp(now)
	f(&c.published, now)
}

// write records a change: now in the controller, a lag later for everybody.
// The lock is held by the caller's view.
func (c *cluster) write(now int64, r record) {
	r(&c.written)
	c.epoch++
	if c.setup.Lag <= 0 {
		c.publish(r)
		return
	}
	c.pending = append(c.pending, pendingRecord{at: addMillis(now, c.setup.Lag.Milliseconds()), record: r})
}

// seed puts a record where everybody sees it already.
func (c *cluster) seed(r record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r(&c.written)
	c.epoch++
	c.publish(r)
}

func (c *cluster) publish(r record) { r(&c.published) }

// catchUp publishes what is due and runs the sweeps of the time since, in the
// order in which they would have happened.
func (c *cluster) catchUp(now int64) {
	for {
		publishAt, sweepAt := int64(never), c.nextSweep()
		if len(c.pending) > 0 {
			publishAt = c.pending[0].at
		}
		switch at := min(publishAt, sweepAt); {
		case at > now:
			return
		case at == publishAt:
			r := c.pending[0].record
			c.pending = c.pending[1:]
			c.publish(r)
		default:
			c.sweep(at)
		}
	}
}

// nextSweep is the first sweep that finds an expired token, which is what can
// be seen of sweeps. Expired means strictly before (seen, and TokenInformation).
func (c *cluster) nextSweep() int64 {
	if c.nextExpiry == never {
		return never
	}
	interval := max(c.setup.SweepInterval.Milliseconds(), 1)
	from := max(c.lastSweep, c.nextExpiry)
	return addMillis(c.started, ((from-c.started)/interval+1)*interval)
}

// sweep removes the tokens that are expired at that moment.
func (c *cluster) sweep(at int64) {
	c.lastSweep = at
	c.nextExpiry = never
	for id, t := range c.published.tokens {
		switch {
		case c.swept[id]:
		case t.expired(at):
			c.swept[id] = true
			c.write(at, c.removal(id))
		default:
			c.nextExpiry = min(c.nextExpiry, t.ends())
		}
	}
}

// removal is the record that takes a token away.
func (c *cluster) removal(id string) record {
	return func(s *state) {
		if s.tokens != nil {
			delete(s.tokens, id)
			delete(c.swept, id)
		}
	}
}

// storing is the record that adds a token or replaces it.
func (c *cluster) storing(t *token) record {
	return func(s *state) {
		if s.tokens != nil {
			s.tokens[t.id] = t
			c.nextExpiry = min(c.nextExpiry, t.ends())
		}
	}
}

// addMillis adds without passing the ends of an int64.
func addMillis(a, b int64) int64 {
	sum := a + b
	switch {
	case b > 0 && sum < a:
		return math.MaxInt64
	case b < 0 && sum > a:
		return math.MinInt64
	}
	return sum
}

// copyOf returns a quota set's values that can be changed on their own.
func copyOf[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return maps.Clone(m)
}
