// Package faults tests what dtok says and does when the connection to a broker
// misbehaves: kafka.Client behind audit.Recorder, as cmd/dtok wires them, talks
// to the embedded broker through a proxy that does one thing wrong.
//
// A run is one operation, one fault and one place in the stream of bytes: cut
// after the 117th byte of the broker's answers, for example. Places are the
// byte boundaries of a run without a fault, all of them. After the run the two
// ends are compared: what the client says and the audit trail tells, with what
// reached the broker and what the cluster then holds. The rules are in
// judge_test.go.
//
//	go test ./kafka/faults     a few hundred runs
//	make test-faults           25 000 runs: every fault at every boundary of
//	                           every change and its answer, and a third of the
//	                           runs elsewhere
//
// Two variables choose the runs: DTOK_FAULTS is how many, or "all" for every
// fault at every boundary of everything (hours); DTOK_FAULTS_SEED chooses
// others. A run that fails prints the line that repeats it alone, with its name in
// DTOK_FAULT.
package faults
