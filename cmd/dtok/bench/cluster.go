package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"
	"dtok/kafka/demo"
)

// The user who lists, and the one who owns what is listed.
const (
	lister = "admin"
	owner  = "alice"
)

// cluster is a broker to measure on.
type cluster struct {
	name    string
	dir     string // for client files
	address func(listener string) string
	ca      []byte
	// classPath is that of Kafka's own tools, "" where there are none.
	classPath string
	stop      func()
}

// listeners are those that the measurements use.
var listeners = []string{apache.SASLPlaintext, apache.SASLSSL}

// startCluster starts Apache Kafka where this machine can with a heap for
// thousands of tokens, and dtok's broker otherwise.
func (b *bench) startCluster(embedded bool) (*cluster, error) {
	dir, err := os.MkdirTemp(b.dir, "cluster")
	if err != nil {
		return nil, err
	}
	if !embedded {
		b.say("starting Apache Kafka")
		node, err := apache.Start(b.ctx, apache.Options{JVM: []string{"-server", "-XX:+UseG1GC", "-Xmx512m"}})
		if err == nil {
			return &cluster{name: "Apache Kafka " + node.Release.Version(), dir: dir, address: node.Address, ca: node.Authority.PEM(),
				classPath: node.ClassPath, stop: node.Stop}, nil
		}
		b.say("there is none to measure on: %v", err)
	}
	d, err := demo.Start(demo.Options{Bare: true})
	if err != nil {
		return nil, err
	}
	return &cluster{name: "the embedded broker", dir: dir, address: func(l string) string { return d.Address(demo.Listener(l)) },
		ca: d.CACert(), stop: d.Close}, nil
}

// file writes a client.properties for a listener, with SCRAM-SHA-256 as all
// clients here use it: half of a sign-in is hashing the password.
func (c *cluster) file(listener, address string) (string, error) {
	ca := filepath.Join(c.dir, "ca.pem")
	lines := []string{"bootstrap.servers=" + address, "security.protocol=" + listener, "sasl.mechanism=" + raw.ScramSHA256,
		fmt.Sprintf("sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username=%q password=%q;", lister, lister+"-secret")}
	if listener == apache.SASLSSL {
		lines = append(lines, "ssl.truststore.type=PEM", "ssl.truststore.location="+ca)
		if err := os.WriteFile(ca, c.ca, 0o600); err != nil {
			return "", err
		}
	}
	path := filepath.Join(c.dir, strings.ToLower(listener)+".properties")
	return path, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}

// commands are the command lines that list the owner's tokens, or everybody's,
// over a listener, at its own address or that of something before it.
type commands struct{ dtok, minimal command }

func (b *bench) commands(c *cluster, listener, address string, all bool) (commands, error) {
	file, err := c.file(listener, address)
	if err != nil {
		return commands{}, err
	}
	whose := owner
	dtok := []string{b.dtok, "tokens", "--command-config", file, "-u", owner}
	if all {
		whose, dtok = "", dtok[:4]
	}
	minimal := []string{b.minimal, "tokens", address, lister, lister + "-secret", whose}
	if listener == apache.SASLSSL {
		minimal = append(minimal, filepath.Join(c.dir, "ca.pem"))
	}
	return commands{command{"dtok tokens", dtok, 1, 1}, command{"franz-go client", minimal, 0, 1}}, nil
}

// dial signs a user in over TLS.
func (c *cluster) dial(ctx context.Context, user string) (*raw.Conn, error) {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(c.ca)
	conn, err := raw.Dial(ctx, c.address(apache.SASLSSL), &tls.Config{RootCAs: roots, ServerName: "localhost", MinVersion: tls.VersionTLS12})
	if err != nil {
		return nil, err
	}
	if _, err := conn.SignIn(raw.Credentials{Mechanism: raw.ScramSHA256, User: user, Password: user + "-secret"}); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// grow makes tokens of the owner until there are so many, and waits until the
// broker lists them.
func (b *bench) grow(c *cluster, have, want int) error {
	b.say("making %d tokens", want-have)
	conn, err := c.dial(b.ctx, owner)
	if err != nil {
		return err
	}
	defer conn.Close()
	for ; have < want; have++ {
		req := kmsg.NewPtrCreateDelegationTokenRequest()
		req.Version = 3
		req.MaxLifetimeMillis = (48 * time.Hour).Milliseconds()
		req.Renewers = []kmsg.CreateDelegationTokenRequestRenewer{{PrincipalType: "User", PrincipalName: "bob"}}
		resp, err := conn.Do(req)
		if err != nil {
			return err
		}
		if code := resp.(*kmsg.CreateDelegationTokenResponse).ErrorCode; code != 0 {
			return fmt.Errorf("making a token answers %d", code)
		}
	}
	for {
		req := kmsg.NewPtrDescribeDelegationTokenRequest()
		req.Version = 3
		resp, err := conn.Do(req)
		if err != nil {
			return err
		}
		if len(resp.(*kmsg.DescribeDelegationTokenResponse).TokenDetails) >= want {
			return nil
		}
		select {
		case <-b.ctx.Done():
			return b.ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// java is Kafka's own tool, started with the flags of kafka-run-class.sh, JMX
// among them, but for those of its log, and without the script's own time. It
// prints three lines and two for each token.
func (c *cluster) java(listener, file string) (command, error) {
	java, err := exec.LookPath("java")
	return command{"DelegationTokenCommand", []string{java, "-Xmx256M", "-server", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20",
		"-XX:InitiatingHeapOccupancyPercent=35", "-XX:+ExplicitGCInvokesConcurrent", "-XX:MaxInlineLevel=15", "-Djava.awt.headless=true",
		"-Dcom.sun.management.jmxremote=true", "-Dcom.sun.management.jmxremote.authenticate=false", "-Dcom.sun.management.jmxremote.ssl=false",
		"-cp", c.classPath, "org.apache.kafka.tools.DelegationTokenCommand", "--bootstrap-server", c.address(listener),
		"--command-config", file, "--describe", "--owner-principal", "User:" + owner}, 3, 2}, err
}

// kcl is franz-go's command line client.
func (b *bench) kclCommand(c *cluster, listener string) (command, error) {
	text := fmt.Sprintf("seed_brokers = [%q]\n[sasl]\nmethod = \"scram-sha-256\"\nuser = %q\npass = %q\n", c.address(listener), lister, lister+"-secret")
	if listener == apache.SASLSSL {
		text += fmt.Sprintf("[tls]\nca_cert_path = %q\n", filepath.Join(c.dir, "ca.pem"))
	}
	path := filepath.Join(c.dir, strings.ToLower(listener)+".toml")
	return command{"kcl", []string{b.kcl, "--config-path", path, "dtoken", "describe", "-o", "User:" + owner}, 1, 1},
		os.WriteFile(path, []byte(text), 0o600)
}
