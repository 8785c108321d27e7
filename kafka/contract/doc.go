// Package contract says what dtok relies on in a Kafka broker: one set of
// cases, run over TCP against the embedded broker (go test) and against a real
// Apache Kafka node (make test-kafka). What the two disagree on is a bug of the
// embedded broker, or is written down in demo_test.go with its reason.
//
//	raw      a protocol client that does nothing of its own accord
//	apache   starts a real node
//
// The cases are grouped by what a client does: versions, create, describe,
// renew, expire, sign in, sessions, TLS, ACL rules, quotas, SCRAM users; and by
// clusters that are set up otherwise: no secret key, old metadata, no
// authorizer, endless lifetimes. A case makes its own users, so that cases
// neither disturb each other nor depend on what a cluster holds.
package contract
