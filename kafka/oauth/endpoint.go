package oauth

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"dtok/kafka"
)

// Client is an OAuth client that gets its tokens with its own id and secret:
// the client credentials grant (RFC 6749 section 4.4), as Kafka's own clients
// do it.
type Client struct {
	// Endpoint is the token endpoint's URL. With http instead of https the
	// secret crosses the network in clear; Kafka's clients allow it.
	Endpoint string
	// ID and Secret are the client's. They go into the Authorization header.
	ID     string
	Secret *kafka.Secret
	// Scope is asked for, "" for the client's default.
	Scope string
	// EncodeHeader writes id and secret URL-encoded into the header, as RFC
	// 6749 section 2.3.1 has it. Kafka's clients do not unless told to
	// (sasl.oauthbearer.header.urlencode).
	EncodeHeader bool
	// TLS is for the endpoint alone; nil trusts the system's authorities.
	TLS *tls.Config
	// ConnectTimeout and ReadTimeout bound the connection to the endpoint and
	// the wait for its answer; 0 leaves both to the caller's context.
	ConnectTimeout, ReadTimeout time.Duration
}

// maxAnswer is more than any token endpoint answers, in bytes.
const maxAnswer = 1 << 20

func (c Client) target() (*url.URL, error) {
	u, err := url.Parse(c.Endpoint)
	switch {
	case c.Endpoint == "":
		return nil, &Error{problem: "the URL of the token endpoint is missing"}
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		// Not quoted: it can hold a password where it is wrong.
		return nil, &Error{problem: "the token endpoint is not an https URL", hint: "It looks like https://login.example.com/oauth2/token."}
	case u.User != nil:
		return nil, &Error{problem: "the URL of the token endpoint holds a user name or password", hint: "The client's id and secret have settings of their own."}
	case c.ID == "":
		return nil, &Error{problem: "the OAuth client's id is missing"}
	case c.Secret.Len() == 0:
		return nil, &Error{problem: "the secret of the OAuth client " + c.ID + " is missing"}
	}
	return u, nil
}

// BearerToken asks the endpoint once. It follows no redirects: they would carry
// the secret elsewhere. ctx bounds it.
func (c Client) BearerToken(ctx context.Context) (*kafka.Secret, error) {
	u, err := c.target()
	if err != nil {
		return nil, err
	}
	place := "the token endpoint " + u.Host
	form := url.Values{"grant_type": {"client_credentials"}}
	if c.Scope != "" {
		form.Set("scope", c.Scope)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, &Error{problem: place + " cannot be asked", cause: err}
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", c.authorization())
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: c.ConnectTimeout}).DialContext,
		TLSClientConfig:       c.TLS.Clone(),
		TLSHandshakeTimeout:   c.ConnectTimeout,
		ResponseHeaderTimeout: c.ReadTimeout,
		DisableKeepAlives:     true,
		// A header of megabytes is no token endpoint's.
		MaxResponseHeaderBytes: 64 << 10,
	}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}).Do(req)
	if err != nil {
		return nil, unreachable(ctx, place, err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	defer clear(body)
	switch {
	case err != nil:
		return nil, unreachable(ctx, place, err)
	case len(body) > maxAnswer:
		return nil, &Error{problem: place + " answers with more than a token", hint: wrongURL}
	}
	return tokenOf(place, answer, body)
}

func (c Client) authorization() string {
	id, secret := c.ID, ""
	c.Secret.Use(func(b []byte) { secret = string(b) })
	if c.EncodeHeader {
		id, secret = url.QueryEscape(id), url.QueryEscape(secret)
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(id+":"+secret))
}

// unreachable explains an answer that never came. The error's own text is shown
// only where it is known to hold nothing but names: that of a proxy can hold
// the proxy's password.
func unreachable(ctx context.Context, place string, err error) error {
	e := &Error{problem: place + " cannot be reached", hint: "Check the URL, and the proxy where there is one (HTTPS_PROXY, NO_PROXY).", cause: err}
	var lookup *net.DNSError
	var dial *net.OpError
	var untrusted *tls.CertificateVerificationError
	var noTLS tls.RecordHeaderError
	var slow net.Error
	switch {
	case ctx.Err() != nil, errors.As(err, &slow) && slow.Timeout():
		e.problem = place + " gave no complete answer in time"
	case errors.As(err, &lookup) && lookup.IsNotFound:
		e.problem += ": the host name is not known"
	case errors.As(err, &untrusted):
		e.problem = place + " has a certificate that is not accepted: " + untrusted.Err.Error()
		e.hint = "The token endpoint is trusted by the system's authorities, or by a trust store of its own where the settings name one."
	case errors.As(err, &noTLS), strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		e.problem = place + " does not speak TLS"
	case errors.As(err, &dial) && dial.Op == "dial":
		e.problem += ": " + innermost(dial).Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.problem = place + " closed the connection without a complete answer"
	}
	return e
}

func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
