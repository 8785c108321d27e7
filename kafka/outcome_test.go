package kafka

import (
	"context"
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// A31: after the bytes have left, everything but an answer is unknown, and
// exactly one request was sent.
func TestUnknownOutcomes(t *testing.T) {
	t.Parallel()
	reached := make(chan struct{}, 1)
	faults := map[string]func(kmsg.Request) answer{
		"connection lost": func(kmsg.Request) answer { return answer{drop: true} },
		"half an answer":  func(kmsg.Request) answer { return answer{half: true, raw: make([]byte, 40)} },
		"no answer":       func(kmsg.Request) answer { return answer{hang: true} },
		"cancelled":       func(kmsg.Request) answer { reached <- struct{}{}; return answer{hang: true} },
		"code 7":          nil,
		"code -1":         nil,
	}
	for name, fault := range faults {
		for _, key := range []int16{38, 39, 40} {
			s := managed(t)
			code := map[string]Code{"code 7": 7, "code -1": -1}[name]
			s.set(key, fault)
			if fault == nil {
				s.set(key, map[int16]func(kmsg.Request) answer{38: createCode(code), 39: renews(code), 40: expires(code, 0)}[key])
			}
			c, _ := dialStub(t, s, func(s *Settings) {
				if name == "no answer" {
					s.ChangeTimeout = time.Second // the reading before it is within that too
				}
			})
			ctx, cancel := context.WithCancel(t.Context())
			if name == "cancelled" {
				go func() { <-reached; cancel() }()
			}
			err := map[int16]func() error{
				38: func() error { return errCreated(c.CreateToken(ctx, CreateRequest{Owner: alice})) },
				39: func() error {
					return errRenewed(c.RenewToken(ctx, RenewRequest{Token: token1(c), HMAC: secretOf(hmac1)}))
				},
				40: func() error {
					return errExpired(c.ExpireToken(ctx, ExpireRequest{Token: token1(c), HMAC: secretOf(hmac1)}))
				},
			}[key]()
			cancel()
			e := as[*UnknownOutcomeError](t, err)
			if !strings.Contains(e.Error(), "may or may not have happened") || !strings.Contains(e.Error(), "not sent it again") {
				t.Errorf("%s, key %d: %v", name, key, e)
			}
			if name == "cancelled" && (!errors.Is(err, context.Canceled) || !strings.Contains(e.Error(), "dtok stopped waiting for the answer")) {
				t.Errorf("%v", err)
			}
			if n := s.count(key); n != 1 {
				t.Errorf("%s: key %d was sent %d times", name, key, n)
			}
			noLeak(t, e.Error()+e.Hint())
			// The client goes on.
			if _, err := c.Tokens(t.Context(), alice); err != nil {
				t.Errorf("%s: the next reading: %v", name, err)
			}
		}
	}
}

// unwritable is a connection that breaks at the request with one key, after so
// many of its bytes.
type unwritable struct {
	net.Conn
	key   byte
	after int
}

func (u unwritable) Write(b []byte) (int, error) {
	if len(b) > 5 && b[4] == 0 && b[5] == u.key {
		n, _ := u.Conn.Write(b[:u.after])
		return n, syscall.ECONNRESET
	}
	return u.Conn.Write(b)
}

// A connection may break between the reading that proves it and the change. Of
// a change that did not begin to leave, nothing is unknown, also not to who goes
// by its phase; of one that did, all is.
func TestChangeThatCannotBeWritten(t *testing.T) {
	for _, key := range []byte{38, 39, 40} {
		for _, after := range []int{0, 1, 30} {
			s := managed(t)
			c, err := dialWith(t.Context(), settingsFor(s), func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
				return unwritable{conn, key, after}, err
			}, newTestClock().clock())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.Close)
			var progress Progress
			switch key {
			case 38:
				err = errCreated(c.CreateToken(t.Context(), CreateRequest{Owner: alice, Progress: &progress}))
			case 39:
				err = errRenewed(c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: secretOf(hmac1), Progress: &progress}))
			case 40:
				err = errExpired(c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: secretOf(hmac1), Progress: &progress}))
			}
			_, unknown := errors.AsType[*UnknownOutcomeError](err)
			if unknown != (after > 0) || err == nil || strings.HasSuffix(err.Error(), "nothing was sent") == unknown {
				t.Errorf("key %d after %d bytes: %v", key, after, err)
			}
			if (progress.Phase() == PhaseSent) != unknown || s.count(int16(key)) != 0 {
				t.Errorf("key %d after %d bytes: phase %d, %d requests", key, after, progress.Phase(), s.count(int16(key)))
			}
		}
	}
}

// A pasted HMAC can be wiped while its change waits for an answer.
func TestSecretsCanBeDestroyedUnderAChange(t *testing.T) {
	pasted := secretOf(hmac1)
	s := managed(t, func(s *stub) {
		s.set(39, func(r kmsg.Request) answer {
			pasted.Destroy() // would wait for ever if the change held it
			return renews(0)(r)
		})
	})
	c, _ := dialStub(t, s)
	if _, err := c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: pasted}); err != nil {
		t.Error(err)
	}
}

// A change is not what finds out that the broker has closed the connection.
func TestChangesComeOverAProvenConnection(t *testing.T) {
	s := managed(t)
	c, _ := dialStub(t, s)
	s.closeConns()
	if _, err := c.CreateToken(t.Context(), CreateRequest{Owner: alice}); err != nil {
		t.Error(err)
	}
	s.closeConns()
	if _, err := c.RenewToken(t.Context(), RenewRequest{Token: token1(c), HMAC: secretOf(hmac1)}); err != nil {
		t.Error(err)
	}
	if s.count(38) != 1 || s.count(39) != 1 || s.connections() != 3 {
		t.Errorf("%d creations, %d renewals, %d connections", s.count(38), s.count(39), s.connections())
	}
	// When the reading before fails, nothing was sent, and that is said.
	s.set(41, func(kmsg.Request) answer { return answer{drop: true} })
	err := errExpired(c.ExpireToken(t.Context(), ExpireRequest{Token: token1(c), HMAC: secretOf(hmac1)}))
	if _, unknown := errors.AsType[*UnknownOutcomeError](err); unknown || err == nil || !strings.HasSuffix(err.Error(), "nothing was sent") || s.count(40) != 0 {
		t.Errorf("%v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	err = errCreated(c.CreateToken(cancelled, CreateRequest{Owner: alice}))
	if !errors.Is(err, context.Canceled) || s.count(38) != 1 {
		t.Errorf("%v", err)
	}
}
