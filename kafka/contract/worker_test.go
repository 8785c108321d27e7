package contract

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"testing"

	"dtok/kafka/contract/apache"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// TestWorkerOnKafka is what tokens are for: a job signs in with one and reads and
// writes as its owner may. The embedded broker has no topics, so this is of real
// Kafka alone; the steps are those of Kafka's own
// DelegationTokenEndToEndAuthorizationTest and delegation_token_test.py. Sessions
// last maxReauth, so that the job is signed in again while it works.
func TestWorkerOnKafka(t *testing.T) {
	needTokens(t)
	node := connectApache(t, reauth).(realCluster)
	for name, rules := range map[string]func(owner, topic string) []rule{
		"literal":  func(owner, topic string) []rule { return workerRules(owner, topic, false) },
		"prefixed": func(owner, topic string) []rule { return workerRules(owner, topic[:len(topic)-3], true) },
		"wildcard": func(owner, topic string) []rule { return workerRules(owner, "*", false) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			worksAsOwner(newScript(t, node, node.ClassPath), rules)
		})
	}
	t.Run("no rules", func(t *testing.T) {
		t.Parallel()
		refusedAsOwner(newScript(t, node, node.ClassPath))
	})
}

// workerRules let the owner write, read and make a topic, and read with a group
// of the same name.
func workerRules(owner, name string, prefixed bool) (rules []rule) {
	for _, operation := range []kmsg.ACLOperation{kmsg.ACLOperationRead, kmsg.ACLOperationWrite, kmsg.ACLOperationCreate} {
		r := topicRule("User:"+owner, name, operation)
		r.prefixed = prefixed
		rules = append(rules, r)
	}
	group := rules[0]
	group.resource = kmsg.ACLResourceTypeGroup
	return append(rules, group)
}

func worksAsOwner(s *script, rules func(owner, topic string) []rule) {
	owner, topic := s.user(), s.fresh("topic")
	s.admin().addRules(rules(owner, topic)...)
	s.settleRules()
	t := s.as(owner).newToken(newToken{})
	s.session(t)

	producer := s.worker(t, kgo.DefaultProduceTopic(topic), kgo.AllowAutoTopicCreation())
	for i := range 6 { // over more than two sessions
		if err := produce(s, producer, fmt.Sprint(i)); err != nil {
			s.Fatalf("record %d: %v", i, err)
		}
		s.Pass(maxReauth / 2)
	}
	begin := kgo.NewOffset().AtStart()
	assigned := s.worker(t, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: {0: begin}}))
	equal(s.env, "read from the partition", consume(s, assigned, 6), "012345")
	subscribed := s.worker(t, kgo.ConsumeTopics(topic), kgo.ConsumerGroup(topic), kgo.ConsumeResetOffset(begin))
	equal(s.env, "read in the group", consume(s, subscribed, 6), "012345")

	equal(s.env, "expire", s.as(owner).expire(t, -1).code, 0)
	s.await("the token is gone", arrival, func() bool { return !s.admin().sees(t.id) })
	// A producer tries to sign in until its record's time is over; the request
	// beneath it says why.
	late := s.worker(t)
	ctx, cancel := context.WithTimeout(s.Context(), arrival)
	defer cancel()
	if _, err := late.Request(ctx, kmsg.NewPtrMetadataRequest()); !errors.Is(err, kerr.SaslAuthenticationFailed) {
		s.Errorf("a request with the removed token: %v", err)
	}
}

// refusedAsOwner: a token gives no right that its owner has not.
func refusedAsOwner(s *script) {
	owner := s.user()
	t := s.as(owner).newToken(newToken{})
	s.session(t)
	topic := s.fresh("topic")
	admin := s.franzAs(apache.Admin)
	create := kmsg.NewPtrCreateTopicsRequest()
	create.TimeoutMillis = 5000
	wanted := kmsg.NewCreateTopicsRequestTopic()
	wanted.Topic, wanted.NumPartitions, wanted.ReplicationFactor = topic, 1, 1
	create.Topics = append(create.Topics, wanted)
	equal(s.env, "create the topic", franzDo(s, admin, "create the topic", create).Topics[0].ErrorCode, 0)

	if err := produce(s, s.worker(t, kgo.DefaultProduceTopic(topic)), "0"); !errors.Is(err, kerr.TopicAuthorizationFailed) {
		s.Errorf("write: %v", err)
	}
	fails := func(with error, options ...kgo.Opt) {
		s.Helper()
		ctx, cancel := context.WithTimeout(s.Context(), arrival)
		defer cancel()
		if err := s.worker(t, options...).PollFetches(ctx).Err(); !errors.Is(err, with) {
			s.Errorf("read: %v, want %v", err, with)
		}
	}
	fails(kerr.TopicAuthorizationFailed, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: {0: kgo.NewOffset().AtStart()}}))
	s.admin().addRules(topicRule("User:"+owner, topic, kmsg.ACLOperationRead))
	s.settleRules()
	fails(kerr.GroupAuthorizationFailed, kgo.ConsumeTopics(topic), kgo.ConsumerGroup(topic))
}

// worker is a client that signs in with the token.
func (s *script) worker(t token, options ...kgo.Opt) *kgo.Client {
	s.Helper()
	return s.franz(apache.SASLPlaintext, scram.Auth{
		User: t.id, Pass: base64.StdEncoding.EncodeToString([]byte(t.hmac)), IsToken: true,
	}.AsSha256Mechanism(), options...)
}

func produce(s *script, c *kgo.Client, value string) error {
	ctx, cancel := context.WithTimeout(s.Context(), arrival)
	defer cancel()
	return c.ProduceSync(ctx, kgo.StringRecord(value)).FirstErr()
}

// consume joins the values of so many records.
func consume(s *script, c *kgo.Client, n int) (values string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), arrival)
	defer cancel()
	for got := 0; got < n; {
		fetches := c.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			s.Fatalf("after %q: %v", values, err)
		}
		fetches.EachRecord(func(r *kgo.Record) { values += string(r.Value); got++ })
	}
	return values
}
