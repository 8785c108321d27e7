package config

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// Addresses cuts a bootstrap list, as in bootstrap.servers and after
// --bootstrap-server, into HOST:PORT in the form of net.JoinHostPort. It takes
// what Kafka's Utils.getHost takes: blanks around an entry, a protocol before
// it (SASL_SSL://b:9093), and IPv6 with or without brackets; empty entries are
// skipped. An error names the entry by its place.
func Addresses(list string) ([]string, error) {
	var out []string
	for i, entry := range strings.Split(list, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		address, err := parseAddress(entry)
		if err != nil {
			shown := strconv.QuoteToGraphic(entry)
			if strings.ContainsRune(entry, '@') {
				shown = "not shown: an @ can follow a password"
			}
			return nil, fmt.Errorf("bootstrap server %d (%s) %w", i+1, shown, err)
		}
		out = append(out, address)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no bootstrap server is given: HOST:PORT, several separated by commas")
	}
	return out, nil
}

func parseAddress(entry string) (string, error) {
	if scheme, rest, ok := strings.Cut(entry, "://"); ok {
		if !madeOf(scheme, "-%._") {
			return "", fmt.Errorf("has no protocol before ://")
		}
		entry = rest
	}
	colon := strings.LastIndexByte(entry, ':')
	if colon < 0 {
		return "", fmt.Errorf("has no port: write HOST:PORT")
	}
	host, port := entry[:colon], entry[colon+1:]
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return "", fmt.Errorf("has no port from 1 to 65535 after its last colon")
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		if host, ok = strings.CutSuffix(inner, "]"); !ok {
			return "", fmt.Errorf("has no ] after the address")
		}
	}
	if host == "" || !madeOf(host, "-%._:") {
		return "", fmt.Errorf("has no host that can be dialled: write HOST:PORT")
	}
	return net.JoinHostPort(host, strconv.FormatUint(n, 10)), nil
}

// madeOf reports whether s is made of ASCII letters, digits and others.
func madeOf(s, others string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(rune(c))
		if !letter && !strings.ContainsRune(others, rune(c)) {
			return false
		}
	}
	return s != ""
}
