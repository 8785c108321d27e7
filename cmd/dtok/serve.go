package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"dtok/kafka/demo"
)

// serveDemo runs the broker alone until it is interrupted, which is how it is
// meant to end: SIGINT and SIGTERM give status 0.
func serveDemo(w io.Writer, d demoFlags, debug *debugLog) error {
	signals := commandUntilSignal()
	defer signals.stop()
	debug.signals(signals)
	b, err := demo.Start(demo.Options{Scenario: d.scenario, Listen: d.listen})
	if err != nil {
		return err
	}
	defer b.Close()
	text, err := howToReach(b, d)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	<-signals.Done()
	var by *signalled
	if errors.As(context.Cause(signals), &by) && by.signal == syscall.SIGHUP {
		return by
	}
	return nil
}

// howToReach prints everything another Kafka client needs. The passwords are
// the demo's own and protect nothing.
func howToReach(b *demo.Broker, d demoFlags) (string, error) {
	c, err := b.Connection(d.as)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "The demo cluster, scenario %s, is at %s until it is interrupted (ctrl+c).\n", d.scenario, c.Address)
	fmt.Fprintf(&out, "Users, each with the password NAME-secret: %s\n", strings.Join(demo.Users(), ", "))
	var blocks string
	for _, l := range []demo.Listener{demo.Plaintext, demo.SSL, demo.MTLS, demo.SASLPlaintext, demo.SASLSSL} {
		address := b.Address(l)
		if address == "" {
			continue
		}
		fmt.Fprintf(&out, "%-15s %s\n", l, address)
		if properties := b.ClientProperties(d.as, l); properties != "" {
			blocks += fmt.Sprintf("\n# client.properties for %s on %s\n%s", d.as, l, properties)
		}
	}
	return out.String() + blocks, nil
}
