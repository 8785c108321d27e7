package e2e

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka/contract/raw"
)

// broker is a `dtok demo --serve` of its own.
type broker struct {
	testing.TB
	cmd *exec.Cmd
	// address and properties are what it printed for each listener.
	address    map[string]string
	properties map[string]string
}

// Listeners by the name that the broker prints.
const (
	saslSSL       = "SASL_SSL"
	saslPlaintext = "SASL_PLAINTEXT"
)

func serve(t testing.TB, scenario string) *broker {
	t.Helper()
	if err := onSources(); err != nil {
		t.Fatal(err)
	}
	b := &broker{TB: t, address: map[string]string{}, properties: map[string]string{}}
	b.cmd = exec.Command(program, "demo", "--serve", "--scenario", scenario)
	b.cmd.Stderr = os.Stderr
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = b.cmd.Process.Signal(syscall.SIGTERM)
		_ = b.cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	listener := ""
	for lines.Scan() {
		line := lines.Text()
		switch words := strings.Fields(line); {
		case strings.HasPrefix(line, "# client.properties for "):
			listener = words[len(words)-1]
		case listener == "" && len(words) == 2 && strings.Contains(words[1], ":"):
			b.address[words[0]] = words[1]
		case listener != "" && line != "":
			b.properties[listener] += line + "\n"
		}
		if listener == saslSSL && strings.HasPrefix(line, "ssl.truststore.certificates=") {
			return b
		}
	}
	t.Fatalf("dtok demo --serve ended early: %v", lines.Err())
	return nil
}

// flags write a client.properties for a user and give the flags that name it.
func (b *broker) flags(listener, user string) []string {
	b.Helper()
	text := strings.NewReplacer(`username="ops"`, `username="`+user+`"`, `password="ops-secret"`, `password="`+user+`-secret"`).
		Replace(b.properties[listener])
	if text == "" {
		b.Fatalf("the broker has no listener %s", listener)
	}
	file := filepath.Join(b.TempDir(), "client.properties")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return []string{"--command-config", file}
}

// as signs another client in. It speaks with the messages of franz-go, so that
// nothing of dtok's own client takes part.
func (b *broker) as(user string) *raw.Conn {
	b.Helper()
	c, err := raw.Dial(context.Background(), b.address[saslSSL], &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	if _, err := c.SignIn(raw.Credentials{Mechanism: raw.ScramSHA256, User: user, Password: user + "-secret"}); err != nil {
		b.Fatal(err)
	}
	return c
}

// token is a token whose HMAC the test knows.
type token struct {
	id   string
	hmac []byte
}

// text is the HMAC as people see it.
func (k token) text() string { return base64.StdEncoding.EncodeToString(k.hmac) }

// create makes a token over the wire.
func (b *broker) create(user string, renewers ...string) token {
	b.Helper()
	req := kmsg.NewPtrCreateDelegationTokenRequest()
	req.Version = 3
	req.MaxLifetimeMillis = (48 * time.Hour).Milliseconds()
	for _, r := range renewers {
		req.Renewers = append(req.Renewers, kmsg.CreateDelegationTokenRequestRenewer{PrincipalType: "User", PrincipalName: r})
	}
	resp, err := b.as(user).Do(req)
	if err != nil {
		b.Fatal(err)
	}
	made := resp.(*kmsg.CreateDelegationTokenResponse)
	if made.ErrorCode != 0 {
		b.Fatalf("creating a token answers %d", made.ErrorCode)
	}
	k := token{made.TokenID, made.HMAC}
	b.await(k.id)
	return k
}

// tokens are all tokens that the super user sees, with their HMACs.
func (b *broker) tokens() []token {
	b.Helper()
	req := kmsg.NewPtrDescribeDelegationTokenRequest()
	req.Version = 3
	resp, err := b.as("admin").Do(req)
	if err != nil {
		b.Fatal(err)
	}
	var all []token
	for _, d := range resp.(*kmsg.DescribeDelegationTokenResponse).TokenDetails {
		all = append(all, token{d.TokenID, bytes.Clone(d.HMAC)})
	}
	if len(all) == 0 {
		b.Fatal("the super user sees no token")
	}
	return all
}

// await waits until the broker lists a token.
func (b *broker) await(id string) { b.Helper(); b.until(id, true) }

// awaitGone waits until the broker lists it no more.
func (b *broker) awaitGone(id string) { b.Helper(); b.until(id, false) }

func (b *broker) until(id string, listed bool) {
	b.Helper()
	deadline := time.Now().Add(patience)
	for b.has(id) != listed {
		if time.Now().After(deadline) {
			b.Fatalf("token %s: listed is not %v", id, listed)
		}
	}
}

func (b *broker) has(id string) bool {
	b.Helper()
	return slices.ContainsFunc(b.tokens(), func(k token) bool { return k.id == id })
}
