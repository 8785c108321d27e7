package kafka

import (
	"fmt"
	"net"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// BenchmarkTokens is a whole reading of all tokens over loopback: ask, receive,
// decode, fingerprint and clear.
func BenchmarkTokens(b *testing.B) {
	for _, n := range []int{1000, 100000} {
		tokens := make([]kmsg.DescribeDelegationTokenResponseTokenDetail, n)
		for i := range tokens {
			tokens[i] = detail(fmt.Sprintf("tok%019d", i), UserPrincipal(fmt.Sprintf("job-%04d", i%2000)), hmac1, ops)
		}
		out := kmsg.NewPtrDescribeDelegationTokenResponse()
		out.SetVersion(3)
		out.TokenDetails = tokens
		body := out.AppendTo(nil)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			prints := newFingerprinter()
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				d := &describing{}
				if _, err := d.call(prints).read(3, body); err != nil || len(d.tokens) != n {
					b.Fatal(err, len(d.tokens))
				}
			}
		})
	}
}

// BenchmarkSignInAndList is from the first byte to a decoded list of one token.
func BenchmarkSignInAndList(b *testing.B) {
	s := &stub{on: map[int16]func(kmsg.Request) answer{}, offered: kafka44(), level: 33,
		sasl: &saslStub{mechanisms: []string{"PLAIN"}, users: map[string]string{"ops": "ops-secret"}}}
	s.lists(detail("t-1", alice, hmac1))
	var err error
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		b.Fatal(err)
	}
	defer s.listener.Close()
	s.wg.Add(1)
	go s.accept()
	for b.Loop() {
		c, err := Dial(b.Context(), settingsFor(s))
		if err != nil {
			b.Fatal(err)
		}
		if l, err := c.Tokens(b.Context(), alice); err != nil || len(l.Tokens) != 1 {
			b.Fatal(err)
		}
		c.Close()
	}
}
