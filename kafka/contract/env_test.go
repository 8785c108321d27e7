package contract

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// forever marks a lifetime of Long.MAX milliseconds, which no Duration holds.
const forever = time.Duration(1<<63 - 1)

// arrival is how long a change may take until every part of a broker knows it;
// a few hundred milliseconds as a rule, more on a busy machine.
const arrival = 30 * time.Second

// env is a case at work: the test it reports to, the cluster it talks to.
type env struct {
	*testing.T
	Cluster
}

// equal fails the case unless got is want.
func equal[T any](e *env, what string, got, want T) {
	e.Helper()
	if d := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
		e.Fatalf("%s is not as expected (-want +got):\n%s", what, d)
	}
}

// within fails the case unless low <= got <= high.
func within(e *env, what string, got, low, high int64) {
	e.Helper()
	if got < low || got > high {
		e.Fatalf("%s is %d, want %d to %d", what, got, low, high)
	}
}

// await asks until ok or until the limit has passed on the cluster's clock.
func (e *env) await(what string, limit time.Duration, ok func() bool) {
	e.Helper()
	for deadline := e.Now().Add(limit); !ok(); e.Pass(20 * time.Millisecond) {
		if e.Now().After(deadline) {
			e.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// millis is the cluster's clock as Kafka writes it.
func (e *env) millis() int64 { return e.Now().UnixMilli() }

// fresh is a name that nothing else uses.
func (e *env) fresh(prefix string) string { return prefix + "-" + strings.ToLower(rand.Text()[:10]) }

// dial connects to a listener without signing in, with TLS where it wants that.
func (e *env) dial(listener string, certificates ...tls.Certificate) *client {
	e.Helper()
	c, err := e.tryDial(listener, certificates...)
	if err != nil {
		e.Fatal(err)
	}
	return c
}

func (e *env) tryDial(listener string, certificates ...tls.Certificate) (*client, error) {
	var config *tls.Config
	switch listener {
	case apache.SASLSSL, apache.SSL, apache.MTLS, apache.MTLSMapped:
		config = &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "localhost", Certificates: certificates}
		config.RootCAs.AppendCertsFromPEM(e.CA())
	}
	c, err := raw.Dial(context.Background(), e.Address(listener), config)
	if err != nil {
		return nil, err
	}
	e.Cleanup(func() { c.Close() })
	c.AuthenticateVersion = e.Kafka().Newest(kmsg.SASLAuthenticate.Int16(), c.AuthenticateVersion)
	return &client{env: e, conn: c}, nil
}

// signIn connects to a listener and signs in.
func (e *env) signIn(listener string, cred raw.Credentials) (*client, raw.Session, error) {
	c := e.dial(listener)
	s, err := c.conn.SignIn(cred)
	return c, s, err
}

// as is a connection of a user over SASL_PLAINTEXT.
func (e *env) as(user string) *client {
	e.Helper()
	c, _, err := e.signIn(apache.SASLPlaintext, e.password(user))
	if err != nil {
		e.Fatalf("sign-in of %s: %v", user, err)
	}
	return c
}

// admin is a connection of the super user.
func (e *env) admin() *client { e.Helper(); return e.as(apache.Admin) }

// password is how the users of cases sign in.
func (e *env) password(user string) raw.Credentials {
	cred := raw.Credentials{Mechanism: raw.ScramSHA256, User: user, Password: apache.Password(user)}
	if !e.makesUsers() {
		cred.Mechanism = raw.Plain
	}
	return cred
}

// makesUsers reports whether clients can make users, which need SCRAM.
func (e *env) makesUsers() bool { return e.Kafka().Offers(kmsg.AlterUserSCRAMCredentials.Int16()) }

// requester is a principal where the release tells who asked for a token (from
// 3.3 on, KIP-373), and "" before.
func (e *env) requester(principal string) string {
	if e.Kafka().Newest(kmsg.CreateDelegationToken.Int16(), 3) < 3 {
		return ""
	}
	return principal
}

// noTime is a time in a refusal that does not come from the broker which was
// asked: KRaft's controller leaves it 0; with ZooKeeper every refusal has -1.
func (e *env) noTime() int64 {
	if e.Kafka().ZooKeeper() {
		return -1
	}
	return 0
}

// anything is a request that everybody may send.
func anything() kmsg.Request { return apiVersionsRequest(3) }

// user makes a user that can sign in as password says, and returns its name.
func (e *env) user() string {
	e.Helper()
	if !e.makesUsers() {
		name, err := e.SpareUser()
		if err != nil {
			e.Fatal(err)
		}
		return name
	}
	return e.userNamed(e.fresh("u"))
}

func (e *env) userNamed(name string) string {
	e.Helper()
	admin := e.admin()
	for _, mechanism := range []string{raw.ScramSHA256, raw.ScramSHA512} {
		admin.setPassword(name, mechanism, apache.Password(name))
	}
	e.await("the new user "+name+" can sign in", arrival, func() bool {
		for _, mechanism := range []string{raw.ScramSHA512, raw.ScramSHA256} {
			cred := e.password(name)
			cred.Mechanism = mechanism
			if !admin.hasScram(name, mechanism) {
				return false
			}
			c, _, err := e.signIn(apache.SASLPlaintext, cred)
			c.conn.Close()
			var refused *raw.Refused
			if errors.As(err, &refused) && refused.Code == 58 {
				return false
			}
			if err != nil {
				e.Fatal(err)
			}
		}
		return true
	})
	return name
}

// allow adds an ALLOW rule for a user and waits until check sees its effect.
func (e *env) allow(user string, resource kmsg.ACLResourceType, name string, op kmsg.ACLOperation, check func() bool) {
	e.Helper()
	r := rule{resource: resource, name: name, principal: "User:" + user, operation: op}
	e.admin().addRules(r)
	e.await(fmt.Sprintf("the rule %+v works", r), arrival, check)
}

// closed fails the case unless the broker has closed the connection at req
// instead of answering.
func (e *env) closed(c *client, req kmsg.Request) {
	e.Helper()
	if req.Key() == kmsg.ApiVersions.Int16() {
		req.SetVersion(e.Kafka().Newest(req.Key(), req.GetVersion()))
	}
	if resp, err := c.conn.Do(req); err == nil {
		e.Fatalf("the connection is not closed but answers %+v", resp)
	} else if !hungUp(err) {
		e.Fatalf("the connection is not closed but fails with: %v", err)
	}
}
