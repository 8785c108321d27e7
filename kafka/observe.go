package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http/httptrace"
	"sync"
	"time"

	"github.com/segmentio/kafka-go/protocol"
)

// observer tells a log what a connection does, for whoever has to explain it
// afterwards. Everything that the package logs goes through its methods, and
// what they are given is names of the protocol, numbers and times: no request's
// or answer's body, no name of a user or token, and no error's text but where
// errorAttrs lets it through. The zero observer tells nobody.
type observer struct{ to *slog.Logger }

// The messages, which are what a reader of the log searches for.
const (
	sayLookUp     = "look up"
	sayConnect    = "connect"
	sayTLS        = "TLS"
	sayVersions   = "API versions"
	saySource     = "sign-in source" // the token endpoint, the token file, the KDC
	saySignIn     = "sign in"
	sayConnected  = "connected"
	sayNotUsable  = "cannot connect"
	sayRequest    = "request"
	sayAnswer     = "answer"
	sayNoAnswer   = "no answer"
	sayNotSent    = "not sent"
	sayWait       = "wait"
	sayGivenUp    = "connection given up"
	sayReconnect  = "reconnect"
	sayClosed     = "connection closed"
	sayOperation  = "operation"
	sayCheckStep  = "check step"
	bareSASLToken = "SASL token without a header" //nolint:gosec // a name
)

func (o observer) say(level slog.Level, msg string, attrs ...slog.Attr) {
	if o.to != nil {
		o.to.LogAttrs(context.Background(), level, msg, attrs...)
	}
}

// came says how something came out that began at start.
func (o observer) came(msg string, start time.Time, err error, attrs ...slog.Attr) {
	if o.to == nil {
		return
	}
	level := slog.LevelInfo
	attrs = append(attrs, took(start))
	if err != nil {
		level = slog.LevelWarn
		attrs = append(attrs, LogError(err))
	}
	o.say(level, msg, attrs...)
}

// took is the time since start in milliseconds, with its microseconds.
func took(start time.Time) slog.Attr {
	return slog.Float64("ms", float64(time.Since(start).Microseconds())/1000)
}

// of is an observer of one connection. Its own port is what a broker's logs and
// a recording of the network know it by.
func (o observer) of(below net.Conn) observer {
	if o.to == nil || below.LocalAddr() == nil || below.RemoteAddr() == nil {
		return o
	}
	return observer{o.to.With("connection", below.LocalAddr().String()+" > "+below.RemoteAddr().String())}
}

// dialling is a context in which the look-up of a name and each of its
// addresses that is tried are told.
func (o observer) dialling(ctx context.Context) context.Context {
	if o.to == nil {
		return ctx
	}
	var (
		mu     sync.Mutex
		host   string
		asked  time.Time
		begun  = map[string]time.Time{} // by address: they are tried side by side
		locked = func(f func()) { mu.Lock(); defer mu.Unlock(); f() }
	)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart: func(i httptrace.DNSStartInfo) { locked(func() { host, asked = i.Host, time.Now() }) },
		DNSDone: func(i httptrace.DNSDoneInfo) {
			found := make([]string, len(i.Addrs))
			for n, a := range i.Addrs {
				found[n] = a.String()
			}
			locked(func() { o.came(sayLookUp, asked, i.Err, slog.String("host", host), slog.Any("addresses", found)) })
		},
		ConnectStart: func(_, address string) { locked(func() { begun[address] = time.Now() }) },
		ConnectDone: func(_, address string, err error) {
			locked(func() { o.came(sayConnect, begun[address], err, slog.String("address", address)) })
		},
	})
}

// encrypted says what a TLS handshake agreed on, and whom the broker's
// certificate names.
func (o observer) encrypted(start time.Time, serverName string, state tls.ConnectionState, err error) {
	if o.to == nil {
		return
	}
	attrs := []slog.Attr{slog.String("server_name", serverName)}
	if err == nil {
		attrs = append(attrs, slog.String("tls_version", tls.VersionName(state.Version)), slog.String("cipher", tls.CipherSuiteName(state.CipherSuite)))
	}
	if len(state.PeerCertificates) > 0 {
		attrs = append(attrs, slog.String("peer", certificateText(state.PeerCertificates[0])))
	}
	o.came(sayTLS, start, err, attrs...)
}

