// Package demo is a small Kafka cluster of one broker inside the process: a
// TCP server that speaks the Kafka protocol and answers what delegation
// tokens, ACL rules, client quotas and SCRAM users need as Apache Kafka 4.4 in
// KRaft mode does, down to codes, messages and the moment a change is seen.
//
// It has users and a story to show (story.go), scenarios in which something is
// missing, old, slow or broken (scenario.go), and hooks with which tests make
// it misbehave (fault.go) and look at what reached it (record.go).
//
// It stores no topics and no messages. Requests for those get an answer that
// says so, or none.
//
// A comment "seen" marks what was observed on a running Apache Kafka.
package demo
