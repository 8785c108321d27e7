package apache

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"dtok/kafka/contract/child"
)

// zooKeeper names ZooKeeper's port.
const zooKeeper = "ZOOKEEPER"

// startZooKeeper starts the node's own ZooKeeper and waits until it listens.
func (n *Node) startZooKeeper(ctx context.Context) error {
	log, err := n.openLog("zookeeper.log")
	if err != nil {
		return err
	}
	defer log.Close()
	// Its administration server would want port 8080; its JMX beans want a
	// class that reload4j does not have.
	args := append(append([]string{}, jvm...), n.flags()...)
	args = append(args, "-Xmx64m", "-Dzookeeper.admin.enableServer=false", "-Dzookeeper.jmx.log4j.disable=true",
		"-cp", n.ClassPath, "org.apache.zookeeper.server.quorum.QuorumPeerMain", filepath.Join(n.Dir, "zoo.cfg"))
	if n.zooKeeper, err = child.Start(n.Dir, log, nil, "java", args...); err != nil {
		return err
	}
	every := time.NewTicker(20 * time.Millisecond)
	defer every.Stop()
	for {
		c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(n.ports[zooKeeper])))
		if err == nil {
			return c.Close()
		}
		select {
		case <-n.zooKeeper.Done():
			return n.ended("ZooKeeper", n.zooKeeper, "zookeeper.log")
		case <-ctx.Done():
			return fmt.Errorf("ZooKeeper does not serve: %w\n%s", err, n.read("zookeeper.log"))
		case <-every.C:
		}
	}
}
