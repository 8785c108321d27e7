package kafka

import (
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// A stub is a scripted broker: it decodes requests with kmsg, counts them and
// answers as each test says. It shares no code with the client.
type stub struct {
	t        *testing.T
	listener net.Listener
	// on answers a request; without an entry the connection is closed.
	on map[int16]func(kmsg.Request) answer
	// offered are the version ranges of ApiVersions, with key 18.
	offered map[int16][2]int16
	// level is the finalized metadata.version, 0 for none.
	level int16
	sasl  *saslStub

	mu    sync.Mutex
	seen  []kmsg.Request
	conns []net.Conn
	wg    sync.WaitGroup
}

// answer is what the stub does about a request.
type answer struct {
	msg kmsg.Response
	// raw replaces the answer's body.
	raw []byte
	// drop closes the connection, hang leaves the request unanswered, half
	// sends half of the answer and closes.
	drop, hang, half bool
}

func reply(r kmsg.Response) answer { return answer{msg: r} }

// kafka44 are the ranges that Kafka 4.4 answers, as observed.
func kafka44() map[int16][2]int16 {
	return map[int16][2]int16{3: {0, 13}, 17: {0, 1}, 18: {0, 5}, 29: {1, 3}, 30: {1, 3}, 31: {1, 3}, 36: {0, 2}, 38: {1, 3}, 39: {1, 2},
		40: {1, 2}, 41: {1, 3}, 48: {0, 1}, 49: {0, 1}, 50: {0, 0}, 51: {0, 0}}
}

func newStub(t *testing.T, change ...func(*stub)) *stub {
	t.Helper()
	s := &stub{t: t, offered: kafka44(), level: 33, on: map[int16]func(kmsg.Request) answer{}}
	s.set(3, func(r kmsg.Request) answer {
		m := r.ResponseKind().(*kmsg.MetadataResponse)
		id := "cluster-1"
		m.ClusterID = &id
		return reply(m)
	})
	for _, f := range change {
		f(s)
	}
	if s.listener == nil {
		s.listener = listen(t)
	}
	s.wg.Add(1)
	go s.accept()
	t.Cleanup(func() {
		_ = s.listener.Close()
		s.closeConns()
		s.wg.Wait()
	})
	return s
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func overTLS(config *tls.Config) func(*stub) {
	return func(s *stub) { s.listener = tls.NewListener(listen(s.t), config) }
}

func (s *stub) address() string { return s.listener.Addr().String() }

func (s *stub) closeConns() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		_ = c.Close()
	}
}

// set says how requests of key are answered from now on.
func (s *stub) set(key int16, handle func(kmsg.Request) answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on[key] = handle
}

func (s *stub) handler(key int16) func(kmsg.Request) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.on[key]
}

// count is how many requests of key arrived.
func (s *stub) count(key int16) int { return len(s.requests(key)) }

func (s *stub) requests(key int16) []kmsg.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var of []kmsg.Request
	for _, r := range s.seen {
		if r.Key() == key {
			of = append(of, r)
		}
	}
	return of
}

// keys are the keys of all requests in their order.
func (s *stub) keys() []int16 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var keys []int16
	for _, r := range s.seen {
		keys = append(keys, r.Key())
	}
	return keys
}

// connections is how many were accepted.
func (s *stub) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

func (s *stub) accept() {
	defer s.wg.Done()
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns = append(s.conns, c)
		s.mu.Unlock()
		s.wg.Add(1)
		go func() {
			defer s.wg.Done()
			defer c.Close()
			s.serve(c)
		}()
	}
}

func (s *stub) serve(c net.Conn) {
	var auth *saslSession
	if s.sasl != nil {
		auth = s.sasl.session()
	}
	for {
		frame, ok := readAll(c)
		if !ok {
			return
		}
		if auth != nil && auth.bare {
			token, ok := auth.step(frame)
			if !ok {
				return
			}
			_, _ = c.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(token))), token...))
			continue
		}
		id, req := s.decode(frame)
		if req == nil {
			return
		}
		s.mu.Lock()
		s.seen = append(s.seen, req)
		s.mu.Unlock()
		a := s.answer(req, auth)
		switch {
		case a.hang:
			// Answers come in order, so nothing after it is answered either.
			_, _ = io.Copy(io.Discard, c)
			return
		case a.drop:
			return
		}
		if _, err := c.Write(a.bytes(id, req)); err != nil || a.half {
			return
		}
	}
}

func (s *stub) answer(req kmsg.Request, auth *saslSession) answer {
	handle := s.handler(req.Key())
	if req.Key() == 18 && handle == nil {
		return s.apiVersions(req)
	}
	if auth != nil && (req.Key() == 17 || req.Key() == 36) {
		return auth.answer(req)
	}
	if auth != nil && !auth.done {
		return answer{drop: true} // as Kafka does with a client that has not signed in
	}
	if r, ok := s.offered[req.Key()]; !ok || req.GetVersion() < r[0] || req.GetVersion() > r[1] || handle == nil {
		return answer{drop: true}
	}
	return handle(req)
}

// apiVersions answers as Kafka does, with v0 and 35 to a version too high.
func (s *stub) apiVersions(req kmsg.Request) answer {
	r := req.ResponseKind().(*kmsg.ApiVersionsResponse)
	if own := s.offered[18]; req.GetVersion() > own[1] {
		r.SetVersion(0)
		r.ErrorCode = 35
		r.ApiKeys = []kmsg.ApiVersionsResponseApiKey{{ApiKey: 18, MinVersion: own[0], MaxVersion: own[1]}}
		return reply(r)
	}
	for key, v := range s.offered {
		r.ApiKeys = append(r.ApiKeys, kmsg.ApiVersionsResponseApiKey{ApiKey: key, MinVersion: v[0], MaxVersion: v[1]})
	}
	slices.SortFunc(r.ApiKeys, func(a, b kmsg.ApiVersionsResponseApiKey) int { return int(a.ApiKey - b.ApiKey) })
	r.FinalizedFeaturesEpoch = 0
	if s.level > 0 {
		f := kmsg.NewApiVersionsResponseFinalizedFeature()
		f.Name, f.MaxVersionLevel, f.MinVersionLevel = "metadata.version", s.level, s.level
		r.FinalizedFeatures = append(r.FinalizedFeatures, f)
	}
	return reply(r)
}
