package contract

import "strings"

// What brokers say with their codes changed over time; clients must not rely on
// it, but people read it.

// quiet is the outcome of a success for a request whose message is empty there;
// Kafka 1 has null.
func (e *env) quiet() outcome {
	if !e.Kafka().Since("2.0") {
		return outcome{0, "null"}
	}
	return outcome{0, ""}
}

// altered is the outcome of a change of SCRAM users: its message is null on
// KRaft and empty with ZooKeeper.
func (e *env) altered() outcome {
	if e.Kafka().ZooKeeper() {
		return outcome{0, ""}
	}
	return outcome{0, "null"}
}

// refusesRules reports whether text is Kafka's for a refused request about ACL
// rules, which needs a permission such as DESCRIBE. Before, it is a dump of the
// request too.
func (e *env) refusesRules(text, permission string) bool {
	if e.Kafka().Since("4.4") {
		return strings.HasSuffix(text, " needs "+permission+" permission.")
	}
	return strings.HasPrefix(text, "Request Request(") && strings.HasSuffix(text, " is not authorized.")
}

// noAuthorizer is the outcome of adding or deleting rules where there is no
// authorizer.
func (e *env) noAuthorizer() outcome {
	if !e.Kafka().Since("3.0") {
		return outcome{54, "No Authorizer is configured on the broker."}
	}
	return outcome{54, "No Authorizer is configured."}
}
