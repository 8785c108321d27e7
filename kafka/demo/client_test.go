package demo

import (
	"bufio"
	"crypto/pbkdf2"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// client is a raw Kafka client: one connection, one request at a time unless
// a test pipelines by hand.
type client struct {
	t           testing.TB
	conn        net.Conn
	in          *bufio.Reader
	correlation int32
	// authenticate is the version of SaslAuthenticate.
	authenticate int16
}

// start starts a broker that ends with the test.
func start(t testing.TB, opts Options) *Broker {
	t.Helper()
	b, err := Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// dial connects to a listener, with TLS where it has that.
func dial(t testing.TB, b *Broker, l Listener, certs ...tls.Certificate) *client {
	t.Helper()
	conn, err := net.Dial("tcp", b.Address(l))
	if err != nil {
		t.Fatal(err)
	}
	if l.Protocol().Encrypted() {
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(b.CACert())
		conn = tls.Client(conn, &tls.Config{RootCAs: pool, ServerName: "localhost", Certificates: certs})
	}
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second)) // so that a fault fails a test instead of hanging it
	t.Cleanup(func() { _ = conn.Close() })
	return &client{t: t, conn: conn, in: bufio.NewReader(conn), authenticate: b.cluster.setup.release.max(kmsg.SASLAuthenticate)}
}

// as connects to SASL_PLAINTEXT as a user, by PLAIN.
func as(t testing.TB, b *Broker, user string) *client {
	t.Helper()
	c := dial(t, b, SASLPlaintext)
	if code, _ := c.plain(user, user+"-secret"); code != 0 {
		t.Fatalf("sign-in of %s: code %d", user, code)
	}
	return c
}

func (c *client) send(req kmsg.Request) {
	c.correlation++
	frame := kmsg.NewRequestFormatter(kmsg.FormatterClientID("test")).AppendRequest(nil, req, c.correlation)
	c.write(frame)
}

func (c *client) write(frame []byte) {
	if _, err := c.conn.Write(frame); err != nil {
		c.t.Logf("write: %v", err) // the answer tells
	}
}

func (c *client) receive(req kmsg.Request) (kmsg.Response, error) {
	frame, err := readFrame(c.in, 1<<30)
	if err != nil {
		return nil, err
	}
	if len(frame) < 4 {
		return nil, io.ErrUnexpectedEOF
	}
	if got := int32(binary.BigEndian.Uint32(frame)); got != c.correlation {
		return nil, errors.New("correlation id " + strconv.Itoa(int(got)))
	}
	body := frame[4:]
	resp := req.ResponseKind()
	if resp.IsFlexible() && resp.Key() != 18 {
		if body[0] != 0 {
			return nil, errors.New("tags in the header")
		}
		body = body[1:]
	}
	return resp, resp.ReadFrom(body)
}

// ask sends a request and returns the answer or the error of reading it.
func (c *client) ask(req kmsg.Request) (kmsg.Response, error) {
	c.send(req)
	return c.receive(req)
}

// do is ask for requests that must be answered, at their highest version that
// Kafka 4.4 offers unless the test has set one.
func do[R kmsg.Response](c *client, req kmsg.Request) R {
	c.t.Helper()
	resp, err := c.ask(req)
	if err != nil {
		c.t.Fatalf("%T: %v", req, err)
	}
	return resp.(R)
}

// closed checks that a request gets no answer and the connection ends.
func (c *client) closed(req kmsg.Request) {
	c.t.Helper()
	if resp, err := c.ask(req); err == nil {
		c.t.Fatalf("%T was answered: %T", req, resp)
	}
}

func (c *client) handshake(mechanism string) *kmsg.SASLHandshakeResponse {
	req := kmsg.NewPtrSASLHandshakeRequest()
	req.Version, req.Mechanism = 1, mechanism
	return do[*kmsg.SASLHandshakeResponse](c, req)
}

func (c *client) token(message []byte) (*kmsg.SASLAuthenticateResponse, error) {
	req := kmsg.NewPtrSASLAuthenticateRequest()
	req.Version, req.SASLAuthBytes = c.authenticate, message
	resp, err := c.ask(req)
	if err != nil {
		return nil, err
	}
	return resp.(*kmsg.SASLAuthenticateResponse), nil
}

// plain signs in and returns the code and the session's lifetime.
func (c *client) plain(user, password string) (int16, int64) {
	c.t.Helper()
	if code := c.handshake(kafka.MechanismPlain).ErrorCode; code != 0 {
		return code, 0
	}
	resp, err := c.token([]byte("\x00" + user + "\x00" + password))
	if err != nil {
		c.t.Fatal(err)
	}
	return resp.ErrorCode, resp.SessionLifetimeMillis
}

// scram signs in by SCRAM, with a client written for these tests, and returns
// the code, the lifetime, the failing step (1 or 2) and the message.
func (c *client) scram(m scramMechanism, user, password, extensions string) (code int16, lifetime int64, step int, message string) {
	c.t.Helper()
	if code := c.handshake(m.String()).ErrorCode; code != 0 {
		return code, 0, 0, ""
	}
	return c.scramTokens(m, user, password, extensions)
}

