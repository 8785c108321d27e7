// Package kafka is dtok's view of Apache Kafka: users, their delegation tokens,
// ACL rules and quotas, and a Client that reads and changes them over one
// connection.
//
// The package knows nothing of terminals, configuration files or the audit
// trail. Everything it returns is plain data without secrets, with one
// exception: the HMAC of a token that was just created, held by a Secret.
//
// Protocol facts come from KIP-48 (delegation tokens), KIP-373 (tokens for
// other owners), KIP-546 (client quotas) and Kafka's own sources; where
// brokers were seen to behave otherwise, the comment says so.
package kafka
