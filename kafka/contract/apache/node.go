// Package apache starts real Apache Kafka for tests and for trying dtok out: the
// releases from 1.0 to 4.4 that Releases lists, with KRaft or ZooKeeper, as one
// node or as a group of several, with all kinds of listeners, free ports,
// certificates made on the spot, and a temporary folder. It needs Java 17 and,
// the first time, Maven.
package apache

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"dtok/kafka/contract/child"
)

// Options choose a node that differs from the usual one.
type Options struct {
	// Release is the name of one of Releases; "" is the newest.
	Release string
	// Metadata is the metadata.version that the storage is formatted with,
	// such as "3.5"; "" is the release's own.
	Metadata string
	// Set replaces lines of server.properties; an empty value removes one.
	Set map[string]string
	// JVM replaces the flags of the broker's Java, which are those of a small,
	// short-lived process: enough for some thousands of tokens.
	JVM []string
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
	Dir     string
	Release Release
	// ClassPath is for Kafka's command line tools.
	ClassPath string
	// Authority signed its certificate and signs those of clients.
	Authority *Authority

	options   Options
	set       map[string]string // of this node, after Options.Set
	id        int
	roles     string // of KRaft
	voters    string // the controllers of KRaft
	key, cert []byte
	ports     map[string]int
	process   *child.Process
	zooKeeper *child.Process // nil on KRaft
	temporary bool
	spared    atomic.Int64
}

// startTime bounds a start, which takes about three seconds on an idle machine.
const startTime = 5 * time.Minute

// Start starts a node and returns when it serves clients and the user ops has
// its rights. The caller stops it; should the caller die first, the node dies
// with it.
func Start(ctx context.Context, o Options) (*Node, error) {
	nodes, err := StartGroup(ctx, o, Member{Roles: "broker,controller"})
	if err != nil {
		return nil, err
	}
	return nodes[0], nil
}

// serves reports whether the node is a broker.
func (n *Node) serves() bool { return n.Release.ZooKeeper() || strings.Contains(n.roles, "broker") }

// Address is where a listener listens, such as "127.0.0.1:39094".
func (n *Node) Address(listener string) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(n.ports[listener]))
}

// Kill ends the node's process and keeps its files, so that Restart can bring
// it back.
func (n *Node) Kill() {
	if n.process != nil {
		n.process.Kill()
	}
}

// Restart ends the node where it runs, replaces further lines of
// server.properties, as Options.Set does, and starts it with the same ports.
func (n *Node) Restart(ctx context.Context, set map[string]string) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	n.Kill()
	all := maps.Clone(n.set)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, set)
	n.set = all
	if err := n.writeFiles(); err != nil {
		return err
	}
	for {
		if err := n.run(); err != nil || !n.serves() {
			return err
		}
		err := n.awaitReady(ctx)
		if err == nil || n.zooKeeper == nil || ctx.Err() != nil {
			return err
		}
		// ZooKeeper keeps the place of a killed broker until its session is over,
		// and a new one that finds it taken ends.
		n.process.Kill()
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}

// Stop ends the node by its own process id and removes its temporary folder.
func (n *Node) Stop() {
	n.Kill()
	if n.zooKeeper != nil {
		n.zooKeeper.Kill()
	}
	if n.temporary && n.Dir != "" {
		os.RemoveAll(n.Dir)
	}
}

// Done is closed when the node's process has ended.
func (n *Node) Done() <-chan struct{} { return n.process.Done() }

// Log is what the broker wrote, and its ZooKeeper.
func (n *Node) Log() string { return n.read("kafka.log") + n.read("zookeeper.log") }

func (n *Node) read(name string) string {
	b, err := os.ReadFile(filepath.Join(n.Dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err.Error()
	}
	return string(b)
}

func (n *Node) openLog(name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(n.Dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
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
