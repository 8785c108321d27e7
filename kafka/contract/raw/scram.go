package raw

import (
	"bytes"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"hash"
	"strconv"
	"strings"
)

// scram is the client's side of RFC 5802, without SASLprep and channel
// binding, as Kafka has it. The test suite has its own so that a fault in the
// one that dtok uses cannot hide one of a broker.
type scram struct {
	cred      Credentials
	hash      func() hash.Hash
	nonce     string
	firstBare string
	serverSig []byte
}

func scramHash(mechanism string) (func() hash.Hash, error) {
	switch mechanism {
	case ScramSHA256:
		return sha256.New, nil
	case ScramSHA512:
		return sha512.New, nil
	}
	return nil, fmt.Errorf("no client for SASL mechanism %s", mechanism)
}

func newScram(cred Credentials) (*scram, error) {
	h, err := scramHash(cred.Mechanism)
	if err != nil {
		return nil, err
	}
	return &scram{cred: cred, hash: h, nonce: rand.Text()}, nil
}

func (s *scram) first() []byte {
	name := strings.NewReplacer("=", "=3D", ",", "=2C").Replace(s.cred.User)
	s.firstBare = "n=" + name + ",r=" + s.nonce
	if s.cred.Token {
		s.firstBare += ",tokenauth=true"
	}
	return []byte("n,," + s.firstBare)
}

func (s *scram) final(challenge []byte) ([]byte, error) {
	fields := map[string]string{}
	for part := range strings.SplitSeq(string(challenge), ",") {
		if k, v, ok := strings.Cut(part, "="); ok {
			fields[k] = v
		}
	}
	salt, err := base64.StdEncoding.DecodeString(fields["s"])
	if err != nil {
		return nil, fmt.Errorf("salt of the SCRAM challenge: %w", err)
	}
	iterations, err := strconv.Atoi(fields["i"])
	if err != nil || iterations < 1 {
		return nil, fmt.Errorf("iterations of the SCRAM challenge: %q", fields["i"])
	}
	if !strings.HasPrefix(fields["r"], s.nonce) {
		return nil, fmt.Errorf("the SCRAM challenge carries another nonce")
	}
	salted, err := SaltedPassword(s.cred.Mechanism, s.cred.Password, salt, iterations)
	if err != nil {
		return nil, err
	}
	withoutProof := "c=biws,r=" + fields["r"]
	auth := []byte(s.firstBare + "," + string(challenge) + "," + withoutProof)
	clientKey := s.mac(salted, []byte("Client Key"))
	h := s.hash()
	h.Write(clientKey)
	proof := s.mac(h.Sum(nil), auth)
	for i := range proof {
		proof[i] ^= clientKey[i]
	}
	s.serverSig = s.mac(s.mac(salted, []byte("Server Key")), auth)
	return []byte(withoutProof + ",p=" + base64.StdEncoding.EncodeToString(proof)), nil
}

func (s *scram) verify(answer []byte) error {
	v, ok := bytes.CutPrefix(answer, []byte("v="))
	sig, err := base64.StdEncoding.DecodeString(string(v))
	if !ok || err != nil || !hmac.Equal(sig, s.serverSig) {
		return fmt.Errorf("the broker's SCRAM signature is wrong")
	}
	return nil
}

func (s *scram) mac(key, message []byte) []byte {
	m := hmac.New(s.hash, key)
	m.Write(message)
	return m.Sum(nil)
}

// SaltedPassword is what AlterUserScramCredentials carries instead of the
// password: PBKDF2 of it, as long as the mechanism's hash.
func SaltedPassword(mechanism, password string, salt []byte, iterations int) ([]byte, error) {
	h, err := scramHash(mechanism)
	if err != nil {
		return nil, err
	}
	return pbkdf2.Key(h, password, salt, iterations, h().Size())
}
