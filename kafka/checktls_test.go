package kafka

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"testing"
	"time"
)

// authority signs certificates for a test.
type authority struct {
	t    *testing.T
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func newAuthority(t *testing.T, name string) *authority {
	a := &authority{t: t}
	a.key, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	a.cert, _ = x509.ParseCertificate(der)
	return a
}

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

func (a *authority) sign(name string, ends time.Time, ips ...net.IP) tls.Certificate {
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().AddDate(-1, 0, 0), NotAfter: ends,
		DNSNames: []string{name}, IPAddresses: ips, KeyUsage: x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestCheckTLS(t *testing.T) {
	ours, theirs := newAuthority(t, "our CA"), newAuthority(t, "their CA")
	here := net.IPv4(127, 0, 0, 1)
	year := time.Now().AddDate(1, 0, 0)
	broker := ours.sign("broker.example", year, here)
	me := ours.sign("me", year)
	type server struct {
		certificate tls.Certificate
		asks        tls.ClientAuthType
	}
	for name, test := range map[string]struct {
		server  server
		client  *tls.Config
		verdict Verdict
		want    []string
	}{
		"good":                {server{broker, tls.NoClientCert}, &tls.Config{}, VerdictOK, []string{`certificate "CN=broker.example" for broker.example, 127.0.0.1, from "CN=our CA", valid until ` + year.UTC().Format(time.DateOnly)}},
		"client certificate":  {server{broker, tls.RequireAndVerifyClientCert}, &tls.Config{Certificates: []tls.Certificate{me}}, VerdictOK, []string{`asks for a client certificate and gets certificate "CN=me"`}},
		"asked for, not sent": {server{broker, tls.RequestClientCert}, &tls.Config{}, VerdictOK, []string{"asks for a client certificate and gets none"}},
		"missing":             {server{broker, tls.RequireAndVerifyClientCert}, &tls.Config{}, VerdictFail, []string{"client certificate", "Give this connection a client certificate"}},
		"of another CA":       {server{broker, tls.RequireAndVerifyClientCert}, &tls.Config{Certificates: []tls.Certificate{theirs.sign("me", year)}}, VerdictFail, []string{"client certificate"}},
		"expired":             {server{ours.sign("broker.example", time.Now().AddDate(0, 0, -1), here), tls.NoClientCert}, &tls.Config{}, VerdictFail, []string{"expired", `certificate "CN=broker.example"`, "needs a new certificate"}},
		"another name":        {server{ours.sign("broker.example", year), tls.NoClientCert}, &tls.Config{}, VerdictFail, []string{"for broker.example, from", "Dial the broker by a name that is in its certificate"}},
		"untrusted":           {server{theirs.sign("broker.example", year, here), tls.NoClientCert}, &tls.Config{}, VerdictFail, []string{"not signed by an authority that is trusted here", `Trust the authority "CN=their CA"`}},
		"ends soon":           {server{ours.sign("broker.example", time.Now().AddDate(0, 0, 10), here), tls.NoClientCert}, &tls.Config{}, VerdictWarn, []string{"expires in 2"}},
		"name not checked":    {server{broker, tls.NoClientCert}, &tls.Config{InsecureSkipVerify: true}, VerdictWarn, []string{"host name is not checked"}},
	} {
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			t.Run(name+" "+tls.VersionName(version), func(t *testing.T) {
				s := newStub(t, sources, overTLS(&tls.Config{Certificates: []tls.Certificate{test.server.certificate},
					ClientAuth: test.server.asks, ClientCAs: ours.pool(), MaxVersion: version}))
				settings := settingsFor(s)
				settings.Protocol, settings.TLS = SSL, test.client.Clone()
				settings.TLS.RootCAs = ours.pool()
				d := checked(t, settings, nil)
				says(t, d, "TLS", test.verdict, test.want...)
				if d.OK() == (test.verdict == VerdictFail) {
					t.Error(d)
				}
				// What the check finds is what dialling finds.
				c, err := Dial(t.Context(), settings)
				if (err != nil) != (test.verdict == VerdictFail) {
					t.Errorf("Dial: %v\n%s", err, d)
				}
				if err == nil {
					c.Close()
				}
			})
		}
	}
}

func TestCheckWrongProtocol(t *testing.T) {
	s := newStub(t, sources)
	settings := settingsFor(s)
	settings.Protocol, settings.TLS = SSL, &tls.Config{MinVersion: tls.VersionTLS12}
	d := checked(t, settings, nil)
	says(t, d, "TLS", VerdictFail)
	if d.OK() {
		t.Error(d)
	}
	// A SASL listener, taken for one without: it answers the API versions and
	// closes at the next request.
	sasl := opsStub(t, sources)
	settings = settingsFor(sasl)
	settings.Protocol, settings.SASL = Plaintext, nil
	d = checked(t, settings, nil)
	says(t, d, "cluster", VerdictFail, "as a SASL listener does")
	says(t, d, "tokens", VerdictSkipped)
	if d.OK() || sasl.connections() != 1 {
		t.Errorf("%d connections\n%s", sasl.connections(), d)
	}
}
