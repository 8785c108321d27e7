package kafka

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"hash"
	"slices"
	"strings"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// saslStub is the broker's side of PLAIN and SCRAM, written from RFC 4616 and
// RFC 5802 alone so that it can judge the client's.
type saslStub struct {
	mechanisms []string
	users      map[string]string
	tokens     map[string]string // id → base64 text of the HMAC
	lifetime   int64
	// liar answers SCRAM with a signature that does not prove the password.
	liar bool

	mu     sync.Mutex
	firsts []string // the client-first messages seen
	tries  int
}

type saslSession struct {
	stub      *saslStub
	mechanism string
	bare      bool // tokens without a Kafka header, after a handshake v0
	done      bool
	first     string
	server    string
	password  string
	steps     int
}

func (s *saslStub) session() *saslSession { return &saslSession{stub: s} }

// knows adds a token, and offers replaces the mechanisms.
func (s *saslStub) knows(tokenID, hmacText string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens[tokenID] = hmacText
}

func (s *saslStub) offers(mechanisms ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mechanisms = mechanisms
}

func (s *saslStub) attempts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tries
}

func (s *saslStub) clientFirsts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.firsts)
}

func (s *saslSession) answer(req kmsg.Request) answer {
	switch req := req.(type) {
	case *kmsg.SASLHandshakeRequest:
		r := req.ResponseKind().(*kmsg.SASLHandshakeResponse)
		s.stub.mu.Lock()
		r.SupportedMechanisms = s.stub.mechanisms
		s.stub.mu.Unlock()
		if !slices.Contains(r.SupportedMechanisms, req.Mechanism) {
			r.ErrorCode = 33
			return reply(r)
		}
		s.mechanism, s.bare = req.Mechanism, req.Version == 0
		return reply(r)
	case *kmsg.SASLAuthenticateRequest:
		r := req.ResponseKind().(*kmsg.SASLAuthenticateResponse)
		token, ok := s.step(req.SASLAuthBytes)
		if !ok {
			r.ErrorCode = 58
			text := "Authentication failed: Invalid username or password"
			r.ErrorMessage = &text
			return reply(r)
		}
		r.SASLAuthBytes, r.SessionLifetimeMillis = token, s.stub.lifetime
		return reply(r)
	}
	return answer{drop: true}
}

func (s *saslSession) step(in []byte) (out []byte, ok bool) {
	s.steps++
	if s.steps == 1 {
		s.stub.mu.Lock()
		s.stub.tries++
		s.stub.mu.Unlock()
	}
	if s.mechanism == "PLAIN" {
		parts := strings.Split(string(in), "\x00")
		s.bare = false
		s.done = len(parts) == 3 && parts[2] != "" && s.stub.users[parts[1]] == parts[2]
		return []byte{}, s.done
	}
	switch {
	case s.mechanism == MechanismOAuth:
		return s.bearer(string(in))
	case s.mechanism == MechanismKerberos:
		return s.ticket(string(in))
	case s.steps == 1:
		return s.serverFirst(string(in))
	}
	return s.serverFinal(string(in))
}

func (s *saslSession) serverFirst(in string) ([]byte, bool) {
	s.stub.mu.Lock()
	defer s.stub.mu.Unlock()
	s.stub.firsts = append(s.stub.firsts, in)
	bare, ok := strings.CutPrefix(in, "n,,")
	parts := strings.Split(bare, ",")
	if !ok || len(parts) < 2 || !strings.HasPrefix(parts[0], "n=") || !strings.HasPrefix(parts[1], "r=") {
		return nil, false
	}
	user := strings.NewReplacer("=2C", ",", "=3D", "=").Replace(parts[0][2:])
	if slices.Contains(parts[2:], "tokenauth=true") {
		s.password, ok = s.stub.tokens[user]
	} else {
		s.password, ok = s.stub.users[user]
	}
	s.first = bare
	s.server = parts[1] + "server,s=" + base64.StdEncoding.EncodeToString([]byte("salt")) + ",i=4096"
	return []byte(s.server), ok
}

func (s *saslSession) serverFinal(in string) ([]byte, bool) {
	newHash := sha256.New
	if s.mechanism == MechanismScramSHA512 {
		newHash = sha512.New
	}
	withoutProof, proof64, _ := strings.Cut(in, ",p=")
	proof, _ := base64.StdEncoding.DecodeString(proof64)
	message := s.first + "," + s.server + "," + withoutProof
	salted, _ := pbkdf2.Key(newHash, s.password, []byte("salt"), 4096, newHash().Size())
	key := mac(newHash, salted, "Client Key")
	digest := newHash()
	digest.Write(key)
	signature := mac(newHash, digest.Sum(nil), message)
	for i := range signature {
		signature[i] ^= key[i]
	}
	if !hmac.Equal(signature, proof) {
		return nil, false
	}
	s.done, s.bare = true, false
	verifier := mac(newHash, mac(newHash, salted, "Server Key"), message)
	if s.stub.liar {
		verifier[0] ^= 1
	}
	return []byte("v=" + base64.StdEncoding.EncodeToString(verifier)), true
}

func mac(newHash func() hash.Hash, key []byte, message string) []byte {
	m := hmac.New(newHash, key)
	m.Write([]byte(message))
	return m.Sum(nil)
}
