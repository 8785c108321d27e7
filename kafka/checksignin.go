package kafka

import (
	"context"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go/protocol"
)

// describe is what a broker offers, for people.
func (o offers) describe() string {
	s := o.detected()
	if s == "" {
		s = "a Kafka version that cannot be told"
	}
	if o.metadataVersion > 0 {
		s += fmt.Sprintf(", metadata.version level %d", o.metadataVersion)
	}
	if r, ok := o.ranges[protocol.DescribeDelegationToken]; ok {
		return s + fmt.Sprintf("; offers delegation tokens (describe v%d to v%d)", r.min, r.max)
	}
	return s + "; offers no delegation token requests"
}

// enter signs in, once, and reports whether the connection may go on.
func (k *checker) enter(ctx context.Context, r *reached, address string) bool {
	cn := r.conn
	c := k.settings.SASL
	if c == nil {
		f := finding{verdict: VerdictSkipped, detail: "nobody signs in on a PLAINTEXT listener"}
		switch {
		case k.settings.Protocol == SSL && r.look.given != nil:
			f.detail = "the client certificate is who this connection is; which user the broker makes of it is its own rule"
		case k.settings.Protocol == SSL:
			f.detail = "nobody signs in on an SSL listener without a client certificate"
		}
		k.add(Step{Name: stepSignIn, Verdict: f.verdict, Detail: f.detail})
		return true
	}
	as := *c
	if as.OAuth != nil {
		as.OAuth = watchedTokens{k, as.OAuth}
	}
	if as.Kerberos != nil {
		as.Kerberos = watchedTickets{k, as.Kerberos}
	}
	f := k.time(stepSignIn, address, func() finding {
		cn.limit = time.Now().Add(k.settings.ConnectTimeout)
		defer func() { cn.limit = time.Time{} }()
		lifetime, err := cn.signIn(ctx, k.settings.ConnectTimeout, &as)
		if err != nil {
			return bad(err)
		}
		return k.entered(lifetime)
	})
	return f.verdict != VerdictFail
}

func (k *checker) entered(lifetime time.Duration) finding {
	c := k.settings.SASL
	f := good("signed in with " + c.Mechanism)
	switch {
	case c.TokenAuth:
		f.detail = "signed in with the delegation token " + c.User + " and " + c.Mechanism
	case c.byPassword():
		f.detail = "signed in as " + c.User + " with " + c.Mechanism
	default:
		f.detail += "; which user the broker makes of it is its own rule"
	}
	if lifetime > 0 {
		f.detail += "; the broker ends the session after " + lifetime.Round(time.Second).String()
	}
	if !k.settings.Protocol.Encrypted() {
		f.verdict, f.detail = VerdictWarn, f.detail+"; the listener does not encrypt"
		f.hint = "The HMACs of tokens cross the network in clear, and so does the password with PLAIN and the token with OAUTHBEARER. Use a SASL_SSL listener."
	}
	return f
}

// watchedTokens is a source that is a step of its own.
type watchedTokens struct {
	k      *checker
	source TokenSource
}

func (w watchedTokens) BearerToken(ctx context.Context) (token *Secret, err error) {
	w.k.time(stepToken, "", func() finding {
		if token, err = w.source.BearerToken(ctx); err != nil {
			return bad(err)
		}
		var claims Claims
		token.Use(func(b []byte) { claims = ReadClaims(b) })
		switch {
		case claims.IsZero():
			return good("a token that cannot be read here")
		case !claims.Expires.IsZero() && w.k.clock.now().After(claims.Expires):
			return finding{VerdictWarn, "a token that has expired by this machine's clock: " + claims.String(),
				"Get a new token, or set this machine's clock."}
		}
		return good("a token that says of itself: " + claims.String())
	})
	return token, err
}

// watchedTickets is the same for tickets.
type watchedTickets struct {
	k      *checker
	source TicketSource
}

func (w watchedTickets) Ticket(ctx context.Context, host string) (ticket Ticket, first []byte, err error) {
	w.k.time(stepTicket, "", func() finding {
		if ticket, first, err = w.source.Ticket(ctx, host); err != nil {
			return bad(err)
		}
		return good("a ticket of " + ticket.Client() + " for " + ticket.Service())
	})
	return ticket, first, err
}
