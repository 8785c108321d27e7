package kafka

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka/wire"
)

// Whatever holds a Secret can be printed in every way without showing it.
func TestSecretsDoNotPrint(t *testing.T) {
	holders := map[string]any{
		"secret": secretOf(hmac1), "created": Created{Token: Token{ID: "t-1"}, HMAC: secretOf(hmac1)}, "pointer": &Created{HMAC: secretOf(hmac1)},
		"renew": RenewRequest{HMAC: secretOf(hmac1)}, "expire": ExpireRequest{HMAC: secretOf(hmac1)}, "slice": []*Secret{secretOf(hmac1)},
		"map": map[string]*Secret{"x": secretOf(hmac1)}, "settings": Settings{SASL: plainAs("ops", "ops-secret")}, "credentials": *plainAs("ops", "ops-secret"),
		"value": *secretOf(hmac1), "text": NewSecret([]byte(hmac1Text)), "client": &Client{settings: Settings{SASL: plainAs("ops", "ops-secret")}},
	}
	for name, v := range holders {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%o", "%c", "%U", "%T"} {
			noLeak(t, fmt.Sprintf(verb, v))
		}
		noLeak(t, fmt.Sprint(v)+fmt.Sprintln(v)+fmt.Errorf("%w %v", errors.New("x"), v).Error())
		var out bytes.Buffer
		slog.New(slog.NewTextHandler(&out, nil)).Info("x", "v", v)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "v", v)
		if name != "client" { // holds channels and functions
			encoded, err := json.Marshal(v)
			if err != nil {
				fmt.Fprint(&out, err)
			}
			out.Write(encoded)
		}
		func() {
			defer func() { fmt.Fprintf(&out, "%v %+v", recover(), v) }()
			panic(v)
		}()
		noLeak(t, out.String())
	}
}

func TestSecretLifetime(t *testing.T) {
	raw := bytes.Clone(hmac1)
	s := NewSecret(raw)
	if !bytes.Equal(raw, make([]byte, 64)) {
		t.Error("NewSecret left the caller's bytes")
	}
	clone := s.Clone()
	var kept []byte
	s.Use(func(b []byte) { kept = b })
	s.Destroy()
	s.Destroy()
	if s.Len() != 0 || !bytes.Equal(kept, make([]byte, 64)) || clone.Len() != 64 {
		t.Errorf("after Destroy: %d bytes, clone %d", s.Len(), clone.Len())
	}
	var none *Secret
	none.Destroy()
	none.Use(func(b []byte) {
		if b != nil {
			t.Error("a nil Secret has bytes")
		}
	})
	if none.Len() != 0 || none.Clone().Len() != 0 {
		t.Error("a nil Secret has a length")
	}
	HMACText(clone, func(text []byte) {
		if string(text) != hmac1Text {
			t.Error("wrong base64 text")
		}
		kept = text
	})
	if !bytes.Equal(kept, make([]byte, HMACTextSize)) {
		t.Error("the text outlives its use")
	}
}

