package faults

import (
	"errors"
	"net"
	"sync"
	"time"
)

// proxy stands between a client and a broker, and passes everything on but for
// what the run's fault says. It keeps what it read and what it passed on.
type proxy struct {
	net.Listener
	broker string
	fault  fault
	// struck is closed when the fault has begun.
	struck   chan struct{}
	striking sync.Once

	pumps sync.WaitGroup
	mu    sync.Mutex
	links []*link
}

// link is one connection through the proxy.
type link struct {
	proxy    *proxy
	index    int
	client   *net.TCPConn
	broker   *net.TCPConn
	requests *stream
	answers  *stream
	// done is closed when the client's end is closed, or both are by a fault.
	done   chan struct{}
	ending sync.Once
}

// newProxy listens on a free port.
func newProxy(broker string, f fault) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{Listener: l, broker: broker, fault: f, struck: make(chan struct{})}
	p.pumps.Add(1)
	go p.accept()
	return p, nil
}

func (p *proxy) accept() {
	defer p.pumps.Done()
	for {
		conn, err := p.Accept()
		if err != nil {
			return
		}
		broker, err := net.Dial("tcp", p.broker)
		if err != nil {
			_ = conn.Close()
			continue
		}
		p.link(conn.(*net.TCPConn), broker.(*net.TCPConn))
	}
}

func (p *proxy) link(client, broker *net.TCPConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := &link{proxy: p, index: len(p.links), client: client, broker: broker, done: make(chan struct{})}
	l.requests = &stream{link: l, from: client, to: broker, direction: request}
	l.answers = &stream{link: l, from: broker, to: client, direction: answer}
	for _, s := range []*stream{l.requests, l.answers} {
		if p.fault.conn == l.index && p.fault.direction == s.direction {
			s.fault = &p.fault
		}
	}
	p.links = append(p.links, l)
	p.pumps.Add(1)
	go l.run()
}

// run passes on both streams until both have ended.
func (l *link) run() {
	defer l.proxy.pumps.Done()
	both := make(chan struct{})
	go func() {
		defer close(both)
		l.answers.pump()
	}()
	l.requests.pump()
	<-both
	l.end()
	_, _ = l.client.Close(), l.broker.Close()
}

func (l *link) end() { l.ending.Do(func() { close(l.done) }) }

// cut ends the connection on both sides, after all that was passed on.
func (l *link) cut() { _, _ = l.client.CloseWrite(), l.broker.CloseWrite() }

// reset breaks the client's side off. The broker's side ends in order, so that
// its end tells when the broker has done all that reached it.
func (l *link) reset() {
	l.end()
	_, _ = l.client.SetLinger(0), l.client.Close()
	_ = l.broker.CloseWrite()
}

// all are the connections so far.
func (p *proxy) all() []*link {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*link(nil), p.links...)
}

var errStillOpen = errors.New("a connection of the client is still open although it was closed")

// end waits until all connections have ended, which the client's do when it is
// closed. After an error the streams are still in use.
func (p *proxy) end(wait time.Duration) error {
	_ = p.Close()
	ended := make(chan struct{})
	go func() {
		p.pumps.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-time.After(wait):
	}
	for _, l := range p.all() {
		l.reset()
		_ = l.broker.Close()
	}
	<-ended
	return errStillOpen
}
