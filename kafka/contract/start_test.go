package contract

import (
	"context"
	"testing"

	"dtok/kafka/contract/apache"
)

// startNode starts a node of the wanted release for one test.
func startNode(t *testing.T, o apache.Options) *apache.Node {
	t.Helper()
	return startNodes(t, o, apache.Member{Roles: "broker,controller"})[0]
}

// startNodes starts a cluster of the wanted release for one test.
func startNodes(t *testing.T, o apache.Options, members ...apache.Member) []*apache.Node {
	t.Helper()
	o.Release = needKafka(t).Name
	nodes, err := apache.StartGroup(context.Background(), o, members...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for i, node := range nodes {
			if t.Failed() {
				t.Logf("log of node %d:\n%s", i+1, node.Log())
			}
			node.Stop()
		}
	})
	return nodes
}
