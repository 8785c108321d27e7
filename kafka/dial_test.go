package kafka

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// certificate is a server certificate for 127.0.0.1 and the pool that trusts it.
func certificate(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "broker"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, _ := x509.ParseCertificate(der)
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, pool
}

// serveRaw runs f on every connection and returns the address.
func serveRaw(t *testing.T, f func(net.Conn)) string {
	l := listen(t)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); f(c) }()
		}
	}()
	return l.Addr().String()
}

func TestDialExplainsWhatIsThere(t *testing.T) {
	server, _ := certificate(t)
	swallow := func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }
	write := func(b string) func(net.Conn) {
		return func(c net.Conn) {
			_, _ = c.Read(make([]byte, 1024))
			_, _ = io.WriteString(c, b)
			_ = c.(*net.TCPConn).CloseWrite()
			swallow(c)
		}
	}
	silence := make(chan struct{})
	t.Cleanup(func() { close(silence) })
	for name, test := range map[string]struct {
		serve func(net.Conn)
		tls   bool
		stage string
		want  string
		fault Fault
	}{
		"closes at once":     {func(c net.Conn) {}, false, "API versions", "closed the connection without an answer", FaultClosed},
		"silent":             {func(c net.Conn) { <-silence }, false, "API versions", "no complete answer came within", FaultSilent},
		"http":               {write("HTTP/1.1 400 Bad Request\r\n\r\n"), false, "API versions", "answers in HTTP", FaultHTTP},
		"http over tls":      {write("HTTP/1.1 400 Bad Request\r\n\r\n"), true, "TLS", "answers in HTTP", FaultHTTP},
		"giant frame":        {write("\x7f\xff\xff\xff"), false, "API versions", "2147483647 bytes", FaultTooBig},
		"negative frame":     {write("\xff\xff\xff\xff"), false, "API versions", "4294967295 bytes", FaultTooBig},
		"tiny frame":         {write("\x00\x00\x00\x02xx"), false, "API versions", "does not follow the Kafka protocol", FaultGarbled},
		"half a length":      {write("\x00\x00"), false, "API versions", "in the middle of an answer", FaultCut},
		"half a frame":       {write("\x00\x00\x00\x20\x00\x00\x00\x01"), false, "API versions", "in the middle of an answer", FaultCut},
		"wrong correlation":  {write("\x00\x00\x00\x08\x00\x00\x00\x63\x00\x00\x00\x00"), false, "API versions", "does not follow", FaultGarbled},
		"garbage body":       {write("\x00\x00\x00\x0b\x00\x00\x00\x01\x00\x00\xff\xff\xff\xff\x0f"), false, "API versions", "does not follow", FaultGarbled},
		"no apis":            {write("\x00\x00\x00\x0c\x00\x00\x00\x01\x00\x00\x01\x00\x00\x00\x00\x00"), false, "API versions", "does not follow", FaultGarbled},
		"ssh":                {write("SSH-2.0-OpenSSH_9.2\r\n"), false, "API versions", "is not a Kafka listener", FaultTooBig},
		"tls alert":          {write("\x15\x03\x03\x00\x02\x02\x0a"), false, "API versions", "speaks TLS", FaultTLS},
		"tls server":         {func(c net.Conn) { _ = tls.Server(c, server).Handshake() }, false, "API versions", "closed the connection", FaultClosed},
		"plaintext, closes":  {func(c net.Conn) { _, _ = c.Read(make([]byte, 5)) }, true, "TLS", "during the TLS handshake", FaultClosed},
		"plaintext, answers": {write("\x00\x00\x00\x0a\x00\x00\x00\x00\x00\x23\x00\x00\x00\x00"), true, "TLS", "does not speak TLS", FaultNoTLS},
		"untrusted":          {func(c net.Conn) { _ = tls.Server(c, server).Handshake(); swallow(c) }, true, "TLS", "not signed by an authority", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Settings{Bootstrap: []string{serveRaw(t, test.serve)}, Protocol: Plaintext}
			if test.fault == FaultSilent {
				s.ConnectTimeout = time.Second
			}
			if test.tls {
				s.Protocol = SSL
			}
			_, err := Dial(t.Context(), s)
			e := as[*ConnectError](t, err)
			if e.Stage != test.stage || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), s.Bootstrap[0]) {
				t.Errorf("stage %q: %v", e.Stage, err)
			}
			if test.fault != 0 && as[*FaultError](t, err).Fault != test.fault {
				t.Errorf("fault %d in %v", as[*FaultError](t, err).Fault, err)
			}
			if e.Hint() == "" {
				t.Errorf("no hint for %v", err)
			}
		})
	}
}

func TestDialUnknownAndUnreachable(t *testing.T) {
	free := listen(t)
	address := free.Addr().String()
	_ = free.Close()
	refused := as[*ConnectError](t, errOf(Dial(t.Context(), Settings{Bootstrap: []string{address}, Protocol: Plaintext})))
	if refused.Stage != "connect" || !strings.Contains(refused.Error(), "nothing listens") {
		t.Error(refused)
	}
	unknown := as[*ConnectError](t, errOf(dialWith(t.Context(), Settings{Bootstrap: []string{"nowhere.invalid:9092", address}, Protocol: Plaintext},
		func(ctx context.Context, network, address string) (net.Conn, error) {
			if strings.HasPrefix(address, "nowhere") {
				return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true}}
			}
			return nil, &net.OpError{Op: "dial", Err: errors.New("network is unreachable")}
		}, newTestClock().clock())))
	if !strings.Contains(unknown.Error(), "nowhere.invalid:9092: look up: the host name is not known") || len(unknown.Tried) != 1 {
		t.Error(unknown)
	}
}

