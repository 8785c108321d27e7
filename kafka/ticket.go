package kafka

import (
	"context"

	"github.com/segmentio/kafka-go/sasl"
)

// TicketSource gets Kerberos tickets. It is asked once for each sign-in.
type TicketSource interface {
	// Ticket gets a ticket for the broker at host and makes the first message
	// with it. Its errors are whole phrases without a secret, and may have a
	// Hint.
	Ticket(ctx context.Context, host string) (Ticket, []byte, error)
}

// Ticket is a Kerberos sign-in under way.
type Ticket interface {
	// Client is the principal that the KDC knows, such as "alice@EXAMPLE.COM".
	// Which user the broker makes of it is the broker's own rule
	// (sasl.kerberos.principal.to.local.rules).
	Client() string
	// Service is the name that the ticket is for, such as
	// "kafka/broker1.example.com".
	Service() string
	// Next answers the broker's message. When it is done the answer, if there
	// is one, is still sent.
	Next(challenge []byte) (done bool, answer []byte, err error)
}

// ticketMechanism is GSSAPI (RFC 4752).
type ticketMechanism struct {
	source TicketSource
	host   string
}

func (ticketMechanism) Name() string { return MechanismKerberos }

func (m ticketMechanism) Start(ctx context.Context) (sasl.StateMachine, []byte, error) {
	ticket, first, err := m.source.Ticket(ctx, m.host)
	return ticketState{ticket}, first, err
}

type ticketState struct{ ticket Ticket }

func (s ticketState) Next(_ context.Context, challenge []byte) (bool, []byte, error) {
	return s.ticket.Next(challenge)
}

func (s ticketState) explain(e *SignInError) {
	e.User, e.Service = s.ticket.Client(), s.ticket.Service()
}
