package contract

import (
	"strings"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"
)

// javaTools is what a keeper of tokens does with DelegationTokenCommand,
// AclCommand and ConfigCommand.
func javaTools(s *script) {
	admin := s.saslLogin("admin", apache.SASLPlaintext, "admin", "admin-secret", raw.Plain, "")
	toolUsers(s, admin)
	alice := s.saslLogin("tool-alice", apache.SASLPlaintext, "tool-alice", "alice-pw", raw.ScramSHA256, "")
	bob := s.saslLogin("tool-bob", apache.SASLSSL, "tool-bob", "bob-pw", raw.ScramSHA512, "")
	toolTokens(s, alice, bob, admin)
	toolRefusals(s)
	toolRules(s, alice, admin)
	toolQuotas(s, alice, admin)
}

// toolUsers makes two users and waits until they can sign in.
func toolUsers(s *script, admin login) {
	config := func(args ...string) {
		s.java(admin, "ConfigCommand", append([]string{"--entity-type", "users"}, args...)...)
	}
	config("--alter", "--entity-name", "tool-alice", "--add-config", "SCRAM-SHA-256=[iterations=8192,password=alice-pw]")
	config("--alter", "--entity-name", "tool-bob", "--add-config", "SCRAM-SHA-512=[password=bob-pw]")
	config("--alter", "--entity-name", "tool-dave", "--add-config", "SCRAM-SHA-256=[password=dave-pw],SCRAM-SHA-512=[password=dave-pw]")
	config("--alter", "--entity-name", "tool-carol", "--add-config", "SCRAM-SHA-512=[password=carol-pw]")
	s.sessionOn(apache.SASLPlaintext, raw.Credentials{Mechanism: raw.ScramSHA256, User: "tool-alice", Password: "alice-pw"})
	s.sessionOn(apache.SASLPlaintext, raw.Credentials{Mechanism: raw.ScramSHA512, User: "tool-bob", Password: "bob-pw"})
	s.sessionOn(apache.SASLPlaintext, raw.Credentials{Mechanism: raw.ScramSHA512, User: "tool-carol", Password: "carol-pw"})
	for _, name := range []string{"tool-alice", "tool-bob", "nobody"} {
		config("--describe", "--entity-name", name)
	}
	config("--alter", "--entity-name", "tool-carol", "--delete-config", "SCRAM-SHA-512")
	s.await("the user is gone", arrival, func() bool { return !s.admin().hasScram("tool-carol", raw.ScramSHA512) })
	config("--alter", "--entity-name", "tool-carol", "--delete-config", "SCRAM-SHA-512")
	config("--alter", "--entity-name", "tool-carol", "--add-config", "SCRAM-SHA-512=[iterations=100,password=carol-pw]")
}

// created finds the token in what --create printed: the last line begins with
// id and HMAC.
func (s *script) created(lines []string, name string) token {
	s.Helper()
	fields := strings.Fields(lines[len(lines)-1])
	if len(fields) < 8 {
		s.Fatalf("no token in %q", lines)
	}
	s.hide(fields[0], "<id of "+name+">")
	s.hide(fields[1], "<HMAC of "+name+">")
	t := token{id: fields[0], hmac: fields[1]}
	s.await("the token is described", arrival, func() bool { return s.admin().sees(t.id) })
	return t
}

func toolTokens(s *script, alice, bob, admin login) {
	const command = "DelegationTokenCommand"
	first := s.created(s.java(alice, command, "--create", "--max-life-time-period", "-1", "--renewer-principal", "User:tool-bob"), "first")
	second := s.created(s.java(alice, command, "--create", "--max-life-time-period", "3600000",
		"--renewer-principal", "User:tool-carol", "--renewer-principal", "User:tool-bob"), "second")
	s.java(alice, command, "--describe", "--owner-principal", "User:tool-alice")
	s.java(bob, command, "--describe", "--owner-principal", "User:tool-bob")
	s.java(alice, command, "--describe", "--owner-principal", "User:unknown")
	s.java(alice, command, "--describe") // sends an empty list: always nothing
	s.java(bob, command, "--renew", "--hmac", first.hmac, "--renew-time-period", "-1")
	s.java(bob, command, "--renew", "--hmac", second.hmac, "--renew-time-period", "1700000000000")
	s.java(admin, command, "--renew", "--hmac", first.hmac, "--renew-time-period", "-1")
	s.java(alice, command, "--renew", "--hmac", "AAAA", "--renew-time-period", "-1")
	s.java(alice, command, "--create", "--max-life-time-period", "-1", "--renewer-principal", "Group:x")
	s.java(alice, command, "--create", "--max-life-time-period", "-1", "--owner-principal", "User:tool-bob")

	s.sessionOn(apache.SASLPlaintext, raw.Credentials{Mechanism: raw.ScramSHA256, User: first.id, Password: first.hmac, Token: true})
	worker := s.saslLogin("the first token", apache.SASLPlaintext, first.id, first.hmac, raw.ScramSHA256, ` tokenauth="true"`)
	s.java(worker, command, "--describe", "--owner-principal", "User:tool-alice")
	s.java(worker, command, "--create", "--max-life-time-period", "-1")

	s.java(bob, command, "--expire", "--hmac", first.hmac, "--expiry-time-period", "-1")
	s.await("the token is gone", arrival, func() bool { return !s.admin().sees(first.id) })
	s.java(bob, command, "--expire", "--hmac", first.hmac, "--expiry-time-period", "-1")
	s.java(worker, command, "--create", "--max-life-time-period", "-1")
	s.java(alice, command, "--expire", "--hmac", second.hmac, "--expiry-time-period", "100000")
	s.java(alice, command, "--describe", "--owner-principal", "User:tool-alice")
}

