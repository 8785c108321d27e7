package kafka

import (
	"context"
	"crypto/tls"
	"net"
	"sync/atomic"
	"testing"
)

// countingConn counts round trips: a read that follows a write.
type countingConn struct {
	net.Conn
	trips *atomic.Int32
	wrote bool
}

func (c *countingConn) Write(b []byte) (int, error) { c.wrote = true; return c.Conn.Write(b) }

func (c *countingConn) Read(b []byte) (int, error) {
	if c.wrote {
		c.wrote = false
		c.trips.Add(1)
	}
	return c.Conn.Read(b)
}

func TestRoundTrips(t *testing.T) {
	server, pool := certificate(t)
	for _, test := range []struct {
		protocol Protocol
		most     int32
	}{{SASLPlaintext, 6}, {SASLSSL, 7}} {
		t.Run(string(test.protocol), func(t *testing.T) {
			var trips atomic.Int32
			count := func(ctx context.Context, network, address string) (net.Conn, error) {
				trips.Add(1) // TCP itself
				c, err := (&net.Dialer{}).DialContext(ctx, network, address)
				return &countingConn{Conn: c, trips: &trips}, err
			}
			s := opsStub(t, sources, func(s *stub) {
				if test.protocol == SASLSSL {
					overTLS(server)(s)
				}
				s.creates("t-9", ops, hmac2)
				s.set(39, renews(0))
			})
			settings := settingsFor(s)
			settings.Protocol, settings.TLS = test.protocol, &tls.Config{RootCAs: pool}
			settings.SASL.Mechanism = MechanismScramSHA512
			c, err := dialWith(t.Context(), settings, count, newTestClock().clock())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if l, err := c.Users(t.Context()); err != nil || len(l.Failed) > 0 {
				t.Fatal(err, l.Failed)
			}
			if n := trips.Load(); n > test.most {
				t.Errorf("%d round trips for the user list, at most %d", n, test.most)
			}
			trips.Store(0)
			if _, err := c.CreateToken(t.Context(), CreateRequest{Owner: ops}); err != nil {
				t.Fatal(err)
			}
			if n := trips.Swap(0); n > 2 {
				t.Errorf("%d round trips for a creation", n)
			}
			if _, err := c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: secretOf(hmac1)}); err != nil {
				t.Fatal(err)
			}
			if n := trips.Load(); n > 2 {
				t.Errorf("%d round trips for a renewal", n)
			}
		})
	}
}
