// Package contract says what dtok relies on in a Kafka broker: one set of
// cases, run over TCP against the embedded broker (go test) and against a real
// Apache Kafka node (make test-kafka). What the two disagree on is a bug of the
// embedded broker, or is written down in demo_test.go with its reason.
//
//	raw      a protocol client that does nothing of its own accord
//	apache   starts real nodes, of all releases that matter
//	kdc      starts a Kerberos KDC
//	matrix   runs the suite on all releases and prints a table
//
// Releases differ. A case that holds for some of them says so (when_test.go), and
// then there is another for the rest, so that the difference is a statement too.
// A message that an old release does not have in the version of the newest goes
// out in the newest that it has.
//
// The cases are grouped by what a client does: versions, create, describe,
// renew, expire, sign in, sessions, TLS, ACL rules, quotas, SCRAM users; and by
// clusters that are set up otherwise: no secret key, old metadata, no
// authorizer, endless lifetimes, three nodes. A case makes its own users, so that cases
// neither disturb each other nor depend on what a cluster holds.
package contract
