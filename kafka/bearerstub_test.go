package kafka

import (
	"bytes"
	"context"
	"errors"
	"strings"
)

// bearer is the broker's side of OAUTHBEARER: users are the tokens it takes, by
// any name. A refusal is answered with a code of 0 and JSON first, as Kafka does
// (seen on 3.9 and 4.4).
func (s *saslSession) bearer(in string) ([]byte, bool) {
	s.stub.mu.Lock()
	defer s.stub.mu.Unlock()
	s.stub.firsts = append(s.stub.firsts, in)
	if s.steps > 1 {
		return nil, false // after the client's \x01
	}
	token, ok := strings.CutPrefix(in, "n,,\x01auth=Bearer ")
	token, _, _ = strings.Cut(token, "\x01")
	for _, taken := range s.stub.users {
		if ok && taken == token && strings.HasSuffix(in, "\x01\x01") {
			s.done = true
			return []byte{}, true
		}
	}
	return []byte(`{"status":"invalid_token"}`), true
}

// ticket is a mechanism with a last word, of the form of GSSAPI: the client's
// first message, a challenge, the client's answer, and nothing.
func (s *saslSession) ticket(in string) ([]byte, bool) {
	switch {
	case s.steps == 1 && in == "ticket of good":
		return []byte("challenge"), true
	case s.steps == 2 && in == "sealed challenge":
		s.done = true
		return []byte{}, true
	}
	return nil, false
}

// oneToken is a source that counts how often it is asked.
type oneToken struct {
	token string
	err   error
	asked int
	on    func(context.Context)
}

func (o *oneToken) BearerToken(ctx context.Context) (*Secret, error) {
	o.asked++
	if o.on != nil {
		o.on(ctx)
	}
	if o.err != nil {
		return nil, o.err
	}
	return NewSecret([]byte(o.token)), nil
}

// fakeTickets are tickets of good or of somebody else.
type fakeTickets struct {
	of   string
	host string
}

func (f *fakeTickets) Ticket(_ context.Context, host string) (Ticket, []byte, error) {
	f.host = host
	if f.of == "" {
		return nil, nil, hintedError{errors.New("the KDC cannot be reached"), "Look at krb5.conf."}
	}
	return fakeTicket{f.of, host}, []byte("ticket of " + f.of), nil
}

type hintedError struct {
	error
	hint string
}

func (h hintedError) Hint() string { return h.hint }

type fakeTicket struct{ of, host string }

func (f fakeTicket) Client() string  { return f.of + "@EXAMPLE.COM" }
func (f fakeTicket) Service() string { return "kafka/" + f.host }
func (f fakeTicket) Next(challenge []byte) (bool, []byte, error) {
	if !bytes.Equal(challenge, []byte("challenge")) {
		return false, nil, errors.New("not sealed")
	}
	return true, append([]byte("sealed "), challenge...), nil
}
