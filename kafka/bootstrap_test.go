package kafka

import (
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// B6.
func TestParseBootstrap(t *testing.T) {
	for in, want := range map[string][]string{
		"a:1":                          {"a:1"},
		"a:1, b:2":                     {"a:1", "b:2"},
		"a:1,,b:2,":                    {"a:1", "b:2"},
		" a:1\n\tb:2\r\n":              {"a:1", "b:2"},
		"b:2,a:1,b:2":                  {"b:2", "a:1"},
		"SASL_SSL://b:9093":            {"b:9093"},
		"PLAINTEXT://a:1,SSL://b:2":    {"a:1", "b:2"},
		"[::1]:9092":                   {"[::1]:9092"},
		"SASL_SSL://[fe80::1%eth0]:99": {"[fe80::1%eth0]:99"},
		"10.0.0.1:09092":               {"10.0.0.1:9092"},
		"my_broker.local:65535":        {"my_broker.local:65535"},
		"B-1.example.com:9096":         {"B-1.example.com:9096"},
	} {
		got, err := ParseBootstrap(in)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{
		"":                     "no bootstrap address",
		" ,\n,":                "no bootstrap address",
		"host":                 "port is missing",
		"host:":                "port is missing",
		"host:99999":           "from 1 to 65535",
		"host:0":               "from 1 to 65535",
		"host:-1":              "from 1 to 65535",
		"host:+9":              "from 1 to 65535",
		"host:90a":             "from 1 to 65535",
		"host:٣":               "from 1 to 65535",
		":9092":                "host is missing",
		"::1:9092":             "in brackets",
		"a:1:2":                "in brackets",
		"[::1]":                "port is missing",
		"[::1]9092":            "port is missing",
		"[::1:9092":            "IPv6 address is expected",
		"[10.0.0.1]:9092":      "IPv6 address is expected",
		"[fe80::1%]:1":         "network interface",
		"[fe80::1%e/0]:1":      "network interface",
		"[fe80::1%e\x1d0]:1":   "network interface",
		"[fe80::1%e%0]:1":      "network interface",
		"[10.0.0.1%e]:1":       "IPv6 address is expected",
		"a:1,b":                "address 2 of 2",
		"http://":              "host is missing",
		"a/b:9092":             "not a host name",
		"-a:9092":              "not a host name",
		"ho\x00st:9092":        "not a host name",
		"https://host:9092/x":  "from 1 to 65535",
		"ops:s3cr3t@host:9092": "credentials do not belong",
	} {
		got, err := ParseBootstrap(in)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
}

func FuzzParseBootstrap(f *testing.F) {
	for _, seed := range []string{"a:1, b:2", "SASL_SSL://b:9093", "[::1]:9092", "::1:9092", "host:", "host:99999", "a:1,,b:2,\n", "[fe80::1%25]:1", "x://[y]:1", "[::1%2\x1d&&/5]:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		list, err := ParseBootstrap(in)
		if (err == nil) == (len(list) == 0) {
			t.Fatalf("%q: %v, %v", in, list, err)
		}
		for _, a := range list {
			host, port, err := net.SplitHostPort(a)
			if err != nil || host == "" || port == "" || port == "0" || strings.ContainsAny(a, " ,\n\t@/") {
				t.Fatalf("%q gives the address %q", in, a)
			}
			if again, err := ParseBootstrap(a); err != nil || len(again) != 1 || again[0] != a {
				t.Fatalf("%q is read back as %q, %v", a, again, err)
			}
		}
	})
}
