package contract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"dtok/kafka"
	"dtok/kafka/contract/apache"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// group is a cluster of three nodes, each broker and controller.
type group struct {
	*env  // on the first node
	nodes []*apache.Node
}

func startThree(t *testing.T) group {
	needNewest(t, "what three nodes do differs no more from release to release")
	both := apache.Member{Roles: "broker,controller"}
	nodes := startNodes(t, apache.Options{}, both, both, both)
	return group{on(t, nodes[0]), nodes}
}

// dtokAt is a client of dtok with the nodes as bootstrap addresses in this
// order.
func (g group) dtokAt(nodes ...*apache.Node) *kafka.Client {
	g.Helper()
	s := kafka.Settings{Protocol: kafka.SASLPlaintext, SASL: g.credentials("alice")}
	for _, n := range nodes {
		s.Bootstrap = append(s.Bootstrap, n.Address(apache.SASLPlaintext))
	}
	c, err := kafka.Dial(context.Background(), s)
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(c.Close)
	return c
}

// leader is the index of the node that is the active controller.
func (g group) leader() int {
	g.Helper()
	req := kmsg.NewPtrDescribeQuorumRequest()
	topic, partition := kmsg.NewDescribeQuorumRequestTopic(), kmsg.NewDescribeQuorumRequestTopicPartition()
	topic.Topic, topic.Partitions = "__cluster_metadata", append(topic.Partitions, partition)
	req.Topics = append(req.Topics, topic)
	resp, err := g.admin().conn.Do(req)
	if err != nil {
		g.Fatal(err)
	}
	quorum := resp.(*kmsg.DescribeQuorumResponse)
	if quorum.ErrorCode != 0 || len(quorum.Topics) != 1 {
		g.Fatalf("%+v", quorum)
	}
	return int(quorum.Topics[0].Partitions[0].LeaderID) - 1
}

// others are the nodes but one.
func (g group) others(i int) []*apache.Node {
	return append(append([]*apache.Node{}, g.nodes[:i]...), g.nodes[i+1:]...)
}

// TestThreeNodesOnKafka is one test, because such a cluster takes long to start: the
// later parts kill the node that the earlier ones have used.
func TestThreeNodesOnKafka(t *testing.T) {
	g := startThree(t)
	alice := kafka.UserPrincipal("alice")

	t.Run("a change right after a creation waits for it to arrive", func(t *testing.T) {
		e := on(t, g.nodes[0])
		w := waiting{T: t}
		for range 3 {
			for _, node := range g.nodes {
				c := g.dtokAt(node)
				made := e.createToken(c, kafka.CreateRequest{})
				w.ends("sign-in", func() error {
					_, err := c.TestSignIn(t.Context(), made.Token, made.HMAC.Clone())
					return err
				})
				w.ends("renew", func() error {
					_, err := c.RenewToken(t.Context(), kafka.RenewRequest{Token: made.Token, HMAC: made.HMAC.Clone()})
					return err
				})
				for _, other := range g.nodes {
					reader := g.dtokAt(other)
					e.await("every node lists the token", arrival, func() bool {
						for _, listed := range e.listTokens(reader, alice) {
							if listed.ID == made.Token.ID {
								return true
							}
						}
						return false
					})
				}
				w.ends("expire", func() error {
					_, err := c.ExpireToken(t.Context(), kafka.ExpireRequest{Token: made.Token, HMAC: made.HMAC.Clone()})
					return err
				})
			}
		}
		if w.done < 3 {
			t.Errorf("only %d changes found their token in time", w.done)
		}
	})

	lead := g.leader()
	left := g.others(lead)
	there := g.dtokAt(append([]*apache.Node{g.nodes[lead]}, left...)...)
	equal(g.env, "address", there.Session().Address, g.nodes[lead].Address(apache.SASLPlaintext))
	elsewhere := g.dtokAt(left...)

	// The controller dies while changes are under way on another node.
	sent, done := make(chan attempt), make(chan struct{})
	go func() {
		defer close(sent)
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
				sent <- create(elsewhere, fmt.Sprintf("mark-%d", i))
			}
		}
	}()
	var attempts []attempt
	for a := range sent {
		attempts = append(attempts, a)
		switch {
		case len(attempts) == 5:
			g.nodes[lead].Kill()
		case len(attempts) == 15:
			close(done)
		}
	}

	t.Run("readings go on at another node", func(t *testing.T) {
		e := on(t, left[0])
		if len(e.listTokens(there, alice)) == 0 {
			t.Error("no token is listed")
		}
		equal(e, "address is that of the dead node", there.Session().Address == g.nodes[lead].Address(apache.SASLPlaintext), false)
		made := e.createToken(there, kafka.CreateRequest{})
		// A group that has just lost its controller takes its time, perhaps
		// more than the five seconds for which dtok waits.
		e.await("the token is renewed", arrival, func() bool {
			_, err := there.RenewToken(t.Context(), kafka.RenewRequest{Token: made.Token, HMAC: made.HMAC.Clone()})
			_, unlisted := errors.AsType[*kafka.GoneError](err)
			refused, ok := errors.AsType[*kafka.RefusedError](err)
			if err != nil && !unlisted && (!ok || refused.Code != kafka.CodeTokenNotFound) {
				t.Fatal(err)
			}
			return err == nil
		})
	})
	t.Run("no change is made twice when the controller moves", func(t *testing.T) {
		e := on(t, left[0])
		e.createToken(elsewhere, kafka.CreateRequest{Renewers: []kafka.Principal{kafka.UserPrincipal("last")}})
		e.await("all that was made before is listed", arrival, func() bool { return count(e, elsewhere, "last") == 1 })
		words := map[outcomeKind]int{}
		for _, a := range attempts {
			words[a.kind]++
			n := count(e, elsewhere, a.mark)
			if a.kind == wasDone && n != 1 || a.kind == wasRefused && n != 0 || n > 1 {
				t.Errorf("%s was %s (%v), and there are %d tokens of it", a.mark, a.kind, a.err, n)
			}
		}
		t.Logf("outcomes: %v", words)
		if words[wasDone] < 6 {
			t.Errorf("only %d of %d creations were done", words[wasDone], len(attempts))
		}
	})
}

