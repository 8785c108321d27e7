package kafka

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Client reads and changes one cluster over one connection. Its methods may be
// called from several goroutines; requests take turns.
type Client struct {
	settings Settings
	dial     dialer
	clock    clock
	prints   *fingerprinter

	// turn holds one value: who takes it may use the fields below it. A
	// channel, because waiting for a mutex cannot be cancelled.
	turn chan struct{}
	conn *conn // nil once given up
	// good is the index of the bootstrap address that answered last.
	good int
	// listed is set once the broker has answered a describe without an error.
	listed bool
	recent map[string]time.Time // tokens that this client created or changed

	mu      sync.Mutex // guards what follows, also for who has no turn
	session Session
	version func() string // see offers.detected
	live    *conn
	closed  bool
}

// clock is time for what people see and for waiting; tests replace it.
type clock struct {
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
}

func (s Settings) clock() clock {
	if s.Now == nil {
		return clock{time.Now, sleep}
	}
	return clock{s.Now, sleep}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// errClosed is what every method returns after Close.
var errClosed = errors.New("the connection to the cluster was given up")

// Dial connects to the first bootstrap address that works and signs in there
// once. A refused sign-in ends the attempt: the other addresses belong to the
// same cluster, and the same wrong password could lock the account. The error
// is a *ConnectError, or says what is wrong with the settings; a cancelled ctx
// is returned as it is. The settings' password is copied, and wiped by Close.
func Dial(ctx context.Context, s Settings) (*Client, error) {
	network := net.Dialer{}
	return dialWith(ctx, s, network.DialContext, s.clock())
}

func dialWith(ctx context.Context, s Settings, dial dialer, clk clock) (*Client, error) {
	s, err := s.check()
	if err != nil {
		return nil, err
	}
	c := &Client{settings: s, dial: dial, clock: clk, prints: newFingerprinter(),
		turn: make(chan struct{}, 1), recent: map[string]time.Time{}}
	err = c.connect(ctx)
	if err == nil && s.Identify == IdentifyAtOnce {
		err = c.read(ctx, func(o offers) []*call { return c.withClusterID(o, nil) })
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Session is what is known of the connection, without asking anyone.
func (c *Client) Session() Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// Detected is a guess of the broker's version, such as "Kafka 4.4", "" when
// nothing fits. Only who tells it to people pays for it.
func (c *Client) Detected() string {
	c.mu.Lock()
	version := c.version
	c.mu.Unlock()
	if version == nil {
		return ""
	}
	return version()
}

// Close gives the connection up, also under a running request, and wipes the
// password.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.live != nil {
		c.live.log.say(slog.LevelInfo, sayClosed)
		c.live.close()
	}
	if c.settings.SASL != nil {
		c.settings.SASL.Password.Destroy()
	}
}

func (c *Client) log() observer { return observer{c.settings.Log} }

// take waits for the turn; the caller gives it back with the function.
func (c *Client) take(ctx context.Context) (giveBack func(), err error) {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	giveBack = func() { <-c.turn }
	switch {
	case ctx.Err() != nil:
		giveBack()
		return nil, context.Cause(ctx)
	case c.isClosed():
		giveBack()
		return nil, errClosed
	}
	return giveBack, nil
}

func (c *Client) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// connect tries the bootstrap addresses, the one that worked last first.
func (c *Client) connect(ctx context.Context) error {
	if c.isClosed() {
		return errClosed // a reading that Close interrupted does not come back
	}
	all := c.settings.Bootstrap
	var tried []string
	for i := range all {
		at := (c.good + i) % len(all)
		start := time.Now()
		cn, _, err := c.settings.open(ctx, c.dial, all[at], c.settings.SASL)
		if err == nil {
			return c.adopt(cn, at)
		}
		c.log().came(sayNotUsable, start, err, slog.String("address", all[at]))
		stage, ok := errors.AsType[*stageError](err)
		if !ok {
			return err
		}
		if final(err) || i == len(all)-1 {
			return &ConnectError{Address: all[at], Stage: stage.stage, Err: stage.err, Tried: tried}
		}
		tried = append(tried, all[at]+": "+stage.Error())
	}
	return errClosed
}

// final reports a failure that the next bootstrap address would only repeat: a
// sign-in that was refused, or nothing to sign in with.
func final(err error) bool {
	_, refused := errors.AsType[*SignInError](err)
	_, nothing := errors.AsType[*SourceError](err)
	return refused || nothing
}

// adopt makes cn the client's connection and notes what it tells.
func (c *Client) adopt(cn *conn, at int) error {
	s := Session{
		Address:            c.settings.Bootstrap[at],
		Protocol:           c.settings.Protocol,
		MetadataVersion:    cn.offers.metadataVersion,
		Off:                cn.offers.off(),
		CanCreateForOthers: cn.offers.max(protocol.CreateDelegationToken) >= 3,
	}
	if sasl := c.settings.SASL; sasl != nil {
		s.Mechanism = sasl.Mechanism
		switch {
		case sasl.TokenAuth:
			s.TokenID = sasl.User
		case sasl.byPassword():
			s.Principal = UserPrincipal(sasl.User)
		}
	}
	c.conn, c.good = cn, at
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		cn.close()
		return errClosed
	}
	s.ClusterID = c.session.ClusterID
	c.session, c.live, c.version = s, cn, cn.offers.detected
	cn.log.connected(s, cn.offers.detected)
	return nil
}

