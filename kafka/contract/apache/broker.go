package apache

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"dtok/kafka/contract/child"
	"dtok/kafka/contract/raw"
)

var errPortTaken = errors.New("a port was taken by another process")

// jvm are the flags of a small, short-lived Java process.
var jvm = []string{"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"}

// brokerJVM are the broker's flags unless Options has others.
var brokerJVM = append(jvm[:len(jvm):len(jvm)], "-Xmx128m")

// prepare writes the node's files and gets ready what it needs before it runs.
func (n *Node) prepare(ctx context.Context, cluster string) error {
	if err := n.writeFiles(); err != nil {
		return err
	}
	if !n.Release.ZooKeeper() {
		return n.format(ctx, cluster)
	}
	if err := n.startZooKeeper(ctx); err != nil {
		return err
	}
	if n.Release.users == intoZooKeeper {
		return n.usersInZooKeeper(ctx)
	}
	return nil
}

// furnish makes the users that are not there yet and gives ops its rights.
func (n *Node) furnish(ctx context.Context) error {
	if n.Release.users == throughBroker {
		if err := n.usersThroughBroker(ctx); err != nil {
			return err
		}
	}
	if err := n.insist(ctx, func() error { return n.grantOps(ctx) }); err != nil {
		return fmt.Errorf("rights of ops: %w", err)
	}
	return nil
}

// flags are what the JVM needs for this release and these options.
func (n *Node) flags() []string {
	flags := n.options.flags(n.Dir)
	for _, flag := range n.Release.flags {
		flags = append(flags, n.fill(flag))
	}
	return flags
}

func clusterID() string {
	var id [16]byte
	rand.Read(id[:])
	id[0] &= 0x3f // an id must not begin with a dash
	return base64.RawURLEncoding.EncodeToString(id[:])
}

// format prepares the storage, with the SCRAM users in it. Its output names
// their stored keys, so it is shown only when it fails.
func (n *Node) format(ctx context.Context, cluster string) error {
	args := append(append([]string{}, jvm...), n.flags()...)
	args = append(args, "-Xmx96m", "-cp", n.ClassPath, "kafka.tools.StorageTool", "format", "--ignore-formatted",
		"--cluster-id", cluster, "--config", filepath.Join(n.Dir, "server.properties"))
	if n.options.Metadata != "" {
		args = append(args, "--release-version", n.options.Metadata)
	}
	args = append(args, usersInFormat()...)
	if out, err := exec.CommandContext(ctx, "java", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("formatting Kafka's storage: %w\n%s", err, out)
	}
	return nil
}

// run starts the broker with its output going to kafka.log.
func (n *Node) run() error {
	log, err := n.openLog("kafka.log")
	if err != nil {
		return err
	}
	defer log.Close()
	flags := n.options.JVM
	if flags == nil {
		flags = brokerJVM
	}
	args := append(append([]string{}, flags...), n.flags()...)
	args = append(args, "-cp", n.ClassPath, "kafka.Kafka", filepath.Join(n.Dir, "server.properties"))
	n.process, err = child.Start(n.Dir, log, nil, "java", args...)
	return err
}

// ended says how a program ended while it was starting.
func (n *Node) ended(what string, p *child.Process, log string) error {
	said := n.read(log)
	if strings.Contains(said, "BindException") || strings.Contains(said, "Address already in use") {
		return fmt.Errorf("%w\n%s", errPortTaken, said)
	}
	return fmt.Errorf("%s ended while it was starting: %w\n%s", what, p.Err(), said)
}

// awaitReady waits until the super user can sign in.
func (n *Node) awaitReady(ctx context.Context) error {
	err := n.insist(ctx, func() error {
		c, err := n.dialAdmin(ctx)
		if err == nil {
			c.Close()
		}
		return err
	})
	if err != nil && !errors.Is(err, errPortTaken) {
		return fmt.Errorf("Apache Kafka does not serve clients: %w", err)
	}
	return err
}

func (n *Node) dialAdmin(ctx context.Context) (*raw.Conn, error) {
	return n.dialAs(ctx, raw.Credentials{Mechanism: raw.Plain, User: Admin, Password: Password(Admin)})
}

func (n *Node) dialAs(ctx context.Context, cred raw.Credentials) (*raw.Conn, error) {
	c, err := raw.Dial(ctx, n.Address(SASLPlaintext), nil)
	if err != nil {
		return nil, err
	}
	c.AuthenticateVersion = n.Release.Newest(36, c.AuthenticateVersion)
	if _, err := c.SignIn(cred); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}
