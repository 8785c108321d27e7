package contract

import (
	"dtok/kafka/contract/apache"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func listenerCases() []contractCase {
	return []contractCase{
		{"listener: PLAINTEXT serves no token request", listenerPlaintext, offering(createToken)},
		{"listener: one-way TLS serves none, with a certificate neither", listenerOneWay, offering(createToken)},
		{"listener: with a client certificate the principal is its subject", listenerCertificate, offering(createToken)},
		{"listener: a mapping rule makes a user of the subject", listenerMapped, both(offering(createToken), since("2.2"))},
		{"listener: without the certificate it wants, nothing is served", listenerWithoutCertificate, always},
		{"listener: requests that are sent together are answered in their order", listenerPipeline, always},
		{"listener: SASL serves all token requests, with TLS and without", listenerSASL, offering(createToken)},
	}
}

func listenerPlaintext(e *env) { e.dial(apache.Plaintext).refusedEverywhere("User:ANONYMOUS") }

func listenerOneWay(e *env) {
	e.dial(apache.SSL).refusedEverywhere("User:ANONYMOUS")
	certificate, err := e.Certificate(apache.Subject{"CN=alice"})
	if err != nil {
		e.Fatal(err)
	}
	e.dial(apache.SSL, certificate).refusedEverywhere("User:ANONYMOUS")
}

// served goes through all four token requests and a sign-in with the token.
func (c *client) served(principal string) {
	c.Helper()
	e := c.env
	t := c.newToken(newToken{renewers: []string{"User:x"}})
	equal(e, "owner and requester", [2]string{t.owner, t.requester}, [2]string{principal, e.requester(principal)})
	equal(e, "tokens", c.describe(ownerFilter{principal}), []token{t})
	equal(e, "renew", c.renew(t, -1).code, 0)
	s, _ := e.session(t)
	s.refusedEverywhere(principal)
	equal(e, "expire", c.expire(t, -1).code, 0)
	e.await("the token is gone", arrival, func() bool { return len(c.ids(nil)) == 0 })
}

func (e *env) withCertificate(listener string, subject apache.Subject) *client {
	e.Helper()
	certificate, err := e.Certificate(subject)
	if err != nil {
		e.Fatal(err)
	}
	return e.dial(listener, certificate)
}

func listenerCertificate(e *env) {
	name := e.fresh("Dave")
	for principal, subject := range map[string]apache.Subject{
		// RFC 2253 reads the subject from its end.
		"User:CN=" + name:                      {"CN=" + name},
		"User:O=Acme,CN=" + name:               {"CN=" + name, "O=Acme"},
		"User:CN=" + name + ",OU=Ops,O=A,C=DE": {"C=DE", "O=A", "OU=Ops", "CN=" + name},
		"User:CN=" + name + `\, Jr.,O=A\+B`:    {"O=A+B", "CN=" + name + ", Jr."},
	} {
		e.withCertificate(apache.MTLS, subject).served(principal)
	}
}

func listenerMapped(e *env) {
	if e.Address(apache.MTLSMapped) == "" {
		e.Skip("this cluster has no listener with a mapping rule")
	}
	name := e.fresh("dave")
	e.withCertificate(apache.MTLSMapped, apache.Subject{"O=Acme", "CN=D" + name[1:]}).served("User:" + name)
	// The rule wants the name first; the whole subject stands in for the rest.
	e.withCertificate(apache.MTLSMapped, apache.Subject{"CN=" + name, "O=Acme"}).served("User:O=Acme,CN=" + name)
}

func listenerWithoutCertificate(e *env) {
	c, err := e.tryDial(apache.MTLS)
	if err == nil {
		// With TLS 1.3 the client learns of it at its first read.
		_, err = c.conn.Do(anything())
	}
	if err == nil {
		e.Fatal("a client without a certificate is served")
	}
}

// listenerPipeline writes all that a screen of dtok reads before it reads the
// first answer.
func listenerPipeline(e *env) {
	for _, listener := range []string{apache.SASLPlaintext, apache.SASLSSL} {
		c, _, err := e.signIn(listener, e.password(apache.Admin))
		if err != nil {
			e.Fatal(err)
		}
		var requests []kmsg.Request
		for _, req := range []kmsg.Request{
			describeRequest(3, nil), filter{}.request(), quotasRequest(false), scramRequest(), describeRequest(3, ownerFilter{"User:x"}), anything(),
		} {
			if version := e.Kafka().Newest(req.Key(), req.GetVersion()); version >= 0 {
				req.SetVersion(version)
				requests = append(requests, req)
			}
		}
		var ids []int32
		for _, req := range requests {
			id, err := c.conn.Send(req)
			if err != nil {
				e.Fatal(err)
			}
			ids = append(ids, id)
		}
		for i, req := range requests {
			if _, err := c.conn.Receive(req, ids[i], arrival); err != nil {
				e.Fatalf("answer %d: %v", i+1, err)
			}
		}
	}
}

func listenerSASL(e *env) {
	for _, listener := range []string{apache.SASLPlaintext, apache.SASLSSL} {
		user := e.user()
		c, _, err := e.signIn(listener, e.password(user))
		if err != nil {
			e.Fatal(err)
		}
		c.served("User:" + user)
	}
	// One-way TLS without SASL serves everything else.
	r := do[*kmsg.ApiVersionsResponse](e.dial(apache.SSL), anything())
	equal(e, "code of ApiVersions", r.ErrorCode, 0)
}
