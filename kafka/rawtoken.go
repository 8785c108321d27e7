package kafka

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"time"
)

// exchangeRaw sends one SASL token without a Kafka header and reads one back,
// as brokers before 1.0 expect after a handshake v0 (KIP-43).
func (cn *conn) exchangeRaw(ctx context.Context, wait time.Duration, token []byte) (challenge []byte, err error) {
	defer context.AfterFunc(ctx, cn.close)()
	cn.allow(wait)
	out := binary.BigEndian.AppendUint32(make([]byte, 0, len(token)+4), uint32(len(token)))
	out = append(out, token...)
	defer clear(out)
	sent := cn.log.bareToken(len(out))
	defer func() { cn.log.bareAnswer(sent, len(challenge), err) }()
	if _, err := cn.net.Write(out); err != nil {
		return nil, faultOf(ctx, err, wait)
	}
	var head [4]byte
	if n, err := io.ReadFull(cn.net, head[:]); err != nil {
		return nil, faultOf(ctx, cutAfter(n, err), wait)
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > maxFrame {
		return nil, &FaultError{Fault: FaultTooBig, Size: int64(size)}
	}
	var in bytes.Buffer
	if _, err := io.CopyN(&in, cn.net, int64(size)); err != nil {
		return nil, faultOf(ctx, cutAfter(1, err), wait)
	}
	return in.Bytes(), nil
}
