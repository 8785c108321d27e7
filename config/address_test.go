package config

import (
	"slices"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for _, tt := range []struct {
		list string
		want []string // nil: an error that holds fault
		bad  string
	}{
		{"a:1, b:2", []string{"a:1", "b:2"}, ""},
		{"a:1,,b:2,", []string{"a:1", "b:2"}, ""},
		{"\ta:1 ,\n b:2\r", []string{"a:1", "b:2"}, ""},
		{"SASL_SSL://b:9093", []string{"b:9093"}, ""},
		{"[::1]:9092", []string{"[::1]:9092"}, ""},
		{"::1:9092", []string{"[::1]:9092"}, ""},
		{"[fe80::1%eth0]:9092", []string{"[fe80::1%eth0]:9092"}, ""},
		{"b-1.x_y.example.com:09092", []string{"b-1.x_y.example.com:9092"}, ""},
		{"host", nil, "bootstrap server 1 (\"host\") has no port: write HOST:PORT"},
		{"a:1,host:", nil, "bootstrap server 2 (\"host:\") has no port from 1 to 65535"},
		{"host:99999", nil, "has no port from 1 to 65535"},
		{"host:0", nil, "has no port from 1 to 65535"},
		{"host:-1", nil, "has no port from 1 to 65535"},
		{"host:9092/path", nil, "has no port from 1 to 65535"},
		{":9092", nil, "has no host"},
		{"[::1:9092", nil, "has no ]"},
		{"a b:9092", nil, "has no host that can be dialled"},
		{"a\tb:9092", nil, `("a\tb:9092")`},
		{"b\u00fccher:9092", nil, "has no host that can be dialled"},
		{"://a:1", nil, "has no protocol before ://"},
		{"", nil, "no bootstrap server is given"},
		{" , ,", nil, "no bootstrap server is given"},
		{"https://u:s3cr3t@a:1", nil, "(not shown: an @ can follow a password)"},
	} {
		got, err := Addresses(tt.list)
		switch {
		case tt.bad == "" && (err != nil || !slices.Equal(got, tt.want)):
			t.Errorf("%q: %v %v, want %v", tt.list, got, err, tt.want)
		case tt.bad != "" && (err == nil || !strings.Contains(err.Error(), tt.bad)):
			t.Errorf("%q: %v %v, want …%s", tt.list, got, err, tt.bad)
		}
		if err != nil && strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%q: the error shows a password", tt.list)
		}
	}
}
