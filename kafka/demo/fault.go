package demo

import (
	"crypto/rand"
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Fault makes the broker misbehave on requests with one key.
type Fault struct {
	// Key is the request's API key.
	Key int16
	// Skip lets that many requests pass before the first that is hit.
	Skip int
	// Times is how many requests are hit; 0 for all.
	Times int
	// Delay goes by before the answer, after the request is handled.
	Delay time.Duration
	// Code, when not 0, is answered without handling the request.
	Code int16
	// Edit changes the answer before it is sent.
	Edit func(kmsg.Response)
	// End is what becomes of the answer.
	End Ending
}

// Ending is what becomes of an answer.
type Ending int

const (
	// Whole sends it.
	Whole Ending = iota
	// DropBefore closes the connection without handling the request.
	DropBefore
	// DropAfter handles the request and closes instead of answering.
	DropAfter
	// Silence handles the request and answers neither it nor any later one
	// on the connection, which stays open.
	Silence
	// Truncate sends half of the frame and closes.
	Truncate
	// Garbage sends a frame of the right length and correlation id whose body
	// is random.
	Garbage
	// Giant sends the length of a frame of 2 GiB and the answer after it.
	Giant
)

// faultList holds the faults that are set.
type faultList struct {
	mu   sync.Mutex
	list []*liveFault
}

type liveFault struct {
	Fault
	hits int
}

// Inject sets a fault and returns what takes it back.
func (b *Broker) Inject(f Fault) (remove func()) {
	live := &liveFault{Fault: f}
	b.faults.mu.Lock()
	defer b.faults.mu.Unlock()
	b.faults.list = append(b.faults.list, live)
	return func() {
		b.faults.mu.Lock()
		defer b.faults.mu.Unlock()
		b.faults.list = slices.DeleteFunc(b.faults.list, func(o *liveFault) bool { return o == live })
	}
}

// take is the first fault for a request with that key, the zero Fault for none.
func (l *faultList) take(key int16) Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.list {
		if f.Key != key || f.Times > 0 && f.hits >= f.Skip+f.Times {
			continue
		}
		f.hits++
		if f.hits > f.Skip {
			return f.Fault
		}
	}
	return Fault{Key: key}
}

// respond handles a request under the faults that are set for it, and encodes
// the answer.
func (c *connection) respond(h header, req kmsg.Request, handle func() (kmsg.Response, bool)) (frame []byte, keep bool) {
	f := c.broker.faults.take(h.key)
	c.broker.record.request(c, h, req)
	if f.End == DropBefore {
		return nil, false
	}
	var resp kmsg.Response
	if f.Code != 0 {
		resp, keep = refusal(req, f.Code, nil), true
	} else {
		resp, keep = handle()
	}
	eraseSecrets(req)
	if resp == nil {
		return nil, keep
	}
	c.broker.pause(f.Delay)
	if f.Edit != nil {
		if list, ok := resp.(*tokenList); ok {
			resp = list.message()
		}
		f.Edit(resp)
	}
	if f.End == DropAfter {
		return nil, false
	}
	if list, ok := resp.(*tokenList); ok && list.isLong() && f.End == Whole {
		c.stream = list
		return list.frameStart(h.correlation), keep
	}
	frame = appendResponse(h.correlation, resp)
	switch f.End {
	case Silence:
		c.dead = true
	case Truncate:
		return frame[:len(frame)/2], false
	case Garbage:
		_, _ = rand.Read(frame[8:])
	case Giant:
		binary.BigEndian.PutUint32(frame, 0x7fffffff)
		return frame, true
	}
	return frame, keep
}

// pause waits, or until the broker closes.
func (b *Broker) pause(d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-b.after(d):
	case <-b.done:
	}
}
