package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"sync"

	"github.com/segmentio/kafka-go/protocol"
)

// watched is the client ID of the client whose log is looked at.
const watched = "watched"

// logText is the log of a run.
type logText struct {
	mu   sync.Mutex
	text []byte
}

func (l *logText) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(l, nil)) }

func (l *logText) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, line...)
	return len(line), nil
}

func (l *logText) bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.text)
}

// asking is a request by its name and version.
type asking struct {
	API     string
	Version int16
}

// lines are those with a message, counted by the request that they are about.
func (l *logText) lines(msg string) (map[asking]int, error) {
	counts := map[asking]int{}
	for line := range bytes.Lines(l.bytes()) {
		var entry struct {
			Msg string
			asking
		}
		if err := json.Unmarshal(line, &entry); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		if entry.Msg == msg {
			counts[entry.asking]++
		}
	}
	return counts, nil
}

// logged: the log tells each request that the broker has got, and where nothing
// went wrong no other, and each has its answer.
func (e *ended) logged() error {
	if e.run.lied() {
		return nil // what the broker has got is not what was sent
	}
	told, err := e.log.lines("request")
	if err != nil {
		return err
	}
	whole := (e.run.kind == none || e.run.kind == split) && e.run.way != redial
	arrived := map[asking]int{}
	for _, r := range e.broker.Requests() {
		if r.ClientID == watched {
			arrived[asking{protocol.ApiKey(r.Key).String(), r.Version}]++
		}
	}
	for what, n := range arrived {
		if told[what] < n || whole && told[what] != n {
			return fmt.Errorf("the broker has got %d of %v, the log has %d", n, what, told[what])
		}
	}
	if !whole {
		return nil
	}
	answered, err := e.log.lines("answer")
	switch {
	case err != nil:
		return err
	case len(told) != len(arrived):
		return fmt.Errorf("the log has %v, the broker has got %v", told, arrived)
	case fmt.Sprint(answered) != fmt.Sprint(told):
		return fmt.Errorf("the log has the answers %v to %v", answered, told)
	}
	return nil
}

// proofs are those of SCRAM in what the client has sent (RFC 5802, section 7).
func (e *ended) proofs() needles {
	var all needles
	for _, sent := range e.requests {
		for _, m := range regexp.MustCompile(`c=[A-Za-z0-9+/=]+,r=[!-+--~]+,p=([A-Za-z0-9+/=]{20,})`).FindAllSubmatch(sent, -1) {
			all.add(m[1])
		}
	}
	return all
}
