package kafka

import (
	"crypto/tls"
	"log/slog"
	"time"
)

// Protocol is a listener's security protocol in Kafka's own spelling.
type Protocol string

// The security protocols of Kafka.
const (
	Plaintext     Protocol = "PLAINTEXT"
	SSL           Protocol = "SSL"
	SASLPlaintext Protocol = "SASL_PLAINTEXT"
	SASLSSL       Protocol = "SASL_SSL"
)

// Encrypted reports whether the protocol uses TLS.
func (p Protocol) Encrypted() bool { return p == SSL || p == SASLSSL }

// Authenticates reports whether the protocol uses SASL.
func (p Protocol) Authenticates() bool { return p == SASLPlaintext || p == SASLSSL }

// Identify is when a session asks for the cluster's id, which records carry.
type Identify int

const (
	// IdentifyWithReading asks together with the first reading.
	IdentifyWithReading Identify = iota
	// IdentifyAtOnce asks as soon as the connection stands, for a session that
	// begins with a change: its record is written before anything is read.
	IdentifyAtOnce
	// IdentifyNever is for a session of which nothing is recorded.
	IdentifyNever
)

// Settings say how to reach a cluster.
type Settings struct {
	// Bootstrap are the addresses to try in order, each HOST:PORT.
	Bootstrap []string
	Protocol  Protocol
	// TLS is used with SSL and SASL_SSL. An empty ServerName is filled in
	// with the host that is dialled.
	TLS *tls.Config
	// SASL is used with SASL_PLAINTEXT and SASL_SSL.
	SASL *Credentials
	// ClientID names dtok in the broker's logs; "dtok" when empty.
	ClientID string
	// ConnectTimeout bounds TCP, TLS, ApiVersions and sign-in of one address
	// together; 10 s when 0.
	ConnectTimeout time.Duration
	// ReadTimeout bounds each reading; 10 s when 0.
	ReadTimeout time.Duration
	// ChangeTimeout bounds each change; 70 s when 0, because a broker that
	// reaches no controller answers after exactly 60 s.
	ChangeTimeout time.Duration
	// Now is the clock for what people see, such as when a list was read;
	// time.Now when nil. The time-outs keep to the real one.
	Now func() time.Time
	// Identify is when the cluster is asked for its id.
	Identify Identify
	// OnlyReads is for a session that renews and expires nothing: listed tokens
	// have no fingerprint then, which takes a sixth of reading a long list, and
	// every pasted HMAC is refused as that of another token.
	OnlyReads bool
	// Log is told each step, request and answer, and nothing that is a secret
	// or that a person has typed; nobody when nil.
	Log *slog.Logger
}