func (c *client) scramTokens(m scramMechanism, user, password, extensions string) (code int16, lifetime int64, step int, message string) {
	c.t.Helper()
	text := func(p *string) string {
		if p == nil {
			return "(null)"
		}
		return *p
	}
	name := strings.NewReplacer("=", "=3D", ",", "=2C").Replace(user)
	bare := "n=" + name + ",r=testnonce" + extensions
	first, err := c.token([]byte("n,," + bare))
	if err != nil {
		c.t.Fatal(err)
	}
	if first.ErrorCode != 0 {
		return first.ErrorCode, 0, 1, text(first.ErrorMessage)
	}
	fields := strings.Split(string(first.SASLAuthBytes), ",")
	salt, _ := base64.StdEncoding.DecodeString(fields[1][2:])
	iterations, _ := strconv.Atoi(fields[2][2:])
	salted, err := pbkdf2.Key(m.hash(), password, salt, iterations, m.hash()().Size())
	if err != nil {
		c.t.Fatal(err)
	}
	clientKey := m.mac(salted, "Client Key")
	h := m.hash()()
	h.Write(clientKey)
	withoutProof := "c=biws," + fields[0]
	auth := bare + "," + string(first.SASLAuthBytes) + "," + withoutProof
	signature := m.mac(h.Sum(nil), auth)
	for i := range clientKey {
		clientKey[i] ^= signature[i]
	}
	final, err := c.token([]byte(withoutProof + ",p=" + base64.StdEncoding.EncodeToString(clientKey)))
	if err != nil {
		c.t.Fatal(err)
	}
	if final.ErrorCode != 0 {
		return final.ErrorCode, 0, 2, text(final.ErrorMessage)
	}
	want := "v=" + base64.StdEncoding.EncodeToString(m.mac(m.mac(salted, "Server Key"), auth))
	if string(final.SASLAuthBytes) != want {
		c.t.Fatal("the server did not prove itself")
	}
	return 0, final.SessionLifetimeMillis, 0, ""
}

func (c *client) create(owner string, life int64, renewers ...string) *kmsg.CreateDelegationTokenResponse {
	c.t.Helper()
	return do[*kmsg.CreateDelegationTokenResponse](c, createRequest(owner, life, renewers...))
}

// createRequest takes principals as Type:Name; owner "" is the caller.
func createRequest(owner string, life int64, renewers ...string) *kmsg.CreateDelegationTokenRequest {
	req := kmsg.NewPtrCreateDelegationTokenRequest()
	req.Version, req.MaxLifetimeMillis = 3, life
	if owner != "" {
		kind, name, _ := strings.Cut(owner, ":")
		req.OwnerPrincipalType, req.OwnerPrincipalName = &kind, &name
	}
	for _, r := range renewers {
		n := kmsg.NewCreateDelegationTokenRequestRenewer()
		n.PrincipalType, n.PrincipalName, _ = strings.Cut(r, ":")
		req.Renewers = append(req.Renewers, n)
	}
	return req
}

func (c *client) renew(mac []byte, period int64) *kmsg.RenewDelegationTokenResponse {
	c.t.Helper()
	req := kmsg.NewPtrRenewDelegationTokenRequest()
	req.Version, req.HMAC, req.RenewTimeMillis = 2, mac, period
	return do[*kmsg.RenewDelegationTokenResponse](c, req)
}

func (c *client) expire(mac []byte, period int64) *kmsg.ExpireDelegationTokenResponse {
	c.t.Helper()
	req := kmsg.NewPtrExpireDelegationTokenRequest()
	req.Version, req.HMAC, req.ExpiryPeriodMillis = 2, mac, period
	return do[*kmsg.ExpireDelegationTokenResponse](c, req)
}

// describeRequest asks for owners given as Type:Name; none asks for all.
func describeRequest(owners ...string) *kmsg.DescribeDelegationTokenRequest {
	req := kmsg.NewPtrDescribeDelegationTokenRequest()
	req.Version = 3
	for _, o := range owners {
		n := kmsg.NewDescribeDelegationTokenRequestOwner()
		n.PrincipalType, n.PrincipalName, _ = strings.Cut(o, ":")
		req.Owners = append(req.Owners, n)
	}
	return req
}

func (c *client) describe(owners ...string) *kmsg.DescribeDelegationTokenResponse {
	c.t.Helper()
	return do[*kmsg.DescribeDelegationTokenResponse](c, describeRequest(owners...))
}

// addRule stores an ACL rule as super user.
func addRule(t testing.TB, b *Broker, r rule) {
	t.Helper()
	c := as(t, b, admin)
	req := kmsg.NewPtrCreateACLsRequest()
	req.Version = 3
	n := kmsg.NewCreateACLsRequestCreation()
	n.ResourceType, n.ResourceName, n.ResourcePatternType = r.resourceType, r.name, r.pattern
	n.Principal, n.Host, n.Operation, n.PermissionType = r.principal, r.host, r.operation, r.permission
	req.Creations = append(req.Creations, n)
	if resp := do[*kmsg.CreateACLsResponse](c, req); resp.Results[0].ErrorCode != 0 {
		t.Fatalf("adding a rule: code %d", resp.Results[0].ErrorCode)
	}
}

// hmacText is the password that a worker signs in with.
func hmacText(mac []byte) string { return base64.StdEncoding.EncodeToString(mac) }

// waitFor waits for a condition that another goroutine brings about.
func (b *Broker) waitFor(t testing.TB, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not happen")
		}
	}
}

// max is the highest version that is offered for a key, -1 for none.
func (r *release) max(key kmsg.Key) int16 {
	if v, ok := r.apis[int16(key)]; ok {
		return v.Max
	}
	return -1
}
