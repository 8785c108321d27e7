package main

import (
	"encoding/json"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/segmentio/kafka-go/protocol"
)

// countedRequests compares the requests in a debug log with those that the
// broker has had, by their names: no other than the logged dtok may have asked
// it anything.
func countedRequests(ts *testscript.TestScript, _ bool, args []string) {
	sent, answered := map[string]int{}, map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n") {
		var entry struct{ Msg, API string }
		ts.Check(json.Unmarshal([]byte(line), &entry))
		switch entry.Msg {
		case "request":
			sent[entry.API]++
		case "answer":
			answered[entry.API]++
		}
	}
	all := 0
	for key := range int16(100) {
		name, n := protocol.ApiKey(key).String(), scriptBroker(ts).Count(key)
		if sent[name] != n || answered[name] != n {
			ts.Fatalf("%s: the broker has had %d, the log has %d and %d answers", name, n, sent[name], answered[name])
		}
		all += n
	}
	if all == 0 {
		ts.Fatalf("the broker has had no request")
	}
}
