package main

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// delay is a network between client and broker: every byte takes half of the
// round trip's time in its direction, and the turns are counted.
type delay struct {
	listener net.Listener
	target   string
	half     time.Duration
	// turns is how often a client that is still there was answered after it had
	// sent something, and once for each connection: with it the round trips.
	// What a client says as it leaves, as TLS does, it waits for no answer to.
	turns atomic.Int64
	wg    sync.WaitGroup
}

// piece is some bytes, or nil for the end, and when they arrive.
type piece struct {
	bytes []byte
	at    time.Time
}

func newDelay(target string, roundTrip time.Duration) (*delay, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := &delay{listener: l, target: target, half: roundTrip / 2}
	d.wg.Add(1)
	go d.accept()
	return d, nil
}

func (d *delay) address() string { return d.listener.Addr().String() }

func (d *delay) close() {
	_ = d.listener.Close()
	d.wg.Wait()
}

func (d *delay) accept() {
	defer d.wg.Done()
	for {
		client, err := d.listener.Accept()
		if err != nil {
			return
		}
		d.wg.Add(1)
		go d.carry(client)
	}
}

// carry connects a client through. The kernel has answered its connect at once,
// so that the round trip of it is made up for here: nothing that the client
// sends goes on before it would have been able to send it.
func (d *delay) carry(client net.Conn) {
	defer d.wg.Done()
	defer client.Close()
	connected := time.Now().Add(2 * d.half)
	broker, err := net.Dial("tcp", d.target)
	if err != nil {
		return
	}
	defer broker.Close()
	d.turns.Add(1) // connecting
	var asked, left atomic.Bool
	var both sync.WaitGroup
	both.Go(func() { d.pass(broker, client, connected, func() { asked.Store(true) }, func() { left.Store(true) }) })
	both.Go(func() {
		d.pass(client, broker, connected, func() {
			if asked.Swap(false) && !left.Load() {
				d.turns.Add(1)
			}
		}, func() {})
	})
	both.Wait()
}

// pass hands bytes on when their time has come, and the end of them. It tells
// when some were sent, and when no more will be.
func (d *delay) pass(to, from net.Conn, earliest time.Time, sent, ended func()) {
	pieces := make(chan piece, 1<<12)
	go func() {
		defer close(pieces)
		for {
			buf := make([]byte, 64<<10)
			n, err := from.Read(buf)
			if n > 0 {
				sent()
				now := time.Now()
				if now.Before(earliest) {
					now = earliest
				}
				pieces <- piece{buf[:n], now.Add(d.half)}
			}
			if err != nil {
				ended()
				return
			}
		}
	}()
	for p := range pieces {
		time.Sleep(time.Until(p.at))
		if _, err := to.Write(p.bytes); err != nil {
			break
		}
	}
	if c, ok := to.(*net.TCPConn); ok {
		_ = c.CloseWrite()
	}
	for range pieces { // the reader ends when its side is closed
	}
}