// giveUp closes a connection that is of no more use, and why; the next reading
// dials.
func (c *Client) giveUp(why error) {
	if c.conn != nil {
		c.conn.log.say(slog.LevelWarn, sayGivenUp, LogError(why))
		c.conn.close()
	}
	c.conn = nil
}

// read sends what ask makes for the present connection, together, and reads
// the answers. Where the broker has closed the connection since the last
// request, it dials and asks once more; what was answered before a connection
// broke is kept. It needs the turn.
func (c *Client) read(ctx context.Context, ask func(offers) []*call) error {
	for fresh := false; ; fresh = true {
		if c.conn == nil {
			fresh = true
			c.log().say(slog.LevelInfo, sayReconnect)
			if err := c.connect(ctx); err != nil {
				return err
			}
		}
		calls := ask(c.conn.offers)
		if len(calls) == 0 {
			return nil // the broker offers nothing of it
		}
		err := c.conn.exchange(ctx, c.settings.ReadTimeout, calls...)
		if err == nil {
			return nil
		}
		c.giveUp(err)
		if fresh || !lost(err) || calls[0].err == nil {
			return c.explain(err, fresh)
		}
	}
}

// explain adds what the settings tell about a connection that broke at its
// first request.
func (c *Client) explain(err error, fresh bool) error {
	if lost(err) && fresh && !c.settings.Protocol.Authenticates() {
		return causeError{"the broker closed the connection at the first request, as a SASL listener does with a client that has not signed in", err}
	}
	return err
}

// withClusterID adds the question for the cluster's id while it is not known
// and somebody wants to know.
// Metadata tells it from v2 on (Kafka 0.10.1), and an empty list of topics
// asks for none.
func (c *Client) withClusterID(o offers, calls []*call) []*call {
	if c.settings.Identify == IdentifyNever || c.Session().ClusterID != "" || o.max(protocol.Metadata) < 2 {
		return calls
	}
	return append(calls, &call{req: noTopics(),
		read: reading(kmsg.NewPtrMetadataResponse(), func(a *kmsg.MetadataResponse) {
			if a.ClusterID != nil {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.session.ClusterID = *a.ClusterID
			}
		})})
}

// refusal turns an answer's code into an error: 64 by its cause, everything
// else as Kafka's refusal.
func (c *Client) refusal(op Op, code Code) error {
	if code == CodeTokenNotAllowed {
		return &OffError{Cause: c.settings.notAllowed(), Version: c.Detected()}
	}
	return &RefusedError{Op: op, Code: code}
}
