package wire

import (
	"bytes"
	"strings"
)

// firstFlexible is the first version of the token messages with compact
// lengths and tagged fields (KIP-482).
const firstFlexible = 2

// Body skips the header of an answer: the correlation ID, and from flexible
// versions on the tagged fields after it. ApiVersions is never flexible here,
// so that a client can read the answer to a version it was wrong to ask for
// (KIP-511).
func Body(frame []byte, flexible bool) (id int32, body []byte, err error) {
	r := reader{rest: frame, flexible: flexible}
	id = r.int32()
	r.tags()
	return id, r.rest, r.err()
}

// ReadCreate reads a CreateResponse. Its HMAC is a sub-slice of body.
func ReadCreate(version int16, body []byte) (CreateResponse, error) {
	r := reader{rest: body, flexible: version >= firstFlexible}
	var a CreateResponse
	a.ErrorCode = r.int16()
	a.OwnerType, a.OwnerName = string(r.text()), string(r.text())
	if version >= 3 {
		a.RequesterType, a.RequesterName = string(r.text()), string(r.text())
	}
	a.IssuedMs, a.ExpiresMs, a.MaxMs = r.int64(), r.int64(), r.int64()
	a.TokenID = string(r.text())
	a.HMAC = r.bytes()
	a.ThrottleMs = r.int32()
	r.tags()
	return a, r.end()
}

// ReadRenew reads a RenewResponse.
func ReadRenew(version int16, body []byte) (RenewResponse, error) {
	r := reader{rest: body, flexible: version >= firstFlexible}
	a := RenewResponse{ErrorCode: r.int16(), ExpiresMs: r.int64(), ThrottleMs: r.int32()}
	r.tags()
	return a, r.end()
}

// ReadExpire reads an ExpireResponse, which has the fields of a RenewResponse.
func ReadExpire(version int16, body []byte) (ExpireResponse, error) {
	a, err := ReadRenew(version, body)
	return ExpireResponse(a), err
}

// Described is one token of a DescribeDelegationToken answer, with principals
// of the reader's own type P.
type Described[P any] struct {
	Owner P
	// Requester is the zero P below v3.
	Requester P
	IssuedMs  int64
	ExpiresMs int64
	MaxMs     int64
	ID        string
	// HMAC is a sub-slice of the frame: it is never copied, and gone once the
	// frame is cleared.
	HMAC []byte
	// Renewers may be shared between tokens and must not be changed.
	Renewers []P
}

// least is the fewest bytes that a token takes on the wire: three timestamps,
// four lengths of one byte or more and an array's length.
const least = 3*8 + 5

// ReadDescribe reads a DescribeDelegationToken answer in one pass. principal
// makes a P once for each different principal; keep turns a token into what
// the caller wants of it, or drops it. After an error the result is useless.
//
// The answer for 100 000 tokens is 14 MB, most of it repetition: principals
// and lists of renewers are made once for each different run of bytes, and IDs
// share blocks of memory.
func ReadDescribe[P, T any](version int16, body []byte, principal func(kind, name string) P,
	keep func(Described[P]) (T, bool)) (tokens []T, code int16, err error) {
	d := describer[P]{
		reader:    reader{rest: body, flexible: version >= firstFlexible},
		principal: principal,
		one:       map[string]P{},
		many:      map[string][]P{},
	}
	code = d.int16()
	n := d.array(least)
	if n > 0 {
		tokens = make([]T, 0, n)
	}
	for i := 0; i < n && d.ok(); i++ {
		var t Described[P]
		t.Owner = d.who(&d.owner)
		if version >= 3 {
			t.Requester = d.who(&d.requester)
		}
		t.IssuedMs, t.ExpiresMs, t.MaxMs = d.int64(), d.int64(), d.int64()
		t.ID = d.id()
		t.HMAC = d.bytes()
		t.Renewers = d.renewers()
		d.tags()
		if !d.ok() {
			break
		}
		if v, ok := keep(t); ok {
			tokens = append(tokens, v)
		}
	}
	d.int32() // throttle time: the broker delays the next answer by itself
	d.tags()
	return tokens, code, d.end()
}

type describer[P any] struct {
	reader
	principal func(kind, name string) P
	one       map[string]P
	many      map[string][]P
	ids       strings.Builder

	// What stood in the same place of the token before.
	owner, requester, renewer seen[P]
	list                      seen[[]P]
}

// seen is a value and the bytes it was read from. Fields carry their own
// lengths, so a body that goes on with the same bytes holds the same value.
type seen[T any] struct {
	raw   []byte
	value T
}

// next takes the value off r when it comes again.
func (s *seen[T]) next(r *reader) bool {
	if len(s.raw) == 0 || !bytes.HasPrefix(r.rest, s.raw) {
		return false
	}
	r.rest = r.rest[len(s.raw):]
	return true
}

// who reads a principal's type and name.
func (d *describer[P]) who(last *seen[P]) P {
	if last.next(&d.reader) {
		return last.value
	}
	start := d.rest
	kind := d.text()
	name := d.text()
	raw := start[:len(start)-len(d.rest)]
	if d.bad {
		var none P
		return none
	}
	p, ok := d.one[string(raw)]
	if !ok {
		p = d.principal(string(kind), string(name))
		d.one[string(raw)] = p
	}
	*last = seen[P]{raw, p}
	return p
}

// renewers reads the list of renewers; equal lists share one slice.
func (d *describer[P]) renewers() []P {
	if d.list.next(&d.reader) {
		return d.list.value
	}
	start := d.rest
	n := d.array(2)
	if n == 0 {
		return nil
	}
	for range n {
		d.text()
		d.text()
		d.tags()
	}
	if d.bad {
		return nil
	}
	raw := start[:len(start)-len(d.rest)]
	list, ok := d.many[string(raw)]
	if ok {
		d.list = seen[[]P]{raw, list}
		return list
	}
	again := describer[P]{reader: reader{rest: raw, flexible: d.flexible}, principal: d.principal, one: d.one}
	again.array(2)
	list = make([]P, n)
	for i := range list {
		list[i] = again.who(&again.renewer)
		again.tags()
	}
	d.many[string(raw)] = list
	d.list = seen[[]P]{raw, list}
	return list
}

// idBlock is how many bytes of IDs share one allocation: 2 900 of today's.
const idBlock = 64 << 10

// id reads a token ID. A Builder's String shares its memory, so each ID is a
// part of a block that is never written again below its length.
func (d *describer[P]) id() string {
	raw := d.text()
	if d.ids.Cap()-d.ids.Len() < len(raw) {
		d.ids = strings.Builder{}
		// A short answer takes a small block: what is left bounds all IDs.
		d.ids.Grow(max(len(raw), min(idBlock, len(d.rest))))
	}
	at := d.ids.Len()
	d.ids.Write(raw)
	return d.ids.String()[at:]
}
