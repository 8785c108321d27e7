// Package raw speaks the Kafka protocol over one TCP connection and does
// nothing of its own accord: no retries, no re-authentication, no metadata, no
// version negotiation. Tests use it to see what a broker answers and not what
// a client makes of it. The messages are franz-go's kmsg.
package raw

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// maxFrame bounds an answer: a wrong port must not make a test allocate
// gigabytes.
const maxFrame = 64 << 20

// answerTime is how long one answer may take. Kafka waits 60 s for a
// controller, which no single-node test reaches.
const answerTime = 20 * time.Second

// Frame is one request or response as it went over the wire, without the four
// length bytes.
type Frame struct {
	Key, Version int16
	Response     bool
	Bytes        []byte
}

// Conn is one connection to a broker. It is not safe for concurrent use.
type Conn struct {
	// ClientID is sent in every request header.
	ClientID string
	// AuthenticateVersion is that of SaslAuthenticate; Dial sets the newest.
	AuthenticateVersion int16
	// Tap, where set, is given every frame that is sent or received.
	Tap func(Frame)

	net         net.Conn
	correlation int32
}

// Dial connects to addr; with a TLS configuration the handshake is done before
// Dial returns.
func Dial(ctx context.Context, addr string, config *tls.Config) (*Conn, error) {
	d := net.Dialer{Timeout: answerTime}
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	if config != nil {
		t := tls.Client(c, config)
		if err := t.HandshakeContext(ctx); err != nil {
			c.Close()
			return nil, fmt.Errorf("TLS with %s: %w", addr, err)
		}
		c = t
	}
	return &Conn{ClientID: "dtok-contract", AuthenticateVersion: 2, net: c}, nil
}

// Close closes the connection.
func (c *Conn) Close() error { return c.net.Close() }

// Do sends the request in the version it carries and reads its response. A
// connection that the broker closed gives io.EOF (or a reset).
func (c *Conn) Do(req kmsg.Request) (kmsg.Response, error) {
	id, err := c.Send(req)
	if err != nil {
		return nil, err
	}
	return c.Receive(req, id, answerTime)
}

// Send writes the request and returns its correlation id.
func (c *Conn) Send(req kmsg.Request) (int32, error) {
	c.correlation++
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID(c.ClientID))
	frame := f.AppendRequest(nil, req, c.correlation)
	c.tap(req, false, frame[4:])
	c.net.SetWriteDeadline(time.Now().Add(answerTime))
	_, err := c.net.Write(frame)
	return c.correlation, err
}

// Receive reads the response to the request that was sent with correlation id.
func (c *Conn) Receive(req kmsg.Request, id int32, wait time.Duration) (kmsg.Response, error) {
	frame, err := c.readFrame(wait)
	if err != nil {
		return nil, err
	}
	c.tap(req, true, frame)
	if len(frame) < 4 {
		return nil, fmt.Errorf("answer of %d bytes", len(frame))
	}
	if got := int32(binary.BigEndian.Uint32(frame)); got != id {
		return nil, fmt.Errorf("answer to request %d, want %d", got, id)
	}
	body := frame[4:]
	resp := req.ResponseKind()
	resp.SetVersion(req.GetVersion())
	if apiVersions, ok := resp.(*kmsg.ApiVersionsResponse); ok {
		// Its header never has a tag section, and a broker that does not
		// know the version answers in the format of version 0.
		if len(body) >= 2 && int16(binary.BigEndian.Uint16(body)) == 35 {
			apiVersions.SetVersion(0)
		}
	} else if resp.IsFlexible() {
		if len(body) == 0 || body[0] != 0 {
			return nil, fmt.Errorf("response header of key %d without an empty tag section", req.Key())
		}
		body = body[1:]
	}
	if err := resp.ReadFrom(body); err != nil {
		return nil, fmt.Errorf("response of key %d version %d: %w", req.Key(), req.GetVersion(), err)
	}
	return resp, nil
}

func (c *Conn) readFrame(wait time.Duration) ([]byte, error) {
	c.net.SetReadDeadline(time.Now().Add(wait))
	var head [4]byte
	if _, err := io.ReadFull(c.net, head[:]); err != nil {
		return nil, err
	}
	n := int32(binary.BigEndian.Uint32(head[:]))
	if n < 0 || n > maxFrame {
		return nil, fmt.Errorf("the answer claims to be %d bytes long: not a Kafka broker", n)
	}
	frame := make([]byte, n)
	_, err := io.ReadFull(c.net, frame)
	return frame, err
}

func (c *Conn) tap(req kmsg.Request, response bool, frame []byte) {
	if c.Tap != nil {
		c.Tap(Frame{Key: req.Key(), Version: req.GetVersion(), Response: response, Bytes: append([]byte(nil), frame...)})
	}
}
