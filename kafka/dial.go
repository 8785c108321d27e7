package kafka

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"
)

// The waits of Settings that are left at zero.
const (
	defaultConnectTimeout = 10 * time.Second
	defaultReadTimeout    = 10 * time.Second
	// 70 s, because a broker that reaches no controller answers a change after
	// exactly 60 s (seen).
	defaultChangeTimeout = 70 * time.Second
)

// check refuses settings that cannot work, and fills in the defaults.
func (s Settings) check() (Settings, error) {
	switch s.Protocol {
	case Plaintext, SSL, SASLPlaintext, SASLSSL:
	case "":
		return s, errors.New("the security protocol is missing: PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL")
	default:
		return s, fmt.Errorf("the security protocol %s is not known: use PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL", s.Protocol)
	}
	if s.Protocol.Authenticates() {
		if err := s.SASL.check(); err != nil {
			return s, err
		}
		own := *s.SASL
		own.Password = own.Password.Clone()
		s.SASL = &own
	} else {
		s.SASL = nil
	}
	if len(s.Bootstrap) == 0 {
		return s, errors.New("there is no bootstrap address to connect to")
	}
	for _, address := range s.Bootstrap {
		if _, _, err := net.SplitHostPort(address); err != nil {
			return s, errors.New("a bootstrap address is not HOST:PORT (ParseBootstrap reads lists of them)")
		}
	}
	s.ClientID = cmp.Or(s.ClientID, "dtok")
	s.ConnectTimeout = cmp.Or(s.ConnectTimeout, defaultConnectTimeout)
	s.ReadTimeout = cmp.Or(s.ReadTimeout, defaultReadTimeout)
	s.ChangeTimeout = cmp.Or(s.ChangeTimeout, defaultChangeTimeout)
	return s, nil
}

// dialer opens TCP connections; tests count on it.
type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// stageError says at which stage connecting to one address failed.
type stageError struct {
	stage string
	err   error
}

func (e *stageError) Error() string { return e.stage + ": " + e.err.Error() }
func (e *stageError) Unwrap() error { return e.err }

// open connects to one address: TCP, TLS, ApiVersions and, when signIn is not
// nil, one sign-in. All of it together has the connect timeout. A cancelled
// ctx is returned as it is, everything else as a *stageError.
func (s Settings) open(ctx context.Context, dial dialer, address string, signIn *Credentials) (*conn, time.Duration, error) {
	limit := time.Now().Add(s.ConnectTimeout)
	log := observer{s.Log}
	dialing, cancel := context.WithDeadline(log.dialling(ctx), limit)
	defer cancel()
	below, err := dial(dialing, "tcp", address)
	if err != nil {
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		stage, cause := dialCause(err, s.ConnectTimeout)
		return nil, 0, &stageError{stage, cause}
	}
	host, _, _ := net.SplitHostPort(address)
	cn := &conn{net: below, below: below, host: host, clientID: s.ClientID, limit: limit, log: log.of(below)}
	stage, lifetime, err := s.setUp(ctx, cn, signIn)
	if err != nil {
		cn.close()
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		return nil, 0, &stageError{stage, err}
	}
	cn.limit = time.Time{}
	return cn, lifetime, nil
}

// setUp does what comes after TCP, and names the stage that failed.
func (s Settings) setUp(ctx context.Context, cn *conn, signIn *Credentials) (stage string, lifetime time.Duration, err error) {
	if s.Protocol.Encrypted() {
		if err := cn.encrypt(ctx, s.TLS, s.ConnectTimeout); err != nil {
			return "TLS", 0, err
		}
	}
	if err := cn.apiVersions(ctx, s.ConnectTimeout); err != nil {
		return "API versions", 0, err
	}
	if signIn == nil {
		return "", 0, nil
	}
	lifetime, err = cn.signIn(ctx, s.ConnectTimeout, signIn)
	return "sign in", lifetime, err
}

func (cn *conn) encrypt(ctx context.Context, config *tls.Config, wait time.Duration) error {
	defer context.AfterFunc(ctx, cn.close)()
	if config == nil {
		config = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	config = config.Clone()
	if config.ServerName == "" {
		config.ServerName = cn.host
	}
	cn.allow(wait)
	secure := tls.Client(cn.below, config)
	start := time.Now()
	err := secure.Handshake()
	if err != nil {
		err = tlsCause(ctx, err, wait)
	} else {
		cn.net = secure
	}
	cn.log.encrypted(start, config.ServerName, secure.ConnectionState(), err)
	return err
}
