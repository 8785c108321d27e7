package demo

import (
	"encoding/binary"
	"io"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// tokenList is a DescribeDelegationToken response that encodes tokens straight
// into the frame. With 100 000 tokens that is 20 MB, so long lists are not even
// put together: they are written piece by piece.
type tokenList struct {
	kmsg.DescribeDelegationTokenResponse
	tokens []*token
}

const (
	// longList is from how many tokens on a list is written in pieces.
	longList = 1000
	// pieceSize is about how long the pieces are.
	pieceSize = 64 << 10
)

func (l *tokenList) isLong() bool { return len(l.tokens) >= longList }

// AppendTo encodes the whole answer.
func (l *tokenList) AppendTo(dst []byte) []byte {
	dst = l.appendTop(dst)
	for _, t := range l.tokens {
		dst = l.appendToken(dst, t)
	}
	return l.appendEnd(dst)
}

// frameLength is the length of the body, and so of what writeBody writes.
func (l *tokenList) frameLength() int {
	scratch := make([]byte, 0, 1<<10)
	n := len(l.appendTop(scratch)) + len(l.appendEnd(scratch))
	for _, t := range l.tokens {
		n += len(l.appendToken(scratch, t))
	}
	return n
}

// frameStart is the frame up to the body, with the length of all of it.
func (l *tokenList) frameStart(correlation int32) []byte {
	start := make([]byte, 8, 9)
	if l.IsFlexible() {
		start = append(start, 0)
	}
	binary.BigEndian.PutUint32(start, uint32(len(start)-4+l.frameLength()))
	binary.BigEndian.PutUint32(start[4:], uint32(correlation))
	return start
}

// writeBody writes the body in pieces.
func (l *tokenList) writeBody(w io.Writer) error {
	piece := l.appendTop(make([]byte, 0, pieceSize+pieceSize/8))
	for _, t := range l.tokens {
		piece = l.appendToken(piece, t)
		if len(piece) < pieceSize {
			continue
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
		piece = piece[:0]
	}
	_, err := w.Write(l.appendEnd(piece))
	return err
}

func (l *tokenList) appendTop(dst []byte) []byte {
	return l.appendLen(kbin.AppendInt16(dst, l.ErrorCode), len(l.tokens))
}

func (l *tokenList) appendToken(dst []byte, t *token) []byte {
	dst = l.appendPrincipal(dst, t.owner)
	if l.Version >= 3 {
		dst = l.appendPrincipal(dst, t.requester)
	}
	dst = kbin.AppendInt64(dst, t.issued)
	dst = kbin.AppendInt64(dst, t.expires)
	dst = kbin.AppendInt64(dst, t.maxEnds)
	dst = l.appendString(dst, t.id)
	if l.IsFlexible() {
		dst = kbin.AppendCompactBytes(dst, t.hmac[:])
	} else {
		dst = kbin.AppendBytes(dst, t.hmac[:])
	}
	dst = l.appendLen(dst, len(t.renewers))
	for _, r := range t.renewers {
		dst = l.appendTags(l.appendPrincipal(dst, r))
	}
	return l.appendTags(dst)
}

// appendEnd appends throttle_time_ms, which is last in every version.
func (l *tokenList) appendEnd(dst []byte) []byte {
	return l.appendTags(kbin.AppendInt32(dst, l.ThrottleMillis))
}

func (l *tokenList) appendPrincipal(dst []byte, p kafka.Principal) []byte {
	return l.appendString(l.appendString(dst, p.Type), p.Name)
}

func (l *tokenList) appendString(dst []byte, s string) []byte {
	if l.IsFlexible() {
		return kbin.AppendCompactString(dst, s)
	}
	return kbin.AppendString(dst, s)
}

func (l *tokenList) appendLen(dst []byte, n int) []byte {
	if l.IsFlexible() {
		return kbin.AppendCompactArrayLen(dst, n)
	}
	return kbin.AppendArrayLen(dst, n)
}

// appendTags ends a structure of a flexible version.
func (l *tokenList) appendTags(dst []byte) []byte {
	if l.IsFlexible() {
		return append(dst, 0)
	}
	return dst
}

// message is the answer as kmsg has it, for faults that edit answers.
func (l *tokenList) message() *kmsg.DescribeDelegationTokenResponse {
	m := kmsg.NewPtrDescribeDelegationTokenResponse()
	m.Version = l.Version
	_ = m.ReadFrom(l.AppendTo(nil)) // what was encoded just now decodes
	return m
}
