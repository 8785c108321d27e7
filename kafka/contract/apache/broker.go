package apache

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dtok/kafka/contract/child"
	"dtok/kafka/contract/raw"
)

var errPortTaken = errors.New("a port was taken by another process")

// jvm are the flags of a small, short-lived Java process.
var jvm = []string{"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"}

// heap is enough for a node with some thousands of tokens.
const heap = "-Xmx128m"

// writeFiles writes server.properties and the PEM files it names.
func (n *Node) writeFiles(o Options) error {
	home, err := Home()
	if err != nil {
		return err
	}
	template, err := os.ReadFile(filepath.Join(home, "server.properties"))
	if err != nil {
		return err
	}
	key, cert, err := n.Authority.Server()
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"server.properties": n.properties(string(template), o),
		"server.pem":        joinPEM(key, cert),
		"ca.pem":            n.Authority.PEM(),
	}
	if o.OAuth != nil {
		files["jwks.json"] = o.OAuth.JWKS
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(n.Dir, name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (n *Node) properties(template string, o Options) []byte {
	set := o.Set
	plain := make([]string, len(Users))
	for i, user := range Users {
		plain[i] = fmt.Sprintf("user_%s=%q", user, Password(user))
	}
	fill := []string{"@DIR@", n.Dir, "@PLAIN_USERS@", strings.Join(plain, " ")}
	for name, port := range n.ports {
		fill = append(fill, "@"+name+"@", strconv.Itoa(port))
	}
	var b strings.Builder
	for line := range strings.Lines(strings.NewReplacer(fill...).Replace(template)) {
		key, _, _ := strings.Cut(line, "=")
		line = o.extend(key, line, n.ports)
		if _, replaced := set[key]; !replaced {
			b.WriteString(line)
		}
	}
	for _, line := range o.mechanismLines(n.Dir) {
		b.WriteString(line + "\n")
	}
	for key, value := range set {
		if value != "" {
			fmt.Fprintf(&b, "%s=%s\n", key, value)
		}
	}
	return []byte(b.String())
}

// format prepares the storage, with the SCRAM users in it. Its output names
// their stored keys, so it is shown only when it fails.
func (n *Node) format(ctx context.Context, o Options) error {
	var id [16]byte
	rand.Read(id[:])
	id[0] &= 0x3f // an id must not begin with a dash
	args := append([]string{}, jvm...)
	args = append(args, "-Xmx96m", "-cp", n.ClassPath, "kafka.tools.StorageTool", "format", "--ignore-formatted",
		"--cluster-id", base64.RawURLEncoding.EncodeToString(id[:]), "--config", filepath.Join(n.Dir, "server.properties"))
	if o.Metadata != "" {
		args = append(args, "--release-version", o.Metadata)
	}
	for _, user := range Users {
		for _, mechanism := range []string{raw.ScramSHA256, raw.ScramSHA512} {
			args = append(args, "--add-scram", fmt.Sprintf("%s=[name=%s,password=%s]", mechanism, user, Password(user)))
		}
	}
	if out, err := exec.CommandContext(ctx, "java", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("formatting Kafka's storage: %w\n%s", err, out)
	}
	return nil
}

// run starts the broker with its output going to kafka.log.
func (n *Node) run(o Options) error {
	home, err := Home()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(n.Dir, "kafka.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	args := append(append([]string{}, jvm...), o.flags(n.Dir)...)
	args = append(args, heap, "-Dlog4j2.configurationFile="+filepath.Join(home, "log4j2.properties"),
		"-cp", n.ClassPath, "kafka.Kafka", filepath.Join(n.Dir, "server.properties"))
	n.process, err = child.Start(n.Dir, log, nil, "java", args...)
	return err
}

// awaitReady waits until the super user can sign in and gets an answer.
func (n *Node) awaitReady(ctx context.Context) error {
	every := time.NewTicker(50 * time.Millisecond)
	defer every.Stop()
	var last error
	for {
		c, err := n.dialAdmin(ctx)
		if err == nil {
			c.Close()
			return nil
		}
		last = err
		select {
		case <-n.process.Done():
			log := n.Log()
			if strings.Contains(log, "BindException") || strings.Contains(log, "Address already in use") {
				return fmt.Errorf("%w\n%s", errPortTaken, log)
			}
			return fmt.Errorf("Apache Kafka ended while it was starting: %v\n%s", n.process.Err(), log)
		case <-ctx.Done():
			return fmt.Errorf("Apache Kafka does not serve clients: %w (last: %v)\n%s", ctx.Err(), last, n.Log())
		case <-every.C:
		}
	}
}

func (n *Node) dialAdmin(ctx context.Context) (*raw.Conn, error) {
	c, err := raw.Dial(ctx, n.Address(SASLPlaintext), nil)
	if err != nil {
		return nil, err
	}
	if _, err := c.SignIn(raw.Credentials{Mechanism: raw.Plain, User: Admin, Password: Password(Admin)}); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}
