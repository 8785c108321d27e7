package demo

import (
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Scenario is a cluster with one thing about it.
type Scenario struct {
	Name string
	// Description is one line for people.
	Description string
	set         func(*setup)
}

// Scenarios are all scenarios, in the order in which they are listed.
func Scenarios() []Scenario {
	return []Scenario{
		{"standard", "Kafka 4.4 with people, jobs, tokens, ACL rules and quotas", func(*setup) {}},
		{"empty", "users, but no token at all", func(s *setup) { s.noTokens = true }},
		{"no-secret-key", "no delegation.token.secret.key: tokens are off (61)", func(s *setup) {
			s.brokerKey, s.controllerKey, s.noTokens = false, false, true
		}},
		{"controllers-without-key", "the secret key is missing on the controllers: listing works, creating answers 61", func(s *setup) {
			s.controllerKey, s.noTokens = false, true
		}},
		{"plaintext", "a PLAINTEXT listener: token requests are refused (64)", func(s *setup) {
			s.only(Plaintext)
			s.anonymousReads = true
		}},
		{"one-way-tls", "TLS without a client certificate: token requests are refused (64)", func(s *setup) {
			s.only(SSL)
			s.anonymousReads = true
		}},
		{"token-session", "signed in with a delegation token: token requests are refused (64)", func(s *setup) {
			s.tokenSession = true
		}},
		{"kafka-1.0", "Kafka 1.0, which knows no delegation tokens", func(s *setup) { s.release, s.noTokens = kafka10(), true }},
		{"kafka-3.5", "Kafka 3.5 in KRaft mode, which offers no token requests", func(s *setup) {
			s.release, s.noTokens = kafka35(), true
		}},
		{"old-metadata", "metadata.version 3.6-IV1, one short of tokens: creating answers 35", func(s *setup) {
			s.MetadataVersion, s.noTokens = 13, true
		}},
		{"old-create", "Kafka 2.8: tokens cannot be made for another user", func(s *setup) { s.release = kafka28() }},
		{"no-authorizer", "no authorizer: everybody may do everything, ACL requests answer 54", func(s *setup) { s.authorizer = false }},
		{"no-rights", "the presenter has no ACL rule: lists are empty or refused (31)", func(s *setup) { s.strangers = true }},
		{"slow", "every answer takes a second", func(s *setup) {
			for _, key := range served() {
				s.faults = append(s.faults, Fault{Key: key, Delay: time.Second})
			}
		}},
		{"late-brokers", "a change is seen after three seconds", func(s *setup) { s.Lag = 3 * time.Second }},
		{"lost-answer", "a change is done, then the connection drops before the answer", func(s *setup) {
			for _, key := range changes() {
				s.faults = append(s.faults, Fault{Key: key, End: DropAfter})
			}
		}},
		{"big", "2 000 users and 100 000 tokens", func(s *setup) { s.big = true }},
	}
}

// only leaves one listener open.
func (s *setup) only(l Listener) { s.main, s.listeners = l, []Listener{l} }

// served are the keys that are answered from the cluster's state, and not
// those that a sign-in needs.
func served() []int16 {
	return append([]int16{
		int16(kmsg.Metadata), int16(kmsg.DescribeCluster), int16(kmsg.FindCoordinator),
		int16(kmsg.DescribeACLs), int16(kmsg.DescribeDelegationToken),
		int16(kmsg.DescribeClientQuotas), int16(kmsg.DescribeUserSCRAMCredentials),
	}, changes()...)
}

// changes are the keys of requests that change the cluster.
func changes() []int16 {
	return []int16{
		int16(kmsg.CreateDelegationToken), int16(kmsg.RenewDelegationToken), int16(kmsg.ExpireDelegationToken),
		int16(kmsg.CreateACLs), int16(kmsg.DeleteACLs),
		int16(kmsg.AlterClientQuotas), int16(kmsg.AlterUserSCRAMCredentials),
	}
}

// scenarioSetup finds a scenario by name.
func scenarioSetup(name string) (setup, error) {
	if name == "" {
		name = "standard"
	}
	var names []string
	for _, sc := range Scenarios() {
		if sc.Name == name {
			s := standard()
			sc.set(&s)
			return s, nil
		}
		names = append(names, sc.Name)
	}
	return setup{}, fmt.Errorf("there is no scenario %q; choose one of %s", name, strings.Join(names, ", "))
}
