package kafka

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka/wire"
)

// maxFrame is the longest answer that is read. 100 000 tokens take 14 MB; what
// announces more, such as the letters HTTP read as a length, is no broker.
const maxFrame = 64 << 20

// notSentError marks a failure before the first byte of a request was written.
type notSentError struct{ err error }

func (e *notSentError) Error() string { return e.err.Error() }
func (e *notSentError) Unwrap() error { return e.err }

// conn is one connection to a broker. It is used by one goroutine at a time.
type conn struct {
	// net carries the bytes; below is the TCP connection under it, closed
	// directly because closing TLS politely can wait for the other side.
	net      net.Conn
	below    net.Conn
	host     string // that was dialled
	log      observer
	clientID string
	lastID   int32
	offers   offers
	// limit, while set, ends every wait: connecting has one deadline for all.
	limit time.Time
	until time.Time // the deadline that net has
}

// call is one request and what to do with its answer.
type call struct {
	req protocol.Message
	// read takes the answer's body, which is cleared when it returns, and tells
	// the error code in it, which is the broker's and no error here.
	read func(version int16, body []byte) (Code, error)
	// err says why there is no usable answer, when exchange is through.
	err error

	version int16
	id      int32
	size    int // in bytes, with everything around the body
}

func (cn *conn) close() { _ = cn.below.Close() }

// allow gives the bytes to come wait to arrive, and not longer than the limit.
func (cn *conn) allow(wait time.Duration) {
	until := time.Now().Add(wait)
	if !cn.limit.IsZero() && cn.limit.Before(until) {
		until = cn.limit
	}
	// Each new deadline wakes a thread. While connecting it is the same one.
	if until.Equal(cn.until) {
		return
	}
	cn.until = until
	_ = cn.net.SetDeadline(until)
}

// exchange writes all calls together and reads their answers in order, each
// within wait. It returns an error of the connection, after which the
// connection is of no use; calls not answered before it hold it too. A request
// that cannot be made or an answer that cannot be read is its own call's error
// only.
func (cn *conn) exchange(ctx context.Context, wait time.Duration, calls ...*call) error {
	out := outgoing{buf: make([]byte, 0, 512)}
	defer out.wipe()
	for _, c := range calls {
		c.err = cn.encode(&out, c)
		if c.err != nil {
			cn.log.unanswered(sayNotSent, time.Now(), []*call{c}, c.err)
			_ = fail(calls, &notSentError{c.err})
			return nil
		}
	}
	defer context.AfterFunc(ctx, cn.close)()
	sent := cn.log.requests(calls)
	if err := cn.send(ctx, wait, out.buf); err != nil {
		cn.log.unsent(sent, calls, err)
		return fail(calls, err)
	}
	return cn.receive(ctx, wait, sent, calls)
}

func (cn *conn) encode(out *outgoing, c *call) error {
	var err error
	if c.version, err = cn.offers.version(c.req.ApiKey()); err != nil {
		return err
	}
	cn.lastID++
	c.id = cn.lastID
	before := len(out.buf)
	defer func() { c.size = len(out.buf) - before }()
	if e, ok := c.req.(encoded); ok {
		_, err = out.Write(e.frame(c.version, c.id, cn.clientID))
		return err
	}
	return wire.WriteRequest(out, c.version, c.id, cn.clientID, c.req)
}

// send writes whole requests. A *notSentError means that no byte left.
func (cn *conn) send(ctx context.Context, wait time.Duration, requests []byte) error {
	if ctx.Err() != nil {
		return &notSentError{context.Cause(ctx)}
	}
	cn.allow(wait)
	n, err := cn.net.Write(requests)
	if err == nil {
		return nil
	}
	err = faultOf(ctx, err, wait)
	if n == 0 {
		// Over TLS some bytes may have left, but no whole record and so no
		// request: a broker acts on whole frames only.
		return &notSentError{err}
	}
	return err
}

