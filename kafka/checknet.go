package kafka

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
)

// lookUp finds all addresses of a host.
func (k *checker) lookUp(ctx context.Context, address, host string) ([]netip.Addr, bool) {
	if literal, err := netip.ParseAddr(host); err == nil {
		k.add(Step{Name: stepLookUp, Address: address, Verdict: VerdictSkipped, Detail: "an IP address needs none"})
		return []netip.Addr{literal}, true
	}
	var all []netip.Addr
	f := k.time(stepLookUp, address, func() finding {
		asking, cancel := context.WithTimeout(ctx, k.settings.ConnectTimeout)
		defer cancel()
		found, err := k.resolve(asking, "ip", host)
		if err != nil {
			_, cause := dialCause(err, k.settings.ConnectTimeout)
			return finding{VerdictFail, cause.Error(), (&ConnectError{Stage: stepLookUp}).Hint()}
		}
		var names []string
		for _, a := range found {
			a = a.Unmap()
			all, names = append(all, a), append(names, a.String())
		}
		return good(strings.Join(names, ", "))
	})
	return all, f.verdict != VerdictFail
}

// maxRecords bounds how many addresses of one name are tried.
const maxRecords = 16

// connect tries all addresses of a name at the same time and keeps the first
// in their order: one that is dead costs every client a wait now and then,
// which is not seen when another answers.
func (k *checker) connect(ctx context.Context, address, port string, all []netip.Addr) net.Conn {
	all = all[:min(len(all), maxRecords)]
	conns, errs := make([]net.Conn, len(all)), make([]error, len(all))
	var kept net.Conn
	k.time(stepConnect, address, func() finding {
		dialling, cancel := context.WithTimeout(ctx, k.settings.ConnectTimeout)
		defer cancel()
		var wg sync.WaitGroup
		for i, a := range all {
			wg.Go(func() { conns[i], errs[i] = k.dial(dialling, "tcp", net.JoinHostPort(a.String(), port)) })
		}
		wg.Wait()
		var answer, dead []string
		for i, a := range all {
			switch {
			case errs[i] != nil:
				_, cause := dialCause(errs[i], k.settings.ConnectTimeout)
				dead = append(dead, fmt.Sprintf("%s: %v", a, cause))
				continue
			case kept == nil:
				kept = conns[i]
			default:
				_ = conns[i].Close()
			}
			answer = append(answer, a.String())
		}
		hint := (&ConnectError{Stage: stepConnect}).Hint()
		switch {
		case len(all) == 1 && kept != nil:
			return good("connected")
		case len(all) == 1:
			_, cause := dialCause(errs[0], k.settings.ConnectTimeout)
			return finding{VerdictFail, cause.Error(), hint}
		case len(answer) == 0:
			return finding{VerdictFail, strings.Join(dead, "; "), hint}
		case len(dead) > 0:
			return finding{VerdictWarn, strings.Join(answer, ", ") + " answers; " + strings.Join(dead, "; "),
				"Clients that meet the dead one first wait for it."}
		}
		return good(strings.Join(answer, ", ") + " answers")
	})
	return kept
}
