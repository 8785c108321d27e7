package demo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The largest frames that Kafka reads: socket.request.max.bytes, and
// sasl.server.max.receive.size until a client has signed in.
const (
	maxFrame       = 100 << 20
	maxSignInFrame = 512 << 10
)

// readFrame reads one length-prefixed frame. The length is what the other side
// says, so memory is only taken as bytes arrive.
func readFrame(r io.Reader, limit int) ([]byte, error) {
	var prefix [4]byte
	if _, err := io.ReadFull(r, prefix[:]); err != nil {
		return nil, err
	}
	size := int32(binary.BigEndian.Uint32(prefix[:]))
	if size < 0 || int(size) > limit {
		return nil, fmt.Errorf("frame of %d bytes, at most %d are read", size, limit)
	}
	var buf bytes.Buffer
	buf.Grow(min(int(size), 64<<10))
	n, err := buf.ReadFrom(io.LimitReader(r, int64(size)))
	if err == nil && n < int64(size) {
		err = io.ErrUnexpectedEOF
	}
	return buf.Bytes(), err
}

// header is a request's header.
type header struct {
	key, version int16
	correlation  int32
	clientID     string
}

var errMalformed = errors.New("malformed request")

// parseHeader reads the first fields, which have one form in every version,
// and returns what follows.
func parseHeader(frame []byte) (header, []byte, error) {
	b := kbin.Reader{Src: frame}
	h := header{key: b.Int16(), version: b.Int16(), correlation: b.Int32()}
	if !b.Ok() {
		return h, nil, errMalformed
	}
	return h, b.Src, nil
}

// parseRequest reads the rest of a header and the body. A key that this broker
// cannot read, and anything malformed, is an error.
func parseRequest(h *header, rest []byte) (kmsg.Request, error) {
	req := kmsg.RequestForKey(h.key)
	if req == nil || h.version < 0 || h.version > req.MaxVersion() {
		return nil, errMalformed
	}
	req.SetVersion(h.version)
	b := kbin.Reader{Src: rest}
	if id := b.NullableString(); id != nil {
		h.clientID = *id
	}
	if req.IsFlexible() {
		kmsg.SkipTags(&b)
	}
	if !b.Ok() {
		return nil, errMalformed
	}
	return req, req.ReadFrom(b.Src)
}

// appendResponse encodes a whole frame. The header of an ApiVersions response
// never has tags, so that clients can read it before they know the version.
func appendResponse(correlation int32, resp kmsg.Response) []byte {
	frame := make([]byte, 8, 256)
	binary.BigEndian.PutUint32(frame[4:], uint32(correlation))
	if resp.IsFlexible() && resp.Key() != int16(kmsg.ApiVersions) {
		frame = append(frame, 0)
	}
	frame = resp.AppendTo(frame)
	binary.BigEndian.PutUint32(frame, uint32(len(frame)-4))
	return frame
}

// appendBare frames a SASL token that has no header.
func appendBare(token []byte) []byte {
	frame := make([]byte, 4, 4+len(token))
	binary.BigEndian.PutUint32(frame, uint32(len(token)))
	return append(frame, token...)
}
