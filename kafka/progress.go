package kafka

import "sync/atomic"

// Phase is what a change is doing right now.
type Phase int32

// The phases of a change, in their order.
const (
	// PhaseChecking: reading the token and comparing the HMAC; nothing sent.
	PhaseChecking Phase = iota
	// PhaseWaiting: the brokers do not know the token yet (62 right after a
	// change is normal on KRaft), so dtok asks again for up to five seconds.
	PhaseWaiting
	// PhaseSent: the change is on its way; from here on a lost answer means
	// that the outcome is unknown. A change of which no byte could be sent goes
	// back to PhaseChecking.
	PhaseSent
)

// Progress lets another goroutine see the phase of a running change. The zero
// Progress is ready, and a nil one is ignored.
type Progress struct{ phase atomic.Int32 }

// Phase is the present phase.
func (p *Progress) Phase() Phase {
	if p == nil {
		return PhaseChecking
	}
	return Phase(p.phase.Load())
}

// Set moves to another phase.
func (p *Progress) Set(to Phase) {
	if p != nil {
		p.phase.Store(int32(to))
	}
}
