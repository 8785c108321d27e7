package demo

import (
	"net"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// FuzzFrame feeds whole frames to a connection that has signed in, and to one
// that has not. Nothing may panic, and what is answered must be a frame.
func FuzzFrame(f *testing.F) {
	format := kmsg.NewRequestFormatter()
	for _, req := range []kmsg.Request{createRequest("User:bob", -1, "User:x"), describeRequest("User:bob"), describeRules(anyRule()), createRules(allowed(bob, opRead, topicResource, "t")), deleteRules(anyRule()), describeScram(alice), kmsg.NewPtrApiVersionsRequest(), kmsg.NewPtrMetadataRequest(), &kmsg.SASLHandshakeRequest{Version: 1, Mechanism: "PLAIN"}, &kmsg.DescribeClientQuotasRequest{Version: 1, Components: []kmsg.DescribeClientQuotasRequestComponent{component("user", 0, "a")}}, alterQuotasRequest(alteration(set("producer_byte_rate", 1), "user", "a"))} {
		f.Add(format.AppendRequest(nil, req, 1)[4:])
	}
	b := start(f, Options{Cluster: Cluster{Lag: -1}})
	here, there := net.Pipe()
	f.Cleanup(func() { _ = here.Close(); _ = there.Close() })
	f.Fuzz(func(t *testing.T, frame []byte) {
		for _, l := range []Listener{Plaintext, SASLPlaintext} {
			c := b.newConnection(b.listeners[l], here)
			if l == Plaintext {
				c.session.principal = kafka.UserPrincipal(admin)
			}
			answer, _ := c.handle(frame)
			if len(answer) > 0 {
				if _, err := readFrame(strings.NewReader(string(answer)), len(answer)); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// FuzzScram feeds messages to the server's side of SCRAM and PLAIN. Nobody
// gets in with them.
func FuzzScram(f *testing.F) {
	f.Add([]byte("n,,n=alice,r=abc"), []byte("c=biws,r=abc,p=AAAA"))
	f.Add([]byte("n,a=alice,m=x,n=a=2Cb,r=abc,tokenauth=true"), []byte("c=biws,r=abc,x=y,p="))
	f.Add([]byte("\x00alice\x00x"), []byte("\x00\x00\x00"))
	cred := passwordCredential(scramSHA256, "never sent")
	f.Fuzz(func(t *testing.T, first, final []byte) {
		x := &scramExchange{mechanism: scramSHA256, lookup: func(string, bool) (*credential, identity, bool) { return cred, identity{}, true }}
		if _, done, err := x.next(first); err == nil && !done {
			if _, done, err := x.next(final); err == nil || done {
				t.Fatal("signed in without the password")
			}
		}
		p := &plainExchange{passwords: map[string]string{"alice": "never sent"}}
		if _, done, _ := p.next(first); done {
			t.Fatal("signed in by PLAIN")
		}
	})
}
