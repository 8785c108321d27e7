package kerberos

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

func login(t *testing.T, address string) Login {
	return Login{Service: "kafka", Principal: "alice", Keytab: write(t, "keytab", keytabOf(t, "alice")), Config: krb5Conf(t, address)}
}

// What a KDC says has one sentence each, and it is asked once.
func TestKDCRefuses(t *testing.T) {
	for code, want := range map[int32]string{
		6:  "the KDC does not know the principal alice@" + realm,
		7:  "the KDC knows no service kafka/broker1.example",
		14: "supports no encryption",
		18: "is locked at the KDC",
		23: "has expired at the KDC",
		37: "clock and the KDC's differ",
		60: "getting a ticket of alice@" + realm + " for kafka/broker1.example failed (KRB_ERR_GENERIC)",
	} {
		k := startKDC(t, refusing(code))
		_, _, err := login(t, k.address).Ticket(t.Context(), "broker1.example")
		told(t, err, want)
		if n := k.asked.Load(); n != 1 {
			t.Errorf("code %d: asked %d times", code, n)
		}
	}
}

func TestKDCIsNotThere(t *testing.T) {
	free := startKDC(t, func(net.Conn) {})
	_, _, err := login(t, free.address).Ticket(t.Context(), "broker1.example")
	told(t, err, "the KDC of "+realm+" cannot be reached ("+free.address)

	ctx, cancel := context.WithCancel(t.Context())
	silent := startKDC(t, func(c net.Conn) { cancel(); _, _ = c.Read(make([]byte, 1<<16)); <-t.Context().Done() })
	if _, _, err = login(t, silent.address).Ticket(ctx, "broker1.example"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}

	noise := startKDC(t, func(c net.Conn) { _, _ = c.Write([]byte("\x00\x00\x00\x04abcd")) })
	_, _, err = login(t, noise.address).Ticket(t.Context(), "broker1.example")
	told(t, err, "getting a ticket")

	nowhere := login(t, "127.0.0.1:1")
	nowhere.Principal = "alice@OTHER"
	nowhere.Keytab = write(t, "keytab", keytabOf(t, "alice"))
	_, _, err = nowhere.Ticket(t.Context(), "broker1.example")
	told(t, err, "has no key of alice@OTHER")
}

func TestKeytab(t *testing.T) {
	whole := keytabOf(t, "alice", "svc/host.example")
	for name, test := range map[string]struct {
		content   []byte
		principal string
		want      string
	}{
		"another principal": {whole, "bob", "has no key of bob@" + realm},
		"another realm":     {whole, "alice@OTHER", "has no key of alice@OTHER"},
		"no principal":      {whole, "", "the principal has to be named"},
		"cut":               {whole[:len(whole)-10], "svc/host.example", "is no keytab, or is damaged"},
		"cut in a name":     {append(whole[:4:4], 0, 0, 0, 3, 1, 2, 3), "alice", ""},
		"text":              {[]byte(password), "alice", "is no keytab"},
		"empty":             {nil, "alice", "is no keytab"},
	} {
		t.Run(name, func(t *testing.T) {
			l := login(t, "127.0.0.1:1")
			l.Principal, l.Keytab = test.principal, write(t, "keytab", test.content)
			_, _, err := l.Ticket(t.Context(), "broker1.example")
			told(t, err, test.want)
		})
	}
	l := login(t, "127.0.0.1:1")
	l.Keytab += ".missing"
	_, _, err := l.Ticket(t.Context(), "broker1.example")
	told(t, err, "cannot be read: no such file")
}

func TestTicketCache(t *testing.T) {
	soon := time.Now().Add(time.Hour)
	good := cacheOf("krbtgt/"+realm, soon)
	for name, test := range map[string]struct {
		content   []byte
		principal string
		want      string
	}{
		"expired":        {cacheOf("krbtgt/"+realm, time.Now().Add(-time.Minute)), "", "the ticket of alice@" + realm + " in the cache"},
		"of another":     {good, "bob", "is that of alice@" + realm + ", not of bob@" + realm},
		"without a TGT":  {cacheOf("kafka/broker1.example", soon), "", "has no ticket for the realm"},
		"damaged ticket": {good, "alice", "the tickets in the cache"},
		"cut":            {good[:len(good)/2], "", "is no ticket cache, or is damaged"},
		"empty":          {nil, "", "is no ticket cache"},
		"text":           {[]byte("nothing"), "", "is no ticket cache"},
	} {
		t.Run(name, func(t *testing.T) {
			l := login(t, "127.0.0.1:1")
			l.Principal, l.Keytab, l.Cache = test.principal, "", write(t, "cache", test.content)
			_, _, err := l.Ticket(t.Context(), "broker1.example")
			told(t, err, test.want)
		})
	}
	l := login(t, "127.0.0.1:1")
	l.Keytab, l.Cache = "", "/no/such/cache"
	_, _, err := l.Ticket(t.Context(), "broker1.example")
	told(t, err, "there is no ticket cache at /no/such/cache")
	// With a keytab as well, a cache that is of no use is passed over.
	k := startKDC(t, refusing(6))
	both := login(t, k.address)
	both.Cache = "/no/such/cache"
	_, _, err = both.Ticket(t.Context(), "broker1.example")
	told(t, err, "does not know the principal")
}

func FuzzFiles(f *testing.F) {
	f.Add([]byte{5, 2, 0, 0, 0, 3, 1, 2, 3})
	f.Add(cacheOf("krbtgt/"+realm, time.Unix(4102444800, 0)))
	f.Add([]byte{5, 4, 0, 12, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<12 {
			t.Skip()
		}
		path := write(t, "file", content)
		if _, err := readKeytab(path, "alice", realm); err != nil {
			told(t, err, "keytab")
		}
		if _, err := readCache(path); err != nil {
			told(t, err, "ticket cache")
		}
		conf := write(t, "krb5.conf", content)
		if _, err := readConfig(conf); err != nil && strings.Contains(err.Error(), "\x00\x00\x00") {
			t.Errorf("%q", err)
		}
	})
}
