package demo

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/netip"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// connection serves one client. Requests are answered one after the other, as
// Kafka does it, however many are sent at once.
type connection struct {
	broker   *Broker
	cluster  *cluster
	listener *openListener
	conn     net.Conn
	// id is how Kafka names a connection in some messages.
	id string
	// host is the client's address as ACL rules name it.
	host string

	stage    stage
	exchange *exchange
	// mechanismName is what the present session signed in with.
	mechanismName   string
	session         session
	reauthenticated time.Time
	// stream is the rest of the answer, where it is too long to be put
	// together first.
	stream *tokenList
	// dead is set when no answer will ever come again although the
	// connection stays open.
	dead bool
}

func (b *Broker) newConnection(l *openListener, conn net.Conn) *connection {
	host := conn.RemoteAddr().String()
	if addr, err := netip.ParseAddrPort(host); err == nil {
		host = addr.Addr().Unmap().WithZone("").String()
	}
	c := &connection{
		broker: b, cluster: b.cluster, listener: l, conn: conn, host: host,
		id: conn.LocalAddr().String() + "-" + conn.RemoteAddr().String() + "-0",
	}
	c.session.principal = anonymous
	if !l.name.Protocol().Authenticates() {
		c.stage = signedIn
	} else {
		c.session.tokenRequests = true
	}
	return c
}

// serve answers requests until the client leaves, misbehaves, or the broker
// closes.
func (c *connection) serve() {
	if t, ok := c.conn.(*tls.Conn); ok {
		if t.Handshake() != nil {
			return
		}
		c.identifyByCertificate(t.ConnectionState())
	}
	in := bufio.NewReader(c.conn)
	for {
		limit := maxSignInFrame
		if c.stage == signedIn {
			limit = maxFrame
		}
		frame, err := readFrame(in, limit)
		if err != nil {
			return
		}
		answer, keep := c.handle(frame)
		if c.dead {
			_, _ = io.Copy(io.Discard, in)
			return
		}
		if len(answer) > 0 {
			if _, err := c.conn.Write(answer); err != nil {
				return
			}
		}
		if c.stream != nil {
			if c.stream.writeBody(c.conn) != nil {
				return
			}
			c.stream = nil
		}
		if !keep {
			return
		}
	}
}

// identifyByCertificate makes the client certificate's subject the principal.
func (c *connection) identifyByCertificate(state tls.ConnectionState) {
	if len(state.PeerCertificates) == 0 {
		return
	}
	c.session.principal = kafka.UserPrincipal(distinguishedName(state.PeerCertificates[0].RawSubject))
	c.session.tokenRequests = c.session.principal != anonymous
}

// handle answers one frame. keep is false when the connection closes after it.
func (c *connection) handle(frame []byte) (answer []byte, keep bool) {
	if c.stage == awaitToken && c.exchange.bare {
		return c.bareToken(frame)
	}
	h, rest, err := parseHeader(frame)
	if err != nil {
		return nil, false
	}
	if h.key == int16(kmsg.ApiVersions) && !c.cluster.setup.release.serves(h.key, h.version) {
		return c.tooNewApiVersions(h)
	}
	if !c.cluster.setup.release.serves(h.key, h.version) {
		return nil, false
	}
	req, err := parseRequest(&h, rest)
	if err != nil {
		return nil, false
	}
	if c.stage == signedIn {
		handshake, ok := req.(*kmsg.SASLHandshakeRequest)
		switch {
		case ok && c.mayReauthenticate():
			return c.respond(h, req, func() (kmsg.Response, bool) { return c.handshake(handshake, true) })
		case c.expired():
			return nil, false
		}
		return c.respond(h, req, func() (kmsg.Response, bool) { return c.serveRequest(req) })
	}
	return c.respond(h, req, func() (kmsg.Response, bool) { return c.signInRequest(req) })
}

// signInRequest answers a request before or during a sign-in. Anything out of
// place closes the connection without an answer.
func (c *connection) signInRequest(req kmsg.Request) (kmsg.Response, bool) {
	switch req := req.(type) {
	case *kmsg.ApiVersionsRequest:
		switch c.stage {
		case awaitAny:
			resp := c.apiVersions(req)
			if resp.ErrorCode == 0 {
				c.stage = awaitHandshake
			}
			return resp, true
		}
	case *kmsg.SASLHandshakeRequest:
		switch c.stage {
		case awaitAny, awaitHandshake:
			return c.handshake(req, false)
		}
	case *kmsg.SASLAuthenticateRequest:
		if c.stage == awaitToken {
			return c.authenticate(req)
		}
	}
	if c.stage == awaitToken { // seen: an error in the form of that request's answer, then the end
		return refusal(req, codeIllegalSASLState, nil), false
	}
	return nil, false
}

// bareToken passes on a SASL message that came without Kafka's headers, as
// after SaslHandshake v0. A failure is told by closing the connection.
func (c *connection) bareToken(token []byte) ([]byte, bool) {
	server, _, err := c.step(token)
	if err != nil {
		return nil, false
	}
	return appendBare(server), true
}

// serveRequest answers a request of a session that stands.
func (c *connection) serveRequest(req kmsg.Request) (kmsg.Response, bool) {
	switch req := req.(type) {
	case *kmsg.ApiVersionsRequest:
		return c.apiVersions(req), true
	case *kmsg.SASLHandshakeRequest:
		return refusal(req, codeIllegalSASLState, nil), true
	case *kmsg.SASLAuthenticateRequest:
		text := "SaslAuthenticate request received after successful authentication"
		return refusal(req, codeIllegalSASLState, &text), true
	case *kmsg.MetadataRequest:
		return c.metadata(req), true
	case *kmsg.DescribeClusterRequest:
		return c.describeCluster(req), true
	case *kmsg.FindCoordinatorRequest:
		return c.findCoordinator(req), true
	case *kmsg.DescribeConfigsRequest:
		return c.describeConfigs(req), true
	case *kmsg.CreateDelegationTokenRequest:
		return c.createToken(req), true
	case *kmsg.RenewDelegationTokenRequest:
		return c.renewToken(req), true
	case *kmsg.ExpireDelegationTokenRequest:
		return c.expireToken(req), true
	case *kmsg.DescribeDelegationTokenRequest:
		return c.describeTokens(req), true
	case *kmsg.DescribeACLsRequest:
		return c.describeACLs(req)
	case *kmsg.CreateACLsRequest:
		return c.createACLs(req)
	case *kmsg.DeleteACLsRequest:
		return c.deleteACLs(req)
	case *kmsg.DescribeClientQuotasRequest:
		return c.describeQuotas(req), true
	case *kmsg.AlterClientQuotasRequest:
		return c.alterQuotas(req), true
	case *kmsg.DescribeUserSCRAMCredentialsRequest:
		return c.describeScramUsers(req)
	case *kmsg.AlterUserSCRAMCredentialsRequest:
		return c.alterScramUsers(req), true
	}
	// Offered, because clients tell Kafka's version by what is offered, but
	// about topics and groups, of which there are none.
	resp := refusal(req, int16(kafka.CodeUnsupportedVersion), nil)
	return resp, resp != nil
}
