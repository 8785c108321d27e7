package config

import (
	"bytes"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
)

// The structures of RFC 7292, section 4 and 5.
type pfx struct {
	Version int
	Safe    contentInfo
	Mac     macData `asn1:"optional"`
}

type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content asn1.RawValue `asn1:"tag:0,explicit,optional"`
}

type encryptedData struct {
	Version int
	Content struct {
		Type      asn1.ObjectIdentifier
		Algorithm pkix.AlgorithmIdentifier
		Data      []byte `asn1:"tag:0,optional"`
	}
}

type safeBag struct {
	Type       asn1.ObjectIdentifier
	Value      asn1.RawValue  `asn1:"tag:0,explicit"`
	Attributes []bagAttribute `asn1:"set,optional"`
}

type bagAttribute struct {
	Type   asn1.ObjectIdentifier
	Values asn1.RawValue `asn1:"set"`
}

type certBag struct {
	Type asn1.ObjectIdentifier
	Data []byte `asn1:"tag:0,explicit"`
}

const (
	oidData      = "1.2.840.113549.1.7.1"
	oidEncrypted = "1.2.840.113549.1.7.6"
	oidKeyBag    = "1.2.840.113549.1.12.10.1.1"
	oidLockedBag = "1.2.840.113549.1.12.10.1.2"
	oidCertBag   = "1.2.840.113549.1.12.10.1.3"
	oidX509      = "1.2.840.113549.1.9.22.1"
	oidLocalKey  = "1.2.840.113549.1.9.21"
	// oidTrusted is Oracle's: a certificate without it is no trust anchor.
	oidTrusted = "2.16.840.1.113894.746875.1.1"
)

// errBER is for stores that only a reader of BER can read.
var errBER = errors.New("it is written in BER, not DER")

// readPKCS12 reads a PKCS12 store as Java's key store of that name does.
// Without a password (nil, not empty) nothing is checked and what is encrypted
// is left out, as there; hidden says that it was.
func readPKCS12(data, password []byte) (*storeContent, error) {
	var outer pfx
	if len(data) > 1 && data[1] == 0x80 {
		return nil, errBER
	}
	if err := unmarshalAll(data, &outer); err != nil {
		return nil, err
	}
	if outer.Version != 3 || outer.Safe.Type.String() != oidData {
		return nil, errCipher
	}
	var content []byte
	if err := unmarshalAll(outer.Safe.Content.Bytes, &content); err != nil {
		return nil, err
	}
	if outer.Mac.Mac.Algorithm.Algorithm != nil && password != nil {
		if err := outer.Mac.check(content, password); err != nil {
			return nil, err
		}
	}
	var safes []contentInfo
	if err := unmarshalAll(content, &safes); err != nil {
		return nil, err
	}
	s := &pkcs12Store{content: &storeContent{}}
	for _, safe := range safes {
		if err := s.read(safe, password); err != nil {
			return nil, err
		}
	}
	s.pair()
	return s.content, nil
}

// pkcs12Store gathers the bags; keys and certificates are tied by their local
// key ids.
type pkcs12Store struct {
	content *storeContent
	certIDs [][]byte // of content.others
	keyIDs  [][]byte // of content.keys
}

func (s *pkcs12Store) read(safe contentInfo, password []byte) error {
	var bags []byte
	switch safe.Type.String() {
	case oidData:
		if err := unmarshalAll(safe.Content.Bytes, &bags); err != nil {
			return err
		}
	case oidEncrypted:
		var e encryptedData
		if err := unmarshalAll(safe.Content.Bytes, &e); err != nil {
			return err
		}
		if password == nil {
			s.content.hidden = true
			return nil
		}
		var err error
		if bags, err = decryptPBE(e.Content.Algorithm, e.Content.Data, password); err != nil {
			return err
		}
	default:
		return errCipher // public-key encryption
	}
	defer clear(bags)
	var all []safeBag
	if err := unmarshalAll(bags, &all); err != nil {
		return err
	}
	for _, bag := range all {
		if err := s.add(bag); err != nil {
			return err
		}
	}
	return nil
}

// add takes certificates and private keys; other bags (CRLs, secrets) are of
// no use to TLS, and Java leaves them out too.
func (s *pkcs12Store) add(bag safeBag) error {
	switch bag.Type.String() {
	case oidCertBag:
		var c certBag
		if err := unmarshalAll(bag.Value.Bytes, &c); err != nil {
			return err
		}
		if c.Type.String() != oidX509 {
			return nil
		}
		cert, err := x509.ParseCertificate(bytes.Clone(c.Data))
		if err != nil {
			s.content.unread++
			return nil
		}
		if bag.attribute(oidTrusted) != nil {
			s.content.trusted = append(s.content.trusted, cert)
		}
		s.content.others = append(s.content.others, cert)
		s.certIDs = append(s.certIDs, bag.attribute(oidLocalKey))
	case oidKeyBag:
		der := bytes.Clone(bag.Value.Bytes)
		s.addKey(bag, func([]byte) ([]byte, error) { return bytes.Clone(der), nil })
	case oidLockedBag:
		var k encryptedKey
		if err := unmarshalAll(bytes.Clone(bag.Value.Bytes), &k); err != nil {
			return err
		}
		s.addKey(bag, func(password []byte) ([]byte, error) { return decryptPBE(k.Algorithm, k.Data, password) })
	}
	return nil
}

func (s *pkcs12Store) addKey(bag safeBag, open func([]byte) ([]byte, error)) {
	s.content.keys = append(s.content.keys, lockedKey{open: open})
	s.keyIDs = append(s.keyIDs, bag.attribute(oidLocalKey))
}

// pair finds the own certificate of each key, which counts as trusted in a
// trust store. A single key without an id belongs to the first certificate.
func (s *pkcs12Store) pair() {
	for k, id := range s.keyIDs {
		for i, cert := range s.content.others {
			if (id != nil && bytes.Equal(id, s.certIDs[i])) || (id == nil && len(s.keyIDs) == 1) {
				s.content.keys[k].own = cert
				break
			}
		}
	}
}

// attribute is the encoded set of an attribute's values, nil when it has none.
func (b safeBag) attribute(oid string) []byte {
	for _, a := range b.Attributes {
		if a.Type.String() == oid {
			return bytes.Clone(a.Values.FullBytes)
		}
	}
	return nil
}
