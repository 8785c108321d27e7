package apache

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dtok/kafka/contract/child"
)

// Member is one node of a group.
type Member struct {
	// Roles are those of KRaft: "broker", "controller" or "broker,controller".
	Roles string
	// Set replaces lines of server.properties, after Options.Set.
	Set map[string]string
}

// StartGroup starts a KRaft cluster of several nodes, numbered from 1 in the
// order of the members, and returns when its brokers serve clients. Options.Dir
// is not for groups.
func StartGroup(ctx context.Context, o Options, members ...Member) ([]*Node, error) {
	release, err := FindRelease(o.Release)
	if err != nil {
		return nil, err
	}
	if len(members) > 1 && (release.ZooKeeper() || o.Dir != "") {
		return nil, errors.New("only temporary KRaft clusters have several nodes")
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	classPath, err := Libs(ctx, release)
	if err != nil {
		return nil, err
	}
	// Ports are free when they are chosen; another process can take one before
	// Kafka does, so that a start gets a second and a third chance.
	for try := 1; ; try++ {
		nodes, err := startGroup(ctx, o, release, classPath, members)
		if err == nil || try == 3 || !errors.Is(err, errPortTaken) {
			return nodes, err
		}
	}
}

func startGroup(ctx context.Context, o Options, release Release, classPath string, members []Member) (nodes []*Node, err error) {
	defer func() {
		if err != nil {
			for _, n := range nodes {
				n.Stop()
			}
			nodes = nil
		}
	}()
	authority, err := NewAuthority()
	if err != nil {
		return nil, err
	}
	var voters []string
	for i, m := range members {
		n := &Node{Dir: o.Dir, Release: release, ClassPath: classPath, Authority: authority, temporary: o.Dir == "",
			options: o, id: i + 1, roles: m.Roles, set: m.Set}
		nodes = append(nodes, n)
		if err := n.makeDir(); err != nil {
			return nodes, err
		}
		if n.ports, err = child.FreePorts(names(o.listeners(), controller, zooKeeper)...); err != nil {
			return nodes, err
		}
		if n.key, n.cert, err = authority.Server(); err != nil {
			return nodes, err
		}
		if strings.Contains(m.Roles, "controller") {
			voters = append(voters, fmt.Sprintf("%d@127.0.0.1:%d", n.id, n.ports[controller]))
		}
	}
	cluster := clusterID()
	for _, n := range nodes {
		n.voters = strings.Join(voters, ",")
		if err := n.prepare(ctx, cluster); err != nil {
			return nodes, err
		}
	}
	for _, n := range nodes {
		if err := n.run(); err != nil {
			return nodes, err
		}
	}
	first := true
	for _, n := range nodes {
		if !n.serves() {
			continue
		}
		if err := n.awaitReady(ctx); err != nil {
			return nodes, err
		}
		if first {
			if err := n.furnish(ctx); err != nil {
				return nodes, err
			}
		}
		first = false
	}
	return nodes, nil
}