// toolRefusals: listeners where tokens are off, and sign-ins that fail.
func toolRefusals(s *script) {
	const command = "DelegationTokenCommand"
	create := []string{"--create", "--max-life-time-period", "-1"}
	s.java(s.login("nobody", apache.Plaintext, "security.protocol=PLAINTEXT"), command, create...)
	s.java(s.login("nobody", apache.SSL, "security.protocol=SSL"), command, create...)
	s.java(s.saslLogin("a wrong password", apache.SASLPlaintext, "tool-alice", "wrong", raw.ScramSHA256, ""), command, create...)
	s.java(s.saslLogin("a wrong password in clear", apache.SASLSSL, "alice", "wrong", raw.Plain, ""), command, create...)
	s.java(s.saslLogin("a mechanism that is off", apache.SASLPlaintext, "alice", "alice-secret", "SCRAM-SHA-1", ""), command, create...)
}

func toolRules(s *script, alice, admin login) {
	const command = "AclCommand"
	grant := []string{"--user-principal", "User:tool-bob", "--allow-principal", "User:tool-alice", "--operation", "CreateTokens", "--operation", "DescribeTokens"}
	s.java(admin, command, append([]string{"--add"}, grant...)...)
	s.settleRules()
	s.java(admin, command, "--list", "--user-principal", "User:tool-bob")
	s.java(admin, command, "--list", "--principal", "User:tool-alice")
	s.created(s.java(alice, "DelegationTokenCommand", "--create", "--max-life-time-period", "-1", "--owner-principal", "User:tool-bob"), "third")
	s.java(alice, "DelegationTokenCommand", "--describe", "--owner-principal", "User:tool-bob")
	s.java(alice, command, "--list", "--user-principal", "User:tool-bob")
	s.java(alice, command, append([]string{"--add"}, grant...)...)
	s.java(admin, command, append([]string{"--remove", "--force"}, grant...)...)
	s.settleRules()
	s.java(admin, command, "--list", "--user-principal", "User:tool-bob")
	s.java(admin, command, "--add", "--user-principal", "User:tool-", "--resource-pattern-type", "prefixed",
		"--deny-principal", "User:tool-alice", "--deny-host", "192.0.2.1", "--operation", "All")
	s.settleRules()
	s.java(admin, command, "--list", "--principal", "User:tool-alice", "--user-principal", "User:tool-bob", "--resource-pattern-type", "match")
	s.java(admin, command, "--add", "--delegation-token", "x", "--allow-principal", "User:tool-alice", "--operation", "Describe")
	s.settleRules()
	s.java(admin, command, "--list", "--delegation-token", "x")
}

func toolQuotas(s *script, alice, admin login) {
	config := func(l login, args ...string) { s.java(l, "ConfigCommand", args...) }
	user := []string{"--entity-type", "users", "--entity-name", "tool-alice"}
	both := append([]string{"--entity-type", "clients", "--entity-name", "c"}, user...)
	settle := func() {
		mark := s.fresh("mark")
		s.admin().setQuota(quota{entity{"user": mark}, "producer_byte_rate", 1, false})
		s.await("the quotas are read", arrival, func() bool { return len(s.admin().quotas(true, exact("user", mark))) == 1 })
		s.admin().setQuota(quota{entity{"user": mark}, "producer_byte_rate", 0, true})
	}
	with := func(args []string, more ...string) []string { return append(append([]string{}, args...), more...) }
	config(admin, with(user, "--alter", "--add-config", "producer_byte_rate=1024,request_percentage=50.5")...)
	config(admin, with(both, "--alter", "--add-config", "consumer_byte_rate=2048")...)
	config(admin, "--entity-type", "users", "--entity-default", "--alter", "--add-config", "consumer_byte_rate=1000000")
	settle()
	config(admin, with(user, "--describe")...)
	config(admin, with(both, "--describe")...)
	config(admin, "--entity-type", "users", "--entity-default", "--describe")
	config(admin, with(user, "--alter", "--add-config", "producer_byte_rate=0")...)
	config(admin, with(user, "--alter", "--add-config", "nope=1")...)
	config(alice, with(user, "--alter", "--add-config", "producer_byte_rate=1")...)
	config(alice, with(user, "--describe")...)
	config(admin, with(user, "--alter", "--delete-config", "producer_byte_rate,request_percentage")...)
	config(admin, with(both, "--alter", "--delete-config", "consumer_byte_rate")...)
	config(admin, "--entity-type", "users", "--entity-default", "--alter", "--delete-config", "consumer_byte_rate")
	settle()
	config(admin, with(user, "--describe")...)
}
