package demo

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"sync"
)

// scramMechanism is a SCRAM mechanism, with its code in the SCRAM user
// requests.
type scramMechanism int8

const (
	scramSHA256 scramMechanism = 1
	scramSHA512 scramMechanism = 2
)

// minIterations is what Kafka demands of both mechanisms, and what it uses for
// the credentials of a delegation token.
const minIterations = 4096

func (m scramMechanism) String() string {
	if m == scramSHA256 {
		return "SCRAM-SHA-256"
	}
	return "SCRAM-SHA-512"
}

func (m scramMechanism) hash() func() hash.Hash {
	if m == scramSHA256 {
		return sha256.New
	}
	return sha512.New
}

func (m scramMechanism) mac(key []byte, text string) []byte {
	mac := hmac.New(m.hash(), key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// credentialKey is a user and one mechanism.
type credentialKey struct {
	user      string
	mechanism scramMechanism
}

// credential is what a server keeps of a SCRAM password (RFC 5802). The salted
// password takes 4096 hashes, so that of a user who never signs in is never
// made.
type credential struct {
	mechanism  scramMechanism
	iterations int
	salt       []byte

	once                 sync.Once
	salted               func() []byte
	storedKey, serverKey []byte
}

// passwordCredential is the credential of a password, which is taken as the
// UTF-8 bytes that it is: Kafka does not apply SASLprep.
func passwordCredential(m scramMechanism, password string) *credential {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt)
	return &credential{mechanism: m, iterations: minIterations, salt: salt, salted: func() []byte {
		size := m.hash()().Size()
		key, err := pbkdf2.Key(m.hash(), password, salt, minIterations, size)
		if err != nil { // only for lengths and counts that are constants here
			panic(err)
		}
		return key
	}}
}

// saltedCredential is the credential of a password that the client has salted.
func saltedCredential(m scramMechanism, salt []byte, iterations int, salted []byte) *credential {
	c := &credential{mechanism: m, iterations: iterations, salt: append([]byte(nil), salt...)}
	key := append([]byte(nil), salted...)
	c.salted = func() []byte { return key }
	return c
}

// serverKeys are the two keys that a server checks and proves itself with.
func (c *credential) serverKeys() (stored, server []byte) {
	c.once.Do(func() {
		salted := c.salted()
		h := c.mechanism.hash()()
		h.Write(c.mechanism.mac(salted, "Client Key"))
		c.storedKey = h.Sum(nil)
		c.serverKey = c.mechanism.mac(salted, "Server Key")
		clear(salted)
		c.salted = nil
	})
	return c.storedKey, c.serverKey
}
