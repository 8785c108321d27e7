package kafka

import (
	"encoding/binary"
	"io"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// bytes is the whole frame; half of it where the answer says so.
func (a answer) bytes(id int32, req kmsg.Request) []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 4), uint32(id))
	if req.Key() != 18 && req.IsFlexible() {
		b = append(b, 0)
	}
	if a.msg != nil {
		b = a.msg.AppendTo(b)
	} else {
		b = append(b, a.raw...)
	}
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	if a.half {
		return b[:len(b)/2]
	}
	return b
}

func readAll(c io.Reader) ([]byte, bool) {
	var head [4]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return nil, false
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > 100<<20 {
		return nil, false // socket.request.max.bytes
	}
	frame := make([]byte, size)
	_, err := io.ReadFull(c, frame)
	return frame, err == nil
}

// decode reads a request with kmsg; nil for one that is not valid.
func (s *stub) decode(b []byte) (id int32, req kmsg.Request) {
	if len(b) < 10 {
		return 0, nil
	}
	key, version := int16(binary.BigEndian.Uint16(b)), int16(binary.BigEndian.Uint16(b[2:]))
	id = int32(binary.BigEndian.Uint32(b[4:]))
	client := int(int16(binary.BigEndian.Uint16(b[8:])))
	req = kmsg.RequestForKey(key)
	if req == nil || len(b) < 10+client {
		return id, nil
	}
	req.SetVersion(version)
	body := b[10+max(client, 0):]
	if req.IsFlexible() {
		body = body[1:]
	}
	if err := req.ReadFrom(body); err != nil {
		s.t.Errorf("the client sent a %s v%d that kmsg cannot read: %v", kmsg.NameForKey(key), version, err)
		return id, nil
	}
	return id, req
}

// describeV3 is a request whose answer has a flexible header.
func describeV3() kmsg.Request {
	r := kmsg.NewPtrDescribeDelegationTokenRequest()
	r.SetVersion(3)
	return r
}
