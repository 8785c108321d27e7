package wire

import (
	"encoding/binary"
	"errors"
)

// ErrShort says that an answer ends before its fields do, or announces more
// than it holds.
var ErrShort = errors.New("the answer ends before its fields do")

// ErrLong says that an answer goes on after its fields.
var ErrLong = errors.New("the answer goes on after its fields")

// reader takes fields off the front of an answer's body. The first field that
// does not fit makes every later one empty and ok false, so that callers check
// once at the end.
type reader struct {
	rest     []byte
	flexible bool
	bad      bool
}

func (r *reader) ok() bool { return !r.bad }

func (r *reader) fail() {
	r.bad = true
	r.rest = nil
}

// take returns the next n bytes as a sub-slice of the body.
func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.fail()
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) int16() int16 {
	if b := r.take(2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (r *reader) int32() int32 {
	if b := r.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (r *reader) int64() int64 {
	if b := r.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// uvarint reads an unsigned varint of at most 32 bits, which is all that
// KIP-482 uses it for.
func (r *reader) uvarint() int {
	if len(r.rest) > 0 && r.rest[0] < 0x80 {
		v := int(r.rest[0])
		r.rest = r.rest[1:]
		return v
	}
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || n > 5 || v > 1<<32-1 {
		r.fail()
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

// text reads a string. No string of these answers may be null: a null one
// means that the bytes are not what they are taken for.
func (r *reader) text() []byte {
	n := 0
	if r.flexible {
		n = r.uvarint() - 1
	} else {
		n = int(r.int16())
	}
	if r.bad {
		return nil
	}
	return r.take(n)
}

// bytes reads a byte field, which may not be null either.
func (r *reader) bytes() []byte {
	n := 0
	if r.flexible {
		n = r.uvarint() - 1
	} else {
		n = int(r.int32())
	}
	if r.bad {
		return nil
	}
	return r.take(n)
}

// array reads an array's length. It fails when the body cannot hold so many
// elements of at least least bytes, so the length is safe to allocate.
func (r *reader) array(least int) int {
	n := 0
	if r.flexible {
		n = r.uvarint() - 1
	} else {
		n = int(r.int32())
	}
	if n == -1 || r.bad {
		return 0
	}
	if n < 0 || n > len(r.rest)/least {
		r.fail()
		return 0
	}
	return n
}

// tags skips the tagged fields at the end of a flexible struct.
func (r *reader) tags() {
	if !r.flexible {
		return
	}
	for n := r.uvarint(); n > 0 && r.ok(); n-- {
		r.uvarint()
		r.take(r.uvarint())
	}
}

func (r *reader) err() error {
	if r.bad {
		return ErrShort
	}
	return nil
}

// end is err, and that nothing is left: what a later Kafka adds comes as tags.
func (r *reader) end() error {
	if !r.bad && len(r.rest) > 0 {
		return ErrLong
	}
	return r.err()
}