// Kafka-go encodes into pages of a pool. Whoever encodes next must not find an
// HMAC in them: the writer below looks at the whole page it is lent.
func TestNoHMACStaysInTheEncoder(t *testing.T) {
	cn := &conn{clientID: "dtok", offers: offers{ranges: map[protocol.ApiKey]versionRange{protocol.RenewDelegationToken: {0, 2}}}}
	for range 50 {
		out := outgoing{}
		if err := cn.encode(&out, &call{req: &wire.RenewRequest{HMAC: hmac1, PeriodMs: -1}}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(out.buf, hmac1) {
			t.Fatal("the request lacks its HMAC")
		}
		all := out.buf[:cap(out.buf)]
		out.wipe()
		if bytes.Contains(all, hmac1[:16]) {
			t.Fatal("wipe left the HMAC")
		}
		if err := wire.WriteRequest(pageSearch{t}, 0, 1, "x", &wire.RenewRequest{}); err != nil {
			t.Fatal(err)
		}
	}
}

// A frame with a password is made in one piece: an outgrown one would stay in
// memory with the password in it.
func TestAFrameNeverMoves(t *testing.T) {
	for _, size := range []int{0, 10, 200, 255, 256, 1000, 100_000} {
		token := bytes.Repeat(hmac1[:1], size)
		for v := int16(0); v <= 2; v++ {
			frame := encoded{&kmsg.SASLAuthenticateRequest{SASLAuthBytes: token}}.frame(v, 1, strings.Repeat("c", 500))
			if n := bytes.Count(frame, hmac1[:1]); n < size || cap(frame) != cap(make([]byte, 0, 256+500+size)) {
				t.Errorf("%d bytes, v%d: room for %d, %d of the token", size, v, cap(frame), n)
			}
		}
	}
}

type pageSearch struct{ t *testing.T }

func (p pageSearch) Write(b []byte) (int, error) {
	if bytes.Contains(b[:cap(b)], hmac1[8:24]) {
		p.t.Fatal("a pooled page still holds an HMAC")
	}
	return len(b), nil
}

func TestOutgoingGrows(t *testing.T) {
	out := outgoing{buf: make([]byte, 0, 4)}
	var want []byte
	for i := range 100 {
		page := bytes.Repeat([]byte{byte(i)}, i)
		want = append(want, page...)
		if _, err := out.Write(page); err != nil || bytes.ContainsFunc(page, func(r rune) bool { return r != 0 }) {
			t.Fatal("the page was not cleared")
		}
	}
	if !bytes.Equal(out.buf, want) {
		t.Error("the bytes are not the ones written")
	}
}

// The bytes of an answer with HMACs are gone when it has been read.
func TestFramesAreCleared(t *testing.T) {
	var frame []byte
	client, server := net.Pipe()
	defer server.Close()
	cn := &conn{net: client, below: client, clientID: "dtok", offers: offers{ranges: map[protocol.ApiKey]versionRange{protocol.DescribeDelegationToken: {0, 3}}}}
	go func() {
		_, _ = readAll(server)
		body := answer{raw: append([]byte{0, 0}, hmac1...)}
		_, _ = io.Copy(server, bytes.NewReader(body.bytes(1, describeV3())))
	}()
	ask := &call{req: encoded{&kmsg.DescribeDelegationTokenRequest{}}, read: func(_ int16, body []byte) (Code, error) { frame = body; return CodeNone, nil }}
	if err := cn.exchange(context.Background(), 1<<40, ask); err != nil || ask.err != nil {
		t.Fatal(err, ask.err)
	}
	if len(frame) != 66 || !bytes.Equal(frame, make([]byte, 66)) {
		t.Errorf("%d bytes, not all cleared", len(frame))
	}
}

func TestFingerprints(t *testing.T) {
	f := newFingerprinter()
	one := f.of(hmac1)
	if !f.matches(one, secretOf(hmac1)) || f.matches(one, secretOf(hmac2)) || f.matches(one, nil) || f.matches(one, secretOf(hmac1[:63])) {
		t.Error("a fingerprint does not tell HMACs apart")
	}
	if newFingerprinter().matches(one, secretOf(hmac1)) {
		t.Error("two processes make the same fingerprint")
	}
	if strings.Contains(fmt.Sprintf("%x", one), fmt.Sprintf("%x", hmac1[:8])) {
		t.Error("a fingerprint shows the HMAC")
	}
	if n := testing.AllocsPerRun(100, func() { f.of(hmac1) }); n > 0 {
		t.Errorf("%v allocations a fingerprint", n)
	}
}

func TestFingerprintOfText(t *testing.T) {
	f := NewFingerprint(hmac1)
	if !f.Matches(hmac1) || f.Matches(hmac2) || f.Matches(hmac1[:63]) || f.Matches(nil) {
		t.Error("a fingerprint does not tell texts apart")
	}
	if (Fingerprint{}).Matches(nil) || (Fingerprint{}).Matches(hmac1) {
		t.Error("no fingerprint recognises a text")
	}
	if NewFingerprint(hmac1) == f {
		t.Error("two fingerprints of a text can be compared")
	}
	if strings.Contains(fmt.Sprintf("%x", f), fmt.Sprintf("%x", hmac1[:8])) {
		t.Error("a fingerprint shows the text")
	}
}