// waiting watches how dtok waits for a token that is not known yet. It gives up
// after five seconds, which a busy machine may need and more; giving up earlier
// is a fault.
type waiting struct {
	*testing.T
	done int
}

const patience = 5 * time.Second

func (w *waiting) ends(what string, change func() error) {
	w.Helper()
	began := time.Now()
	switch err := change(); {
	case err == nil:
		w.done++
	case time.Since(began) < patience:
		w.Errorf("%s after %v: %v", what, time.Since(began), err)
	default:
		w.Logf("the machine is too slow: %s after %v: %v", what, time.Since(began), err)
	}
}

// outcomeKind is what dtok said of a change.
type outcomeKind string

const (
	wasDone    outcomeKind = "done"
	wasRefused outcomeKind = "refused or not sent"
	wasUnknown outcomeKind = "unknown"
)

// attempt is one creation, which a renewer of its own name marks.
type attempt struct {
	mark string
	kind outcomeKind
	err  error
}

func create(c *kafka.Client, mark string) attempt {
	made, err := c.CreateToken(context.Background(), kafka.CreateRequest{Renewers: []kafka.Principal{kafka.UserPrincipal(mark)}})
	_, unknown := errors.AsType[*kafka.UnknownOutcomeError](err)
	switch {
	case err == nil:
		made.HMAC.Destroy()
		return attempt{mark, wasDone, nil}
	case unknown:
		return attempt{mark, wasUnknown, err}
	}
	return attempt{mark, wasRefused, err}
}

// count is the number of tokens with that renewer.
func count(e *env, c *kafka.Client, mark string) (n int) {
	e.Helper()
	for _, t := range e.listTokens(c, kafka.UserPrincipal("alice")) {
		if t.ManagedBy(kafka.UserPrincipal(mark)) {
			n++
		}
	}
	return n
}

// slowWanted is the environment variable that make test-kafka-all sets.
const slowWanted = "DTOK_KAFKA_ALL"

// TestControllerGoneOnKafka: without a controller brokers list tokens and let them
// sign in, and answer a change after a minute with 7, which does not tell
// whether it will be done.
func TestControllerGoneOnKafka(t *testing.T) {
	needNewest(t, "it takes a minute")
	if os.Getenv(slowWanted) == "" {
		t.Skip("it takes a minute: make test-kafka-all runs it")
	}
	nodes := startNodes(t, apache.Options{}, apache.Member{Roles: "controller"}, apache.Member{Roles: "broker"})
	e := on(t, nodes[1])
	c := e.dtok("alice")
	made := e.createToken(c, kafka.CreateRequest{})
	e.await("the token is listed", arrival, func() bool { return len(e.listTokens(c, made.Token.Owner)) == 1 })
	nodes[0].Kill()
	equal(e, "tokens listed", len(e.listTokens(c, made.Token.Owner)), 1)
	if _, err := c.TestSignIn(t.Context(), made.Token, made.HMAC.Clone()); err != nil {
		t.Error(err)
	}
	before := time.Now()
	_, err := c.CreateToken(t.Context(), kafka.CreateRequest{})
	expect[*kafka.UnknownOutcomeError](e, err)
	within(e, "seconds until the answer", int64(time.Since(before).Seconds()), 55, 69)
	equal(e, "tokens listed afterwards", len(e.listTokens(c, made.Token.Owner)), 1)
}
