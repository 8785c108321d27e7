package config

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// handshake runs a TLS handshake of a client with the settings of a file
// against a server, and says what the client saw and whom the server saw.
func handshake(t *testing.T, file, host string, server *tls.Config) (tls.ConnectionState, []*x509.Certificate, error) {
	t.Helper()
	c := mustRead(t, file)
	near, far := net.Pipe()
	defer func() { _ = near.Close() }()
	seen := make(chan []*x509.Certificate, 1)
	go func() {
		conn := tls.Server(far, server)
		_ = conn.Handshake()
		// One byte from the server, so that the client learns of a refused
		// certificate in TLS 1.3 as well.
		_, _ = conn.Write([]byte{1})
		seen <- conn.ConnectionState().PeerCertificates
		_ = conn.Close()
	}()
	c.TLS.ServerName = host
	conn := tls.Client(near, c.TLS)
	_, err := conn.Read(make([]byte, 1))
	_ = near.Close()
	return conn.ConnectionState(), <-seen, err
}

func TestHandshake(t *testing.T) {
	dir := t.TempDir()
	root := (*authority)(nil).issue(t, "root", true)
	middle := root.issue(t, "middle", true)
	broker := middle.issue(t, "broker", false, "kafka.test", "127.0.0.1")
	stranger := (*authority)(nil).issue(t, "stranger", true)
	client := middle.issue(t, "client", false)
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	base := "security.protocol=SSL\n"
	trust := base + "ssl.truststore.type=PEM\nssl.truststore.location="
	good := trust + file("root.pem", root.pem) + "\n"
	wrong := trust + file("stranger.pem", stranger.pem) + "\n"
	leafTrusted := trust + file("leaf.pem", broker.pem) + "\n"
	anyName := "ssl.endpoint.identification.algorithm=\n"
	server := func(change func(*tls.Config)) *tls.Config {
		c := &tls.Config{Certificates: []tls.Certificate{{
			Certificate: [][]byte{broker.cert.Raw, middle.cert.Raw}, PrivateKey: broker.key}}}
		if change != nil {
			change(c)
		}
		return c
	}
	plain := server(nil)
	wantClient := server(func(c *tls.Config) {
		c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		c.ClientCAs.AddCert(root.cert)
	})
	old := server(func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 })
	pair := "ssl.keystore.type=PEM\nssl.keystore.location=" + file("client.pem", keyPEM(t, client.key)+middle.pem+client.pem) + "\n"

	for _, tt := range []struct {
		name, file, host string
		server           *tls.Config
		want             string // a part of the error
		version          uint16 // 0: any
	}{
		{"trusted", good, "kafka.test", plain, "", tls.VersionTLS13},
		{"trusted address", good, "127.0.0.1", plain, "", 0},
		{"other host name", good, "other.test", plain, "not other.test", 0},
		{"other host name, check off", good + anyName, "other.test", plain, "", 0},
		{"unknown CA", wrong, "kafka.test", plain, "unknown authority", 0},
		{"unknown CA, host name check off", wrong + anyName, "kafka.test", plain, "unknown authority", 0},
		{"system CAs, host name check off", base + anyName, "kafka.test", plain, "unknown authority", 0},
		{"the certificate itself is trusted", leafTrusted, "kafka.test", plain, "", 0},
		{"none is librdkafka's word", good + "ssl.endpoint.identification.algorithm=none\n", "other.test", plain, "", 0},
		{"HTTPS in capitals", good + "ssl.endpoint.identification.algorithm=HTTPS\n", "other.test", plain, "not other.test", 0},
		{"client certificate wanted, none given", good, "kafka.test", wantClient, "certificate", 0},
		{"client certificate", good + pair, "kafka.test", wantClient, "", 0},
		{"TLS 1.2 only", good + "ssl.enabled.protocols=TLSv1.2\n", "kafka.test", plain, "", tls.VersionTLS12},
		{"TLS 1.3 only, old broker", good + "ssl.enabled.protocols=TLSv1.3\n", "kafka.test", old, "protocol version", 0},
		{"ceiling", good + "ssl.protocol=TLSv1.2\n", "kafka.test", plain, "", tls.VersionTLS12},
		{"Java's names for all versions", good + "ssl.protocol=TLS\nssl.enabled.protocols= TLSv1.2 , TLSv1.3 \n", "kafka.test", plain, "", tls.VersionTLS13},
		{"old broker", good, "kafka.test", old, "", tls.VersionTLS12},
		{"suites of TLS 1.2", good + "ssl.cipher.suites=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384\n", "kafka.test", plain, "", tls.VersionTLS12},
		{"suites of TLS 1.3", good + "ssl.cipher.suites=TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384,TLS_CHACHA20_POLY1305_SHA256\n", "kafka.test", plain, "", tls.VersionTLS13},
		{"suite that the broker does not choose", good + "ssl.cipher.suites=TLS_CHACHA20_POLY1305_SHA256\nssl.enabled.protocols=TLSv1.3\n", "kafka.test", plain, "which ssl.cipher.suites does not list", 0},
		{"suite that the broker lacks", good + "ssl.cipher.suites=TLS_RSA_WITH_AES_128_GCM_SHA256\n", "kafka.test", plain, "handshake failure", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			state, peer, err := handshake(t, tt.file, tt.host, tt.server)
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("got %v, want …%s", err, tt.want)
				}
				var unverified *tls.CertificateVerificationError
				if strings.Contains(tt.name, "unknown CA") && !errors.As(err, &unverified) {
					t.Errorf("%T is not what crypto/tls returns", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if tt.version != 0 && state.Version != tt.version {
				t.Errorf("version %s", tls.VersionName(state.Version))
			}
			if tt.server == wantClient && (len(peer) != 2 || !peer[0].Equal(client.cert) || !peer[1].Equal(middle.cert)) {
				t.Errorf("the server saw %d certificates", len(peer))
			}
		})
	}
}