func (o observer) offered(start time.Time, offers offers, err error) {
	if o.to == nil {
		return
	}
	var attrs []slog.Attr
	if err == nil {
		attrs = []slog.Attr{slog.Int("requests", len(offers.ranges)), slog.Int("metadata_version", int(offers.metadataVersion)),
			slog.Int("describe_tokens_max", int(offers.max(protocol.DescribeDelegationToken))),
			slog.Int("create_token_max", int(offers.max(protocol.CreateDelegationToken)))}
	}
	o.came(sayVersions, start, err, attrs...)
}

func (o observer) signedIn(start time.Time, c *Credentials, lifetime time.Duration, err error) {
	attrs := []slog.Attr{slog.String("mechanism", c.Mechanism), slog.Bool("token", c.TokenAuth)}
	if lifetime > 0 {
		attrs = append(attrs, slog.Float64("session_s", lifetime.Seconds()))
	}
	o.came(saySignIn, start, err, attrs...)
}

// connected says what is known of a connection that stands.
func (o observer) connected(s Session, detected func() string) {
	if o.to == nil {
		return
	}
	attrs := []slog.Attr{slog.String("address", s.Address), slog.String("protocol", string(s.Protocol)),
		slog.String("mechanism", s.Mechanism), slog.String("detected", detected())}
	if s.Off != nil {
		attrs = append(attrs, LogError(s.Off))
	}
	o.say(slog.LevelInfo, sayConnected, attrs...)
}

// requests are about to be written; it gives the time.
func (o observer) requests(calls []*call) time.Time {
	start := time.Now()
	if o.to == nil {
		return start
	}
	for _, c := range calls {
		o.say(slog.LevelInfo, sayRequest, append(c.logged(), slog.Int("bytes", c.size))...)
	}
	return start
}

func (o observer) answer(c *call, start time.Time, size int, code Code, err error) {
	if o.to == nil {
		return
	}
	attrs := append(c.logged(), slog.Int("bytes", size))
	if code != CodeNone {
		attrs = append(attrs, slog.String("kafka_error", kafkaName(code)))
	}
	o.came(sayAnswer, start, err, attrs...)
}

// unsent are calls whose bytes could not all be written: whether a broker has got
// one is known only where none was.
func (o observer) unsent(start time.Time, calls []*call, err error) {
	msg := sayNoAnswer
	if _, none := errors.AsType[*notSentError](err); none {
		msg = sayNotSent
	}
	o.unanswered(msg, start, calls, err)
}

// unanswered are calls that got no answer, or were not sent.
func (o observer) unanswered(msg string, start time.Time, calls []*call, err error) {
	for _, c := range calls {
		o.came(msg, start, err, c.logged()...)
	}
}

// logged is what names a call: its request's name in Kafka, and the number that
// brokers log as the correlation id.
func (c *call) logged() []slog.Attr {
	return []slog.Attr{slog.String("api", c.req.ApiKey().String()), slog.Int("version", int(c.version)), slog.Int("id", int(c.id))}
}

// operation begins something that a person or a script asked for; the function
// says how it ended.
func (o observer) operation(op Op) func(*error) {
	start := time.Now()
	return func(err *error) { o.came(sayOperation, start, *err, slog.String("op", string(op))) }
}

// wait is told of each time that dtok waits for the brokers to learn of a token.
func (o observer) wait(d time.Duration, code Code) {
	if o.to != nil {
		o.say(slog.LevelInfo, sayWait, slog.Int64("for_ms", d.Milliseconds()), slog.String("kafka_error", kafkaName(code)))
	}
}

// step is one of a diagnosis, which may be pasted into a ticket as it is.
func (o observer) step(s Step) {
	if o.to == nil {
		return
	}
	o.say(slog.LevelInfo, sayCheckStep, slog.String("step", s.Name), slog.String("address", s.Address),
		slog.String("verdict", string(s.Verdict)), slog.Float64("ms", float64(s.Took.Microseconds())/1000), slog.String("detail", s.Detail))
}

// bareToken is a SASL message as brokers before Kafka 1.0 take it.
func (o observer) bareToken(size int) time.Time {
	start := time.Now()
	o.say(slog.LevelInfo, sayRequest, slog.String("api", bareSASLToken), slog.Int("bytes", size))
	return start
}

func (o observer) bareAnswer(start time.Time, size int, err error) {
	o.came(sayAnswer, start, err, slog.String("api", bareSASLToken), slog.Int("bytes", size))
}
