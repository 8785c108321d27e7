package demo

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// openListener is a listener that accepts connections.
type openListener struct {
	net.Listener
	name Listener
	// host and port are what Metadata advertises.
	host string
	port int32
}

// listen opens the scenario's listeners: the main one at the address asked
// for, the others at free ports of the same host.
func (b *Broker) listen(address string) error {
	host, port, err := net.SplitHostPort(cmp.Or(address, "127.0.0.1:0"))
	if err != nil {
		return fmt.Errorf("listen address %q: want HOST:PORT: %w", address, err)
	}
	if b.authority, err = newAuthority(host); err != nil {
		return err
	}
	for _, name := range b.cluster.setup.listeners {
		p := "0"
		if name == b.cluster.setup.main {
			p = port
		}
		if err := b.openOne(name, host, p); err != nil {
			return err
		}
	}
	return nil
}

func (b *Broker) openOne(name Listener, host, port string) error {
	config := b.authority.serverConfig(name)
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return fmt.Errorf("listen for %s: %w", name, err)
	}
	bound := l.Addr().(*net.TCPAddr)
	open := &openListener{Listener: l, name: name, host: reachable(host), port: int32(bound.Port)}
	if config != nil {
		open.Listener = tls.NewListener(l, config)
	}
	b.listeners[name] = open
	b.running.Add(1)
	go b.accept(open)
	return nil
}

// reachable is a host that a client on this machine can dial.
func reachable(host string) string {
	switch host {
	case "", "0.0.0.0", "::":
		return "localhost"
	}
	return host
}

// acceptPause keeps a failing accept from spinning.
const acceptPause = 50 * time.Millisecond

// accept serves connections until the broker closes.
func (b *Broker) accept(l *openListener) {
	defer b.running.Done()
	for {
		conn, err := l.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			b.pause(acceptPause) // out of file descriptors, for example
			continue
		}
		if !b.track(conn) {
			_ = conn.Close()
			return
		}
		go b.attend(l, conn)
	}
}

// track counts a connection in, unless the broker is closing.
func (b *Broker) track(conn net.Conn) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-b.done:
		return false
	default:
	}
	b.open[conn] = struct{}{}
	b.running.Add(1)
	return true
}

func (b *Broker) attend(l *openListener, conn net.Conn) {
	defer b.running.Done()
	defer func() {
		_ = conn.Close()
		b.mu.Lock()
		delete(b.open, conn)
		b.mu.Unlock()
	}()
	b.record.connection()
	b.newConnection(l, conn).serve()
}

// Address is the HOST:PORT of a listener, "" when the scenario has it not.
func (b *Broker) Address(l Listener) string {
	open, ok := b.listeners[l]
	if !ok {
		return ""
	}
	return net.JoinHostPort(open.host, strconv.Itoa(int(open.port)))
}
