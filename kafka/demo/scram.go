package demo

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"dtok/kafka"
)

// errCredentials is every failure that Kafka answers with one and the same
// text, so as to tell a guesser nothing.
var errCredentials = errors.New("invalid credentials")

// refusedError is a failure with a text of its own for the client.
type refusedError struct{ text string }

func (e *refusedError) Error() string { return e.text }

// identity is who signed in.
type identity struct {
	principal kafka.Principal
	// tokenAuth is set for a session that a delegation token opened.
	tokenAuth bool
	// expires is the token's expiry in Unix milliseconds, 0 for passwords.
	expires int64
}

// mechanism is the server's side of one SASL exchange.
type mechanism interface {
	// next takes the client's message and gives the server's. done is set
	// with the last one.
	next(client []byte) (server []byte, done bool, err error)
	// identity is valid once done.
	identity() identity
}

// plainExchange is SASL PLAIN: authzid NUL user NUL password.
type plainExchange struct {
	passwords map[string]string
	user      string
}

func (p *plainExchange) next(client []byte) ([]byte, bool, error) {
	parts := strings.Split(string(client), "\x00")
	if len(parts) != 3 {
		return nil, false, &refusedError{"Invalid SASL/PLAIN response: expected 3 tokens, got " + strconv.Itoa(len(parts))}
	}
	authzid, user, password := parts[0], parts[1], parts[2]
	want, known := p.passwords[user]
	switch {
	case user == "":
		return nil, false, &refusedError{"Authentication failed: username not specified"}
	case password == "":
		return nil, false, &refusedError{"Authentication failed: password not specified"}
	case !known || !hmac.Equal([]byte(want), []byte(password)):
		return nil, false, &refusedError{"Authentication failed: Invalid username or password"}
	case authzid != "" && authzid != user:
		return nil, false, errOtherAuthzid
	}
	p.user = user
	return []byte{}, true, nil
}

func (p *plainExchange) identity() identity { return identity{principal: kafka.UserPrincipal(p.user)} }

var errOtherAuthzid = &refusedError{"Authentication failed: Client requested an authorization id that is different from username"}

// The client's messages, as narrow as Kafka reads them (ScramMessages): names
// are ASCII, so that a user with another name cannot sign in by SCRAM.
var (
	saslName    = `(?:[\x01-\x2B\x2D-\x3C\x3E-\x7F]|=2C|=3D)+`
	attribute   = `[A-Za-z]+=[\x01-\x2B\x2D-\x7F]+`
	scramNonce  = `[\x21-\x2B\x2D-\x7E]+`
	base64Text  = `(?:[a-zA-Z0-9/+]{4})*(?:[a-zA-Z0-9/+]{3}=|[a-zA-Z0-9/+]{2}==)?`
	clientFirst = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^n,(?:a=(` + saslName + `))?,(?:m=[\x01-\x2B\x2D-\x7F]+,)?(n=(` + saslName + `),r=(` +
			scramNonce + `)((?:,` + attribute + `)*))$`)
	})
	clientFinal = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(c=` + base64Text + `,r=(` + scramNonce + `))(?:,` + attribute + `)*,p=(` + base64Text + `)$`)
	})
)

// scramExchange is SCRAM (RFC 5802) with Kafka's extension tokenauth.
type scramExchange struct {
	mechanism scramMechanism
	// lookup finds the credential: with tokenauth the token's, whose name is
	// its id, and an ordinary user's otherwise, never the other way round.
	lookup func(name string, tokenAuth bool) (*credential, identity, bool)

	who                      identity
	credential               *credential
	nonce, bare, serverFirst string
}

func (x *scramExchange) identity() identity { return x.who }

func (x *scramExchange) next(client []byte) ([]byte, bool, error) {
	if x.credential == nil {
		return x.first(string(client))
	}
	return x.final(string(client))
}

func (x *scramExchange) first(message string) ([]byte, bool, error) {
	m := clientFirst().FindStringSubmatch(message)
	if m == nil {
		return nil, false, errCredentials
	}
	authzid, bare, name, nonce, extensions := m[1], m[2], unescapeName(m[3]), m[4], m[5]
	tokenAuth := false
	for _, ext := range strings.Split(extensions, ",") {
		if value, ok := strings.CutPrefix(ext, "tokenauth="); ok {
			tokenAuth = strings.EqualFold(value, "true")
		}
	}
	cred, who, ok := x.lookup(name, tokenAuth)
	if !ok {
		return nil, false, errCredentials
	}
	if authzid != "" && authzid != name {
		return nil, false, errOtherAuthzid
	}
	x.credential, x.who, x.bare = cred, who, bare
	x.nonce = nonce + serverNonce()
	x.serverFirst = "r=" + x.nonce + ",s=" + base64.StdEncoding.EncodeToString(cred.salt) + ",i=" + strconv.Itoa(cred.iterations)
	return []byte(x.serverFirst), false, nil
}

func (x *scramExchange) final(message string) ([]byte, bool, error) {
	m := clientFinal().FindStringSubmatch(message)
	if m == nil || m[2] != x.nonce {
		return nil, false, errCredentials
	}
	proof, err := base64.StdEncoding.DecodeString(m[3])
	if err != nil {
		return nil, false, errCredentials
	}
	stored, server := x.credential.serverKeys()
	auth := x.bare + "," + x.serverFirst + "," + m[1]
	signature := x.mechanism.mac(stored, auth)
	if len(proof) != len(signature) {
		return nil, false, errCredentials
	}
	for i := range proof { // now the client key
		proof[i] ^= signature[i]
	}
	h := x.mechanism.hash()()
	h.Write(proof)
	if !hmac.Equal(h.Sum(nil), stored) {
		return nil, false, errCredentials
	}
	return []byte("v=" + base64.StdEncoding.EncodeToString(x.mechanism.mac(server, auth))), true, nil
}

func unescapeName(s string) string { return strings.NewReplacer("=2C", ",", "=3D", "=").Replace(s) }

func serverNonce() string {
	var b [18]byte
	_, _ = rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}
