// Package apache starts a single node of real Apache Kafka for tests and for
// trying dtok out: broker and controller in one, all kinds of listeners, free
// ports, certificates made on the spot, a temporary folder. It needs Java 17
// and, the first time, Maven.
package apache

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"dtok/kafka/contract/child"
)

// The listeners of a node.
const (
	Plaintext     = "PLAINTEXT"
	SASLPlaintext = "SASL_PLAINTEXT"
	SASLSSL       = "SASL_SSL"
	SSL           = "SSL"         // one-way: clients have no certificate
	MTLS          = "MTLS"        // principal is the certificate's whole subject
	MTLSMapped    = "MTLS_MAPPED" // principal is a leading CN, in lower case
	controller    = "CONTROLLER"
)

var listeners = []string{controller, Plaintext, SASLPlaintext, SASLSSL, SSL, MTLS, MTLSMapped}

// Admin is the super user.
const Admin = "admin"

// Users can sign in with PLAIN and SCRAM. Admin is the only super user.
var Users = []string{Admin, "ops", "alice", "bob", "carol", "spark-etl", "flink-orders"}

// Password is the password of one of Users.
func Password(user string) string { return user + "-secret" }

// Options choose a node that differs from the usual one.
type Options struct {
	// Version is the release; "" is Version.
	Version string
	// Metadata is the metadata.version that the storage is formatted with,
	// such as "3.5"; "" is the release's own.
	Metadata string
	// Set replaces lines of server.properties; an empty value removes one.
	Set map[string]string
	// OAuth adds the listeners OAUTH and OAUTH_JWKS.
	OAuth *OAuth
	// Kerberos adds the listener KERBEROS.
	Kerberos *Kerberos
	// Dir is where the node keeps its files. It is emptied first and kept
	// afterwards. "" is a temporary folder that Stop removes.
	Dir string
}

// Node is a running broker.
type Node struct {
	// Dir holds its files: server.properties, kafka.log, ca.pem.
	Dir string
	// ClassPath is for Kafka's command line tools.
	ClassPath string
	// Authority signed its certificate and signs those of clients.
	Authority *Authority

	ports     map[string]int
	process   *child.Process
	temporary bool
}

// startTime bounds a start, which takes about three seconds on an idle machine.
const startTime = 3 * time.Minute

// Start starts a node and returns when it serves clients and the user ops has
// its rights. The caller stops it; should the caller die first, the node dies
// with it.
func Start(ctx context.Context, o Options) (*Node, error) {
	if o.Version == "" {
		o.Version = Version
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	classPath, err := Libs(ctx, o.Version)
	if err != nil {
		return nil, err
	}
	// Ports are free when they are chosen; another process can take one before
	// Kafka does, so that a start gets a second and a third chance.
	for try := 1; ; try++ {
		n, err := start(ctx, o, classPath)
		if err == nil || try == 3 || !errors.Is(err, errPortTaken) {
			return n, err
		}
	}
}

func start(ctx context.Context, o Options, classPath string) (n *Node, err error) {
	n = &Node{Dir: o.Dir, ClassPath: classPath, temporary: o.Dir == ""}
	defer func() {
		if err != nil {
			n.Stop()
			n = nil
		}
	}()
	if err := n.makeDir(); err != nil {
		return n, err
	}
	if n.ports, err = child.FreePorts(o.listeners()...); err != nil {
		return n, err
	}
	if n.Authority, err = NewAuthority(); err != nil {
		return n, err
	}
	if err := n.writeFiles(o); err != nil {
		return n, err
	}
	if err := n.format(ctx, o); err != nil {
		return n, err
	}
	if err := n.run(o); err != nil {
		return n, err
	}
	if err := n.awaitReady(ctx); err != nil {
		return n, err
	}
	return n, n.grantOps(ctx)
}

// Address is where a listener listens, such as "127.0.0.1:39094".
func (n *Node) Address(listener string) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(n.ports[listener]))
}

// Stop ends the node by its own process id and removes its temporary folder.
func (n *Node) Stop() {
	if n.process != nil {
		n.process.Kill()
	}
	if n.temporary && n.Dir != "" {
		os.RemoveAll(n.Dir)
	}
}

// Done is closed when the node's process has ended.
func (n *Node) Done() <-chan struct{} { return n.process.Done() }

// Log is what the broker wrote.
func (n *Node) Log() string {
	b, err := os.ReadFile(filepath.Join(n.Dir, "kafka.log"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err.Error()
	}
	return string(b)
}

// makeDir makes the node's folder.
func (n *Node) makeDir() error {
	if !n.temporary {
		if err := os.RemoveAll(n.Dir); err != nil {
			return err
		}
		return os.MkdirAll(n.Dir, 0o700)
	}
	var err error
	n.Dir, err = child.Folder("dtok-kafka-")
	return err
}
