package kerberos

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jcmturner/gokrb5/v8/iana/etypeID"
	"github.com/jcmturner/gokrb5/v8/keytab"
	"github.com/jcmturner/gokrb5/v8/messages"
	"github.com/jcmturner/gokrb5/v8/types"
)

const realm = "EXAMPLE.COM"

// password is what the keys of the tests are made of, and may be in no text.
const password = "s3cr3t-password"

func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// config is a krb5.conf for a KDC at address.
func krb5Conf(t *testing.T, address string) string {
	return write(t, "krb5.conf", fmt.Appendf(nil, `[libdefaults]
  default_realm = %s
  dns_lookup_kdc = false
  udp_preference_limit = 1
  default_tkt_enctypes = aes256-cts-hmac-sha1-96
  permitted_enctypes = aes256-cts-hmac-sha1-96
[realms]
  %s = {
    kdc = %s
  }
`, realm, realm, address))
}

func keytabOf(t *testing.T, principals ...string) []byte {
	t.Helper()
	keys := keytab.New()
	for _, p := range principals {
		if err := keys.AddEntry(p, realm, password, time.Now(), 1, etypeID.AES256_CTS_HMAC_SHA1_96); err != nil {
			t.Fatal(err)
		}
	}
	b, err := keys.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// cacheOf is a ticket cache, version 4 of the format, of alice with a ticket
// for server that ends at end. The ticket itself is nothing that a KDC gave.
func cacheOf(server string, end time.Time) []byte {
	var b []byte
	number := func(n int) { b = binary.BigEndian.AppendUint32(b, uint32(n)) }
	data := func(s string) { number(len(s)); b = append(b, s...) }
	principal := func(name string) {
		parts := strings.Split(name, "/")
		number(1) // the type of the name
		number(len(parts))
		data(realm)
		for _, part := range parts {
			data(part)
		}
	}
	b = append(b, 5, 4, 0, 0)
	principal("alice")
	principal("alice")
	principal(server)
	b = append(b, 0, byte(etypeID.AES256_CTS_HMAC_SHA1_96))
	data(strings.Repeat("k", 32))
	for _, at := range []time.Time{end.Add(-time.Hour), end.Add(-time.Hour), end, end} {
		number(int(at.Unix()))
	}
	b = append(b, 0, 0, 0, 0, 0)
	number(0)
	number(0)
	data("no ticket")
	data("")
	return b
}

// kdc answers every request with the code of an error, after so many bytes of
// it as were asked for, and counts.
type stubKDC struct {
	address string
	asked   atomic.Int32
}

func startKDC(t *testing.T, answer func(net.Conn)) *stubKDC {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	k := &stubKDC{address: l.Addr().String()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			k.asked.Add(1)
			go func() { defer c.Close(); answer(c) }()
		}
	}()
	return k
}

// refusing answers with one of the KDC's codes.
func refusing(code int32) func(net.Conn) {
	return func(c net.Conn) {
		var size [4]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		_, _ = io.CopyN(io.Discard, c, int64(binary.BigEndian.Uint32(size[:])))
		e := messages.NewKRBError(types.NewPrincipalName(2, "krbtgt/"+realm), realm, code, "free text")
		b, err := e.Marshal()
		if err != nil {
			return
		}
		_, _ = c.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...))
	}
}

// told fails unless err is an *Error with want in it and no key.
func told(t *testing.T, err error, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
		t.Errorf("%T %v, want %q", err, err, want)
		return
	}
	said := fmt.Sprintf("%v %+v %s", err, err, e.Hint())
	for _, leak := range []string{password, "kkkk", "free text", "Root cause"} {
		if strings.Contains(said, leak) {
			t.Errorf("%q holds %q", said, leak)
		}
	}
}
