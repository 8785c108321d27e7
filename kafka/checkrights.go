package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// rights asks what the connection may do, each thing for itself, over the one
// connection: a second one would be a second sign-in.
func (k *checker) rights(ctx context.Context, cn *conn, at int) {
	c := &Client{settings: k.settings, dial: k.dial, clock: k.clock}
	if err := c.adopt(cn, at); err != nil {
		return
	}
	r := &rightsCheck{checker: k, client: c, conn: cn}
	r.cluster(ctx)
	tokens := r.tokens(ctx)
	r.create(tokens)
	for _, s := range []Source{FromACLs, FromQuotas, FromSCRAM} {
		r.source(ctx, s)
	}
	r.result(tokens)
}

type rightsCheck struct {
	*checker
	client *Client
	conn   *conn
	// gone is set once the connection has broken.
	gone bool
}

// ask sends one request, unless the connection is gone.
func (r *rightsCheck) ask(ctx context.Context, name string, c *call, answered func() finding) finding {
	if r.gone {
		f := finding{verdict: VerdictSkipped, detail: "the connection is gone"}
		r.add(Step{Name: name, Verdict: f.verdict, Detail: f.detail})
		return f
	}
	return r.time(name, "", func() finding {
		err := r.conn.exchange(ctx, r.settings.ReadTimeout, c)
		if err != nil {
			r.gone = true
			return bad(r.client.explain(err, true))
		}
		if c.err != nil {
			return bad(c.err)
		}
		return answered()
	})
}

// cluster names the cluster and its brokers. dtok stays with the address that
// it dialled, so the advertised ones need not be reachable from here.
func (r *rightsCheck) cluster(ctx context.Context) {
	if r.conn.offers.max(protocol.Metadata) < 2 {
		return
	}
	var answer kmsg.MetadataResponse
	r.ask(ctx, stepCluster, &call{req: noTopics(), read: reading(&answer, func(*kmsg.MetadataResponse) {})}, func() finding {
		id := "without an id"
		if answer.ClusterID != nil {
			id = *answer.ClusterID
		}
		var brokers []string
		for _, b := range answer.Brokers {
			brokers = append(brokers, fmt.Sprintf("%s:%d", b.Host, b.Port))
		}
		slices.Sort(brokers)
		return good(fmt.Sprintf("cluster %s, brokers advertised as %s; dtok asks none but the address it dialled", id, strings.Join(brokers, ", ")))
	})
}

// tokens lists the tokens, and says why they are off where they are.
func (r *rightsCheck) tokens(ctx context.Context) finding {
	if off := r.client.Session().Off; off != nil {
		f := bad(off)
		r.add(Step{Name: stepTokens, Verdict: f.verdict, Detail: f.detail, Hint: f.hint})
		return f
	}
	d := &describing{}
	return r.ask(ctx, stepTokens, d.call(nil), func() finding {
		if err := r.client.describeRefusal(d.code); err != nil {
			return bad(err)
		}
		return good(fmt.Sprintf("may list tokens, and sees %d; those of others only with DescribeTokens on their owner, or Describe on the token", len(d.tokens)))
	})
}

// create says who the connection may create tokens for, as far as that can be
// told without making one: Kafka asks the controller, and only when one is made.
func (r *rightsCheck) create(tokens finding) {
	f := finding{verdict: VerdictSkipped, detail: "tokens are off"}
	switch {
	case r.gone:
		f.detail = "the connection is gone"
	case tokens.verdict == VerdictFail:
	case !r.client.Session().CanCreateForOthers:
		f = finding{VerdictWarn, "for itself alone: every user may; for others it takes Kafka 3.3" + detectedOr(r.conn.offers.detected()), ""}
	default:
		f = good("for itself: every user may; for others with CreateTokens on the User resource. Not tried, that would make a token")
	}
	r.add(Step{Name: stepCreate, Verdict: f.verdict, Detail: f.detail, Hint: f.hint})
}

// source reads one of the other sources of the user list. A missing right costs
// a column there, and nothing else.
func (r *rightsCheck) source(ctx context.Context, s Source) {
	reading := r.client.newUsersReading(r.conn.offers)
	i := slices.Index(reading.of, s)
	if i < 0 {
		r.add(Step{Name: s.String(), Verdict: VerdictWarn, Detail: reading.failed[s].Error()})
		return
	}
	r.ask(ctx, s.String(), reading.calls[i], func() finding {
		err := reading.join(r.client, s)
		refused, isRefused := errors.AsType[*RefusedError](err)
		switch {
		case isRefused && refused.Code == CodeSecurityDisabled:
			return good(err.Error())
		case err != nil:
			f := bad(err)
			f.verdict = VerdictWarn
			return f
		}
		return good(fmt.Sprintf("may list them; users with SCRAM credentials: %d", len(reading.ordered)))
	})
}

func (r *rightsCheck) result(tokens finding) {
	f := good("dtok can be used with this cluster")
	address := r.settings.Bootstrap[r.client.good]
	switch {
	case tokens.verdict == VerdictFail:
		f = finding{verdict: VerdictFail, detail: "dtok can connect to this cluster, and has no tokens to show"}
	case tokens.verdict == VerdictSkipped:
		f = finding{verdict: VerdictFail, detail: "the connection broke before the tokens could be read"}
	case r.gone:
		f = finding{verdict: VerdictWarn, detail: "dtok can be used with this cluster, but the connection broke"}
	case r.lost > 0:
		f = finding{VerdictWarn, fmt.Sprintf("dtok can be used with this cluster over %s; %d of %d bootstrap addresses cannot be used",
			address, r.lost, len(r.settings.Bootstrap)), "Take the dead address out of the list, or put it last."}
	}
	r.add(Step{Name: stepResult, Verdict: f.verdict, Detail: f.detail, Hint: f.hint})
}
