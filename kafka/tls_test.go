package kafka

import (
	"crypto/tls"
	"strings"
	"testing"
)

func TestTLS(t *testing.T) {
	server, pool := certificate(t)
	trusting := func(s *Settings) { s.Protocol, s.TLS = SSL, &tls.Config{RootCAs: pool} }

	s := newStub(t, overTLS(server), sources, func(s *stub) { s.set(41, describeCode(64)) })
	c, _ := dialStub(t, s, trusting)
	if e := as[*OffError](t, errTokens(c.Tokens(t.Context(), alice))); e.Cause != OffOneWayTLS {
		t.Errorf("%v", e)
	}
	if got := c.Session(); !got.Principal.IsZero() || got.Mechanism != "" {
		t.Errorf("%+v", got)
	}

	// In TLS 1.3 the demand for a client certificate comes after the
	// handshake, in place of the first answer.
	mutual := server.Clone()
	mutual.ClientAuth, mutual.ClientCAs = tls.RequireAndVerifyClientCert, pool
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		mutual.MinVersion, mutual.MaxVersion = version, version
		s = newStub(t, overTLS(mutual), sources)
		settings := settingsFor(s)
		trusting(&settings)
		if _, err := Dial(t.Context(), settings); err == nil || !strings.Contains(err.Error(), "client certificate") {
			t.Errorf("TLS %x: %v", version, err)
		}
		settings.TLS.Certificates = server.Certificates
		c, err := Dial(t.Context(), settings)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Tokens(t.Context(), alice); err != nil {
			t.Error(err)
		}
		c.Close()
	}

	// A certificate for another name.
	settings := settingsFor(newStub(t, overTLS(server)))
	trusting(&settings)
	settings.TLS.ServerName = "other.example"
	if _, err := Dial(t.Context(), settings); err == nil || !strings.Contains(err.Error(), "for another host name") {
		t.Errorf("%v", err)
	}
}
