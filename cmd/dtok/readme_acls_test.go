package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dtok/kafka"
	"dtok/kafka/demo"
)

// readmeRules are the ACL rules that the README's kafka-acls commands add.
func readmeRules(t *testing.T) []kafka.ACLRule {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	operations := map[string]kafka.Operation{}
	for op := range kafka.Operation(64) {
		operations[op.String()] = op
	}
	var rules []kafka.ACLRule
	for _, command := range regexp.MustCompile(`(?m)^    kafka-acls\.sh (.*\\\n)*.*$`).FindAllString(string(text), -1) {
		words := strings.Fields(strings.ReplaceAll(command, "\\\n", " "))
		rule := kafka.ACLRule{Pattern: kafka.PatternLiteral, Host: "*", Permission: kafka.PermissionAllow}
		var ops []kafka.Operation
		for i, word := range words {
			switch word {
			case "--allow-principal":
				rule.Principal = words[i+1]
			case "--cluster":
				rule.ResourceType, rule.ResourceName = kafka.ResourceCluster, kafka.ClusterName
			case "--user-principal":
				rule.ResourceType, rule.ResourceName = kafka.ResourceUser, words[i+1]
			case "--operation":
				op, ok := operations[words[i+1]]
				if !ok {
					t.Fatalf("Kafka has no operation %s", words[i+1])
				}
				ops = append(ops, op)
			}
		}
		if !slices.Contains(words, "--add") || rule.Principal == "" || rule.ResourceName == "" || ops == nil {
			t.Fatalf("not a whole command: %s", command)
		}
		for _, op := range ops {
			rule.Operation = op
			rules = append(rules, rule)
		}
	}
	return rules
}

// TestReadmeRulesAreEnoughAndNeeded gives User:ops what the README says, on a
// cluster without any other rule, and without it.
func TestReadmeRulesAreEnoughAndNeeded(t *testing.T) {
	b, err := demo.Start(demo.Options{Bare: true, Cluster: demo.Cluster{Lag: -1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	as := func(user string) *kafka.Client {
		c, err := b.Connection(user)
		if err != nil {
			t.Fatal(err)
		}
		settings, err := c.Settings()
		if err != nil {
			t.Fatal(err)
		}
		client, err := kafka.Dial(t.Context(), settings)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		return client
	}
	ops, alice := as("ops"), kafka.UserPrincipal("alice")
	everything := map[string]func() error{
		"see users": func() error {
			list, err := ops.Users(t.Context())
			for _, err := range list.Failed {
				return err
			}
			return err
		},
		"see rules": func() error {
			list, err := ops.Rules(t.Context(), alice)
			for _, err := range list.Failed {
				return err
			}
			return err
		},
		"see quotas": func() error {
			_, err := ops.Quotas(t.Context(), alice)
			return err
		},
		"add a rule": func() error {
			rule := kafka.ACLRule{ResourceType: kafka.ResourceTopic, ResourceName: "orders", Pattern: kafka.PatternLiteral,
				Principal: "User:alice", Host: "*", Operation: kafka.OperationRead, Permission: kafka.PermissionAllow}
			_, err := ops.AddRules(t.Context(), kafka.RuleChange{Rules: []kafka.ACLRule{rule}})
			return err
		},
		"set a quota": func() error {
			_, err := ops.SetQuota(t.Context(), kafka.QuotaChange{
				Entity: kafka.Entity{User: kafka.NamedPart("alice")}, Key: "producer_byte_rate", Value: 1024})
			return err
		},
		"create a token for alice": func() error {
			made, err := ops.CreateToken(t.Context(), kafka.CreateRequest{Owner: alice})
			if err == nil {
				made.HMAC.Destroy()
			}
			return err
		},
	}
	for what, do := range everything {
		if err := do(); err == nil {
			t.Errorf("User:ops may %s without any rule", what)
		}
	}
	if _, err := as("admin").AddRules(t.Context(), kafka.RuleChange{Rules: readmeRules(t)}); err != nil {
		t.Fatal(err)
	}
	for what, do := range everything {
		if err := do(); err != nil {
			t.Errorf("User:ops may not %s: %v", what, err)
		}
	}
	list, err := ops.Tokens(t.Context(), alice)
	if err != nil || len(list.Tokens) != 1 {
		t.Errorf("User:ops sees %d tokens of alice: %v", len(list.Tokens), err)
	}
}
