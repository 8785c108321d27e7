package kafka

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// ParseBootstrap reads bootstrap.servers as people write it: HOST:PORT, several
// separated by commas, blanks or newlines, each with or without a listener name
// in front (SASL_SSL://b:9093), an IPv6 address in brackets ([::1]:9092).
// Empty entries do not count and repeated ones count once. The order is kept.
func ParseBootstrap(list string) ([]string, error) {
	entries := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || strings.ContainsRune(" \t\r\n\v\f\u00a0", r) })
	var addresses []string
	for i, entry := range entries {
		a, err := parseAddress(entry)
		if err != nil {
			return nil, fmt.Errorf("bootstrap address %d of %d: %w", i+1, len(entries), err)
		}
		if !slices.Contains(addresses, a) {
			addresses = append(addresses, a)
		}
	}
	if len(addresses) == 0 {
		return nil, errors.New("no bootstrap address: write HOST:PORT, for example broker1:9092")
	}
	return addresses, nil
}

func parseAddress(entry string) (string, error) {
	if strings.Contains(entry, "@") {
		// Not quoted: what stands before the @ may be a password.
		return "", errors.New("it holds an @; credentials do not belong into a bootstrap address")
	}
	host, port, err := splitAddress(withoutListener(entry))
	if err != nil {
		return "", fmt.Errorf("%q: %w", entry, err)
	}
	n, err := strconv.ParseUint(port, 10, 32)
	if err != nil || n < 1 || n > 65535 {
		return "", fmt.Errorf("%q: the port must be a number from 1 to 65535", entry)
	}
	return net.JoinHostPort(host, strconv.FormatUint(n, 10)), nil
}

// withoutListener takes a listener's name off an address, as in SASL_SSL://b:9093.
// Kafka's clients skip it, and so do we.
func withoutListener(entry string) string {
	name, address, ok := strings.Cut(entry, "://")
	if !ok || !only(name, "+._-") || !asciiLetter(rune(name[0])) {
		return entry
	}
	return address
}

// isHostName is what Kafka's own client takes for a host (Utils.HOST_PORT_PATTERN),
// and an underscore, which container networks use.
func isHostName(s string) bool {
	return only(s, "_.-") && s[0] != '.' && s[0] != '-'
}

// isZone is what the zone of a link-local IPv6 address may be made of: the
// unreserved characters of RFC 6874, which hold every interface name there is.
func isZone(s string) bool { return only(s, "._~-") }

// only reports whether s is not empty and holds nothing but ASCII letters,
// digits and the given characters.
func only(s, others string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !asciiLetter(r) && (r < '0' || r > '9') && !strings.ContainsRune(others, r)
	})
}

func asciiLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

func splitAddress(s string) (host, port string, err error) {
	if rest, ok := strings.CutPrefix(s, "["); ok {
		host, port, ok = strings.Cut(rest, "]")
		address, zone, zoned := strings.Cut(host, "%")
		if !ok || net.ParseIP(address) == nil || !strings.Contains(address, ":") {
			return "", "", errors.New("between the brackets an IPv6 address is expected, as in [::1]:9092")
		}
		if zoned && !isZone(zone) {
			return "", "", errors.New("after the % the name of a network interface is expected, as in [fe80::1%eth0]:9092")
		}
		if port, ok = strings.CutPrefix(port, ":"); !ok || port == "" {
			return "", "", errors.New("the port is missing, as in [::1]:9092")
		}
		return host, port, nil
	}
	if strings.Count(s, ":") > 1 {
		return "", "", errors.New("an IPv6 address is written in brackets, as in [::1]:9092")
	}
	host, port, ok := strings.Cut(s, ":")
	switch {
	case host == "":
		return "", "", errors.New("the host is missing, as in broker1:9092")
	case !isHostName(host):
		return "", "", errors.New("that is not a host name")
	case !ok || port == "":
		return "", "", errors.New("the port is missing, as in broker1:9092")
	}
	return host, port, nil
}