func errOf(_ *Client, err error) error { return err }

func TestDialTriesAddressesInOrder(t *testing.T) {
	dead := serveRaw(t, func(net.Conn) {})
	s := newStub(t)
	settings := settingsFor(s)
	settings.Bootstrap = []string{dead, s.address()}
	c, err := Dial(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := c.Session().Address; got != s.address() {
		t.Errorf("session with %s", got)
	}
	// The address that worked is the first one to be tried again.
	s.lists()
	s.closeConns()
	if _, err := c.Tokens(t.Context(), Principal{}); err != nil {
		t.Fatal(err)
	}
	if n := s.connections(); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}

func TestCancelClosesAtOnce(t *testing.T) {
	for _, stage := range []string{"connect", "API versions", "sign in", "TLS"} {
		t.Run(stage, func(t *testing.T) {
			reached := make(chan struct{}, 1)
			hang := func(kmsg.Request) answer { reached <- struct{}{}; return answer{hang: true} }
			settings := Settings{Protocol: Plaintext, ConnectTimeout: time.Hour}
			dial := (&net.Dialer{}).DialContext
			switch stage {
			case "connect":
				settings.Bootstrap = []string{"127.0.0.1:1"}
				dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
					reached <- struct{}{}
					<-ctx.Done()
					return nil, ctx.Err()
				}
			case "TLS":
				settings.Bootstrap = []string{serveRaw(t, func(c net.Conn) { reached <- struct{}{}; _, _ = io.Copy(io.Discard, c) })}
				settings.Protocol = SSL
			case "API versions":
				settings.Bootstrap = []string{newStub(t, func(s *stub) { s.set(18, hang) }).address()}
			case "sign in":
				settings.Bootstrap = []string{newStub(t, func(s *stub) { s.set(17, hang) }).address()}
				settings.Protocol, settings.SASL = SASLPlaintext, plainAs("ops", "ops-secret")
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-reached; cancel() }()
			_, err := dialWith(ctx, settings, dial, newTestClock().clock())
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			if _, ok := errors.AsType[*ConnectError](err); ok {
				t.Errorf("a cancelled Dial is not a failure to connect: %v", err)
			}
		})
	}
}

// B3: a broker that stalls costs the connect timeout and no goroutine.
func TestStalledBrokerLeavesNothingBehind(t *testing.T) {
	s := newStub(t, func(s *stub) {
		s.set(17, func(kmsg.Request) answer { return answer{hang: true} })
	})
	settings := settingsFor(s)
	settings.Protocol, settings.SASL, settings.ConnectTimeout = SASLPlaintext, plainAs("ops", "ops-secret"), 250*time.Millisecond
	before := runtime.NumGoroutine()
	for range 10 {
		_, err := Dial(t.Context(), settings)
		if f := as[*FaultError](t, err); f.Fault != FaultSilent {
			t.Fatal(err)
		}
	}
	s.closeConns()
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before+5 && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if now := runtime.NumGoroutine(); now > before+5 {
		t.Errorf("%d goroutines before, %d after", before, now)
	}
}

func TestSettingsAreCheckedBeforeDialling(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Settings)
		want   string
	}{
		"no protocol":     {func(s *Settings) { s.Protocol = "" }, "security protocol is missing"},
		"odd protocol":    {func(s *Settings) { s.Protocol = "SASL" }, "SASL is not known"},
		"no credentials":  {func(s *Settings) { s.SASL = nil }, "user name and a password"},
		"no mechanism":    {func(s *Settings) { s.SASL.Mechanism = "" }, "mechanism is missing"},
		"odd mechanism":   {func(s *Settings) { s.SASL.Mechanism = "AWS_MSK_IAM" }, "AWS_MSK_IAM is not supported"},
		"no keytab":       {func(s *Settings) { s.SASL.Mechanism = "GSSAPI" }, "a keytab or a ticket cache"},
		"no source":       {func(s *Settings) { s.SASL.Mechanism = "OAUTHBEARER" }, "a token endpoint or a file"},
		"no user":         {func(s *Settings) { s.SASL.User = "" }, "user name is empty"},
		"empty password":  {func(s *Settings) { s.SASL.Password = NewSecret(nil) }, "password is empty"},
		"no password":     {func(s *Settings) { s.SASL.Password = nil }, "password is empty"},
		"nul in password": {func(s *Settings) { s.SASL.Password = NewSecret([]byte("s3cr3t\x00x")) }, "NUL"},
		"nul in user":     {func(s *Settings) { s.SASL.User = "a\x00b" }, "NUL"},
		"token by plain":  {func(s *Settings) { s.SASL.TokenAuth = true }, "not with PLAIN"},
		"no address":      {func(s *Settings) { s.Bootstrap = nil }, "no bootstrap address"},
		"a list":          {func(s *Settings) { s.Bootstrap = []string{"a:1,b:2"} }, "not HOST:PORT"},
	} {
		t.Run(name, func(t *testing.T) {
			s := Settings{Bootstrap: []string{"127.0.0.1:1"}, Protocol: SASLPlaintext, SASL: plainAs("ops", "s3cr3t")}
			test.change(&s)
			dialled := false
			_, err := dialWith(t.Context(), s, func(context.Context, string, string) (net.Conn, error) {
				dialled = true
				return nil, errors.New("dialled")
			}, newTestClock().clock())
			if err == nil || dialled || !strings.Contains(err.Error(), test.want) {
				t.Errorf("dialled %v: %v", dialled, err)
			}
			noLeak(t, err.Error(), "s3cr3t")
		})
	}
}
