package kerberos

import (
	"context"
	"net"
	"strings"

	"github.com/jcmturner/gokrb5/v8/client"
	"github.com/jcmturner/gokrb5/v8/config"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/kerberos"

	"dtok/kafka"
)

// Login says who signs in, and with what. The files are read for each sign-in,
// so that a renewed ticket and a new keytab count at once.
type Login struct {
	// Service is the first part of the brokers' principal, "kafka" as a rule
	// (sasl.kerberos.service.name). The second is the host that is dialled.
	Service string
	// Principal is NAME, NAME@REALM or NAME/HOST@REALM; without a realm it is
	// krb5.conf's default. With a ticket cache it may be empty, and if it is
	// not, the cache has to be that principal's.
	Principal string
	// Cache is the path of a ticket cache, "" for none.
	Cache string
	// Keytab is the path of a keytab with the principal's key, "" for none. It
	// is used where the cache has no valid ticket, as Java does it.
	Keytab string
	// Config is the path of krb5.conf.
	Config string
}

// Ticket gets a ticket for the service at host and makes the first message. It
// asks the KDC for at most two things, a ticket for itself and one for the
// service, and not a second time. A wait that ctx cuts short goes on in the
// background for the few seconds that it may take, and comes to nothing.
func (l Login) Ticket(ctx context.Context, host string) (kafka.Ticket, []byte, error) {
	type result struct {
		ticket *ticket
		first  []byte
		err    error
	}
	got := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			// gokrb5 trusts the lengths in files and answers and panics on
			// some; what it says then could be a piece of a key.
			if recover() != nil {
				r = result{err: &Error{problem: "the keytab, the ticket cache or the KDC's answer is damaged"}}
			}
			got <- r
		}()
		r.ticket, r.first, r.err = l.start(ctx, host)
	}()
	select {
	case r := <-got:
		if r.err != nil {
			return nil, nil, r.err
		}
		return r.ticket, r.first, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

func (l Login) start(ctx context.Context, host string) (*ticket, []byte, error) {
	conf, err := readConfig(l.Config)
	if err != nil {
		return nil, nil, err
	}
	c, err := l.client(conf)
	if err != nil {
		return nil, nil, err
	}
	// It would otherwise renew its ticket in the background for ever.
	defer c.Destroy()
	t := &ticket{
		client:  c.Credentials.UserName() + "@" + c.Credentials.Domain(),
		service: l.Service + "/" + host,
	}
	auth := kerberos.Auth{Client: c, Service: l.Service, PersistAfterAuth: true}
	// The library wants HOST:PORT and takes the host alone.
	session, first, err := auth.AsMechanism().Authenticate(ctx, net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, nil, l.explain(err, t, conf)
	}
	t.session = session
	return t, first, nil
}

// client has what it takes to prove the principal.
func (l Login) client(conf *config.Config) (*client.Client, error) {
	// Active Directory knows no FAST and takes the offer of it for an error.
	plain := client.DisablePAFXFAST(true)
	if l.Cache != "" {
		c, err := l.fromCache(conf, plain)
		if err == nil || l.Keytab == "" {
			return c, err
		}
	}
	name, realm := split(l.Principal, conf.LibDefaults.DefaultRealm)
	switch {
	case name == "":
		return nil, &Error{problem: "with a keytab the principal has to be named"}
	case realm == "":
		return nil, &Error{problem: "the principal " + name + " has no realm, and " + l.Config + " has no default_realm"}
	}
	keys, err := readKeytab(l.Keytab, name, realm)
	if err != nil {
		return nil, err
	}
	return client.NewWithKeytab(name, realm, keys, conf, plain), nil
}

// split cuts a principal into its name and its realm.
func split(principal, defaultRealm string) (name, realm string) {
	if at := strings.LastIndexByte(principal, '@'); at >= 0 {
		return principal[:at], principal[at+1:]
	}
	return principal, defaultRealm
}

// ticket is a sign-in under way.
type ticket struct {
	client, service string
	session         sasl.Session
}

func (t *ticket) Client() string  { return t.client }
func (t *ticket) Service() string { return t.service }

// Next checks that the broker could open the ticket, and so is who it should be.
func (t *ticket) Next(challenge []byte) (bool, []byte, error) {
	done, answer, err := t.session.Challenge(challenge)
	if err != nil || !done {
		return false, nil, &Error{problem: "the broker could not prove that it is " + t.service + ": its answer is not sealed with the ticket's key"}
	}
	return true, answer, nil
}

var _ kafka.TicketSource = Login{}
