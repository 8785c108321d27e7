package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"
)

// describe writes a client.properties for the users and listeners that a person
// wants to try and says how to use dtok with them.
func describe(node *apache.Node) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Apache Kafka %s is running. Users: %s (password NAME-secret).\n", node.Release.Name, strings.Join(apache.Users, ", "))
	fmt.Fprintf(&b, "admin is the super user; ops may create and see all tokens, and read and change ACL rules, quotas and SCRAM users.\n\n")
	fmt.Fprintf(&b, "CA certificate  %s\nbroker's log    %s\n", filepath.Join(node.Dir, "ca.pem"), filepath.Join(node.Dir, "kafka.log"))
	var example string
	for _, l := range []struct{ listener, mechanism, note string }{
		{apache.SASLSSL, raw.ScramSHA256, ""},
		{apache.SASLPlaintext, raw.ScramSHA512, "tokens work, HMACs cross the wire in clear"},
		{apache.SASLPlaintext, raw.Plain, ""},
		{apache.MTLSMapped, "", "the principal is User:NAME"},
		{apache.MTLS, "", "the principal is User:CN=NAME,OU=Ops,O=Acme"},
		{apache.SSL, "", "one-way TLS, tokens are refused (64)"},
		{apache.Plaintext, "", "tokens are refused (64)"},
	} {
		title := l.listener
		if l.mechanism != "" {
			title += " with " + l.mechanism
		}
		if l.note != "" {
			title += ", " + l.note
		}
		fmt.Fprintf(&b, "\n%s: %s\n", title, node.Address(l.listener))
		for _, user := range []string{"ops", "alice", apache.Admin} {
			file, err := node.ClientFile(user, l.listener, l.mechanism)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "  %-6s %s\n", user, file)
			if example == "" {
				example = fmt.Sprintf("./dtok --bootstrap-server %s --command-config %s", node.Address(l.listener), file)
			}
			if l.listener == apache.Plaintext || l.listener == apache.SSL {
				break // nobody signs in there
			}
		}
	}
	fmt.Fprintf(&b, "\nTry it:   %s\nStop it:  make kafka-down\n", example)
	return b.String(), nil
}
