package faults

import (
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// stream is one direction of a connection.
type stream struct {
	link      *link
	from, to  *net.TCPConn
	direction direction
	fault     *fault // nil, or what happens to this stream

	mode mode
	// left counts the bytes that garble and twice are still about.
	left int
	seed uint64
	dice *rand.Rand
	// kept are bytes for later: those of hold, and the second copy of twice.
	kept []byte

	mu sync.Mutex
	// read is what came in, and passed what went out.
	read, passed []byte
}

// mode is what becomes of the next bytes.
type mode int

const (
	through mode = iota
	drop
	hold   // until the client has gone
	single // each byte in a packet of its own
	slow   // the same, with a pause after each
	garble // other bytes instead
	twice
)

// dripPause is the pause after each byte of a slow drip.
const dripPause = 2 * time.Millisecond

// pump passes bytes on until from has no more, then ends to.
func (s *stream) pump() {
	s.strikeAfter() // a fault after 0 bytes
	buf := make([]byte, 32<<10)
	for {
		n, err := s.from.Read(buf)
		s.mu.Lock()
		s.read = append(s.read, buf[:n]...)
		s.mu.Unlock()
		s.take(buf[:n])
		if err == nil {
			continue
		}
		if s.direction == request {
			s.link.end()
			if s.mode == hold {
				s.write(s.kept)
			}
		}
		_ = s.to.CloseWrite()
		return
	}
}

// take passes bytes on, and begins the fault where its place is.
func (s *stream) take(b []byte) {
	at := len(s.read) - len(b)
	if f := s.fault; f != nil && (f.at < len(s.read) || f.after && f.at == len(s.read)) {
		s.carry(b[:f.at-at])
		s.begin()
		b = b[f.at-at:]
	}
	s.carry(b)
}

func (s *stream) strikeAfter() {
	if f := s.fault; f != nil && f.after && f.at == 0 {
		s.begin()
	}
}

// begin is the moment of the fault.
func (s *stream) begin() {
	f := s.fault
	s.fault = nil // it happens once
	s.left, s.seed = f.size, f.seed
	s.dice = rand.New(rand.NewPCG(f.seed, uint64(f.at)))
	switch f.kind {
	case cut:
		s.mode = drop
		s.link.cut()
	case reset:
		s.mode = drop
		s.link.reset()
	case halfClose:
		s.mode = drop
		_ = s.to.CloseWrite()
	case stall, cancelled:
		s.mode = drop
	case late:
		s.mode = hold
	case split:
		s.mode = single
	case drip:
		s.mode = slow
	case garbage:
		s.mode = garble
	case duplicate:
		s.mode = twice
	}
	s.link.proxy.striking.Do(func() { close(s.link.proxy.struck) })
}

// carry passes bytes on as the mode says.
func (s *stream) carry(b []byte) {
	for len(b) > 0 {
		switch s.mode {
		case through:
			s.write(b)
			return
		case drop:
			return
		case hold:
			s.kept = append(s.kept, b...)
			return
		case single, slow:
			s.write(b[:1])
			b = b[1:]
			if s.mode == slow {
				s.pause()
			}
		case garble:
			n := min(s.left, len(b))
			other := append([]byte(nil), b[:n]...)
			s.disturb(other)
			s.write(other)
			b = b[n:]
			if s.left -= n; s.left == 0 {
				s.mode = through
			}
		case twice:
			n := min(s.left, len(b))
			s.write(b[:n])
			s.kept = append(s.kept, b[:n]...)
			b = b[n:]
			if s.left -= n; s.left == 0 {
				s.mode = through
				s.write(s.kept)
			}
		}
	}
}

// How garbage differs from what it replaces, by the fault's seed.
const (
	flipped  = iota // one bit of each byte
	ones            // the highest unsigned number, -1 otherwise
	zeros           // nothing, null
	highest         // the highest signed numbers
	longest         // as a length, the longest one that is believed
	shuffled        // anything
	disturbances
)

// disturb changes every byte of b.
func (s *stream) disturb(b []byte) {
	for i, old := range b {
		switch s.seed % disturbances {
		case flipped:
			b[i] ^= 1 << s.dice.IntN(8)
		case ones:
			b[i] = 0xff
		case zeros:
			b[i] = 0
		case highest:
			b[i] = 0x7f
		case longest:
			b[i] = 0xff
			if i == 0 {
				b[i] = 0x03
			}
		default:
			b[i] = byte(s.dice.Uint32())
		}
		if b[i] == old {
			b[i]++
		}
	}
}

func (s *stream) write(b []byte) {
	if len(b) == 0 {
		return
	}
	if _, err := s.to.Write(b); err != nil {
		s.mode = drop
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed = append(s.passed, b...)
}

// pause ends early when the client has gone.
func (s *stream) pause() {
	select {
	case <-time.After(dripPause):
	case <-s.link.done:
	}
}

// size is how many bytes came in so far.
func (s *stream) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.read)
}
