package apache

import (
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"encoding/asn1"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"time"
	"unicode/utf16"
)

// storePassword seals the Java key stores of brokers that read no PEM.
const storePassword = "of-a-test"

// javaStores are a key store with the broker's key and a trust store with the
// authority's certificate, both in Java's own format JKS.
func (a *Authority) javaStores(keyPEM, certPEM []byte) (key, trust []byte, err error) {
	keyBlock, _ := pem.Decode(keyPEM)
	certBlock, _ := pem.Decode(certPEM)
	if keyBlock == nil || certBlock == nil {
		return nil, nil, errors.New("no PEM")
	}
	sealed, err := sealJavaKey(keyBlock.Bytes)
	if err != nil {
		return nil, nil, err
	}
	var k, t javaStore
	k.entry(1, "broker")
	k.bytes32(sealed)
	k.number(2) // certificates of the chain
	k.certificate(certBlock.Bytes)
	k.certificate(a.cert.Raw)
	t.entry(2, "ca")
	t.certificate(a.cert.Raw)
	return k.sealed(), t.sealed(), nil
}

// javaStore writes version 2 of JKS (sun.security.provider.JavaKeyStore): each
// entry has a tag, an alias and a date, then what it holds.
type javaStore struct{ bytes.Buffer }

func (s *javaStore) number(n int) { binary.Write(s, binary.BigEndian, uint32(n)) }

func (s *javaStore) text(t string) {
	binary.Write(s, binary.BigEndian, uint16(len(t)))
	s.WriteString(t)
}

func (s *javaStore) bytes32(b []byte) {
	s.number(len(b))
	s.Write(b)
}

// entry begins the store and its one entry; tag 1 is a key, 2 a certificate.
func (s *javaStore) entry(tag int, alias string) {
	for _, n := range []int{0xfeedfeed, 2, 1, tag} {
		s.number(n)
	}
	s.text(alias)
	binary.Write(s, binary.BigEndian, time.Now().UnixMilli())
}

func (s *javaStore) certificate(der []byte) {
	s.text("X.509")
	s.bytes32(der)
}

// sealed is the store with its checksum, SHA-1 over the password, two words
// and the content.
func (s *javaStore) sealed() []byte {
	h := sha1.New()
	h.Write(javaPassword())
	h.Write([]byte("Mighty Aphrodite"))
	h.Write(s.Bytes())
	return h.Sum(s.Bytes())
}

// javaPassword is the password in UTF-16, high byte first.
func javaPassword() []byte {
	var b []byte
	for _, unit := range utf16.Encode([]rune(storePassword)) {
		b = binary.BigEndian.AppendUint16(b, unit)
	}
	return b
}

// sealJavaKey hides a PKCS#8 key as sun.security.provider.KeyProtector does: a
// salt, the key under a stream of chained SHA-1 sums, and a SHA-1 of password
// and key, in an EncryptedPrivateKeyInfo.
func sealJavaKey(pkcs8 []byte) ([]byte, error) {
	password := javaPassword()
	sum := make([]byte, sha1.Size)
	rand.Read(sum)
	sealed := bytes.Clone(sum)
	for i, b := range pkcs8 {
		if i%sha1.Size == 0 {
			next := sha1.Sum(append(bytes.Clone(password), sum...))
			sum = next[:]
		}
		sealed = append(sealed, b^sum[i%sha1.Size])
	}
	check := sha1.Sum(append(bytes.Clone(password), pkcs8...))
	type algorithm struct {
		ID   asn1.ObjectIdentifier
		None asn1.RawValue
	}
	return asn1.Marshal(struct {
		Algorithm algorithm
		Data      []byte
	}{
		algorithm{asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 42, 2, 17, 1, 1}, asn1.NullRawValue},
		append(sealed, check[:]...),
	})
}
