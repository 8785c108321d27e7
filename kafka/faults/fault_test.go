package faults

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// kind is what goes wrong.
type kind string

const (
	none kind = "none"
	// cut: both directions end in order, like a broker that stops.
	cut kind = "cut"
	// reset: the connection breaks off, like a firewall that forgets it.
	reset kind = "reset"
	// halfClose: one direction ends, the other goes on.
	halfClose kind = "half close"
	// stall: nothing more comes in one direction, and nobody closes.
	stall kind = "stall"
	// late: as stall, but what was held back reaches the broker once the
	// client has given up.
	late kind = "late"
	// cancelled: as stall, and the person gives up at that moment.
	cancelled kind = "cancelled"
	// split: every byte comes alone.
	split kind = "split"
	// drip: every byte comes alone, and slowly.
	drip kind = "drip"
	// garbage: size bytes are others.
	garbage kind = "garbage"
	// duplicate: size bytes come twice.
	duplicate kind = "duplicate"
)

var kinds = []kind{none, cut, reset, halfClose, stall, late, cancelled, split, drip, garbage, duplicate}

// lies reports whether bytes that nobody sent arrive. Without TLS, neither side
// can tell them from others where they make sense.
func (k kind) lies() bool { return k == garbage || k == duplicate }

// wait is the client's deadline: short where the fault makes the client run
// into it, and so long that it never ends where there is nothing to wait for.
func (k kind) wait() time.Duration {
	switch k {
	case stall, late, drip, garbage, duplicate:
		return 250 * time.Millisecond
	case cancelled: // when the fault is after the operation
		return 2 * time.Second
	}
	return longWait
}

// sized reports whether the kind is about a number of bytes.
func (k kind) sized() bool { return k.lies() }

// atEnd reports whether the kind can begin when a byte has passed, before the
// next one comes.
func (k kind) atEnd() bool {
	switch k {
	case cut, reset, halfClose, stall, cancelled:
		return true
	}
	return false
}

// direction is which of the two streams of a connection is meant.
type direction string

const (
	request direction = "request"
	answer  direction = "answer"
)

// fault is one fault in one place.
type fault struct {
	kind      kind
	conn      int // the connection's index, in the order in which they are made
	direction direction
	// at is how many bytes pass before it. It begins with the byte after
	// those, or, when after is set, as soon as they have passed.
	at    int
	after bool
	// size is how many bytes it is about, seed makes other ones of them.
	size int
	seed uint64
}

// run is a fault that happens to an operation.
type run struct {
	operation string
	way       way
	fault
}

// way is how the client is connected.
type way string

const (
	plain way = "PLAIN"
	scram way = "SCRAM"
	tls13 way = "TLS"
	// redial is plain, and the broker has closed the connection before the
	// operation: its first reading has to dial.
	redial way = "redial"
)

var ways = []way{plain, scram, tls13, redial}

// text names a run in a way that parseRun reads.
func (r run) text() string {
	at := strconv.Itoa(r.at)
	if r.after {
		at += "+"
	}
	return strings.ReplaceAll(fmt.Sprintf("%s/%s/%s/%s/%d/%s/%d/%d",
		r.operation, r.way, r.kind, r.direction, r.conn, at, r.size, r.seed), " ", "_")
}

func parseRun(text string) (run, error) {
	part := strings.Split(strings.ReplaceAll(text, "_", " "), "/")
	if len(part) != 8 {
		return run{}, fmt.Errorf("a run has 8 parts, %q has %d", text, len(part))
	}
	r := run{operation: part[0], way: way(part[1]), fault: fault{kind: kind(part[2]), direction: direction(part[3])}}
	at, after := strings.CutSuffix(part[5], "+")
	r.after = after
	for i, into := range map[int]*int{4: &r.conn, 6: &r.size} {
		n, err := strconv.Atoi(part[i])
		if err != nil {
			return run{}, err
		}
		*into = n
	}
	var err error
	if r.at, err = strconv.Atoi(at); err != nil {
		return run{}, err
	}
	r.seed, err = strconv.ParseUint(part[7], 10, 64)
	return r, err
}

// lied reports whether bytes that nobody sent may have been believed.
func (r run) lied() bool { return r.kind.lies() && r.way != tls13 }

const (
	longWait = 30 * time.Second
	// hangs is when a run is taken to have no end. The sum of its deadlines is
	// a fraction of it.
	hangs = 2 * time.Minute
)

func TestRunsAreNamed(t *testing.T) {
	for _, r := range []run{
		{"create token", plain, fault{cut, 0, answer, 117, false, 0, 0}},
		{"list tokens", redial, fault{halfClose, 1, request, 0, true, 0, 7}},
		{"set quota", tls13, fault{garbage, 1, request, 31, false, 4, 18446744073709551615}},
	} {
		if got, err := parseRun(r.text()); err != nil || got != r {
			t.Errorf("%s: %+v, %v", r.text(), got, err)
		}
	}
	if _, err := parseRun("create token/PLAIN"); err == nil {
		t.Error("half a run is read")
	}
}
