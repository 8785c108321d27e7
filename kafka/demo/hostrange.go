package demo

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// rangeV4 is the form of an IPv4 range: leading zeros are taken.
var rangeV4 = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})/(\d{1,2})$`)
})

// parseRange reads a host of an ACL rule that is a range of addresses, or says
// in Kafka's words what is wrong with it.
func parseRange(host string) (network netip.Prefix, fault string) {
	unreadable := "Could not parse [" + host + "]"
	if m := rangeV4().FindStringSubmatch(host); m != nil {
		var address [4]byte
		for i := range address {
			n, _ := strconv.Atoi(m[i+1])
			if n > 255 {
				return network, "Value [" + strconv.Itoa(n) + "] not in range [0,255]"
			}
			address[i] = byte(n)
		}
		bits, _ := strconv.Atoi(m[5])
		if bits > 32 {
			return network, "Value [" + strconv.Itoa(bits) + "] not in range [0,32]"
		}
		return netip.PrefixFrom(netip.AddrFrom4(address), bits), ""
	}
	text, length, _ := strings.Cut(host, "/")
	address, err := netip.ParseAddr(text)
	if err != nil || !address.Is6() {
		return network, unreadable
	}
	bits, err := strconv.Atoi(length)
	switch {
	case err != nil:
		return network, unreadable + " - invalid prefix length"
	case bits < 0 || bits > 128:
		return network, unreadable + " - prefix length must be between 0 and 128"
	}
	return netip.PrefixFrom(address, bits), ""
}