func (cn *conn) receive(ctx context.Context, wait time.Duration, sent time.Time, calls []*call) error {
	broken := func(calls []*call, err error) error {
		cn.log.unanswered(sayNoAnswer, sent, calls, err)
		return fail(calls, err)
	}
	for i, c := range calls {
		cn.allow(wait)
		frame, err := readFrame(cn.net)
		if err != nil {
			return broken(calls[i:], faultOf(ctx, err, wait))
		}
		id, body, err := wire.Body(frame, flexible(c.req.ApiKey(), c.version))
		if err != nil || id != c.id {
			clear(frame)
			return broken(calls[i:], &FaultError{Fault: FaultGarbled, Err: err})
		}
		code, err := c.read(c.version, body)
		if err != nil {
			c.err = &FaultError{Fault: FaultGarbled, Err: err}
		}
		cn.log.answer(c, sent, len(frame)+4, code, c.err) // and the length before it
		clear(frame)
	}
	return nil
}

func fail(calls []*call, err error) error {
	for _, c := range calls {
		c.err = err
	}
	return err
}

// readFrame reads a length and so many bytes. The caller clears them. It reads
// past no frame, so that no buffer keeps a part of an HMAC.
func readFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if n, err := io.ReadFull(r, head[:]); err != nil {
		return nil, cutAfter(n, err)
	}
	size := int32(binary.BigEndian.Uint32(head[:]))
	switch {
	case string(head[:]) == "HTTP":
		return nil, &FaultError{Fault: FaultHTTP}
	case (head[0] == 0x15 || head[0] == 0x16) && head[1] == 3:
		// The head of a TLS alert or handshake record.
		return nil, &FaultError{Fault: FaultTLS}
	case size < 0 || size > maxFrame:
		return nil, &FaultError{Fault: FaultTooBig, Size: int64(uint32(size))}
	case size < 4:
		return nil, &FaultError{Fault: FaultGarbled}
	}
	frame := make([]byte, size)
	if n, err := io.ReadFull(r, frame); err != nil {
		clear(frame)
		return nil, cutAfter(n+len(head), err)
	}
	return frame, nil
}

// cutAfter tells a connection that was closed in the middle of an answer from
// one that was closed before.
func cutAfter(n int, err error) error {
	if n > 0 && isClosed(err) {
		return &FaultError{Fault: FaultCut, Err: err}
	}
	return err
}

// flexible reports whether an answer's header has tagged fields. ApiVersions
// never has them (KIP-511).
func flexible(key protocol.ApiKey, version int16) bool {
	r := kmsg.ResponseForKey(int16(key))
	r.SetVersion(version)
	return r.IsFlexible() && key != protocol.ApiVersions
}

// reading makes the read function for an answer that kmsg decodes: unlike
// kafka-go's decoder, it checks every length before it allocates (see package
// wire). kmsg copies strings, so the answer outlives the frame, except for
// byte fields, which take has to copy.
func reading[R kmsg.Response](into R, take func(R)) func(int16, []byte) (Code, error) {
	return func(version int16, body []byte) (Code, error) {
		into.SetVersion(version)
		if err := into.ReadFrom(body); err != nil {
			return CodeNone, err
		}
		take(into)
		return codeOf(into), nil
	}
}

// outgoing collects what kafka-go encodes. kafka-go lends the pages of a pool
// to Write and reads them no more afterwards, so clearing them here is what
// keeps an HMAC or a password from staying in that pool.
type outgoing struct{ buf []byte }

func (o *outgoing) Write(page []byte) (int, error) {
	if free := cap(o.buf) - len(o.buf); free < len(page) {
		old := o.buf
		o.buf = append(slices.Grow([]byte(nil), 2*cap(old)+len(page)), old...)
		clear(old)
	}
	o.buf = append(o.buf, page...)
	clear(page)
	return len(page), nil
}

func (o *outgoing) wipe() { clear(o.buf[:cap(o.buf)]) }
