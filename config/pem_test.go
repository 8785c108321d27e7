package config

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const fixturePassword = "key-secret"

// pemCase is a properties file with what is expected of it: a part of the
// error, or "" when it is accepted.
type pemCase struct {
	name, file, want string
	certs            int // certificates in the client's chain
	note             string
}

// pemCases is the matrix of PEM stores. Files are written to dir.
func pemCases(t *testing.T, dir string) []pemCase {
	t.Helper()
	root := (*authority)(nil).issue(t, "root", true)
	middle := root.issue(t, "middle", true)
	leaf := middle.issue(t, "leaf", false)
	other := (*authority)(nil).issue(t, "other", true)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	rsaLeaf := root.issueFor(t, rsaKey, "rsa", false)
	chain := leaf.pem + middle.pem + root.pem
	key := keyPEM(t, leaf.key)
	fixture, err := os.ReadFile("../testdata/properties/pkcs8/plain.pem")
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(fixture)
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	encLeaf := root.issueFor(t, parsed.(crypto.Signer), "enc", false)
	encrypted, err := os.ReadFile("../testdata/properties/pkcs8/aes-256-cbc.pem")
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	pkcs1 := string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(rsaKey)}))

	trusted := string(pem.EncodeToMemory(&pem.Block{Type: "TRUSTED CERTIFICATE", Bytes: append(bytes.Clone(root.cert.Raw), 0x30, 0)}))

	trust := file("trust.pem", "some text\n"+root.pem+"# more\n"+other.pem)
	good := file("key store.pem", key+chain)
	const ssl = "security.protocol=SSL\n"
	trustPEM := ssl + "ssl.truststore.type=PEM\n"
	keyPEMType := ssl + "ssl.keystore.type=PEM\n"
	trustFile := func(name, content string) string {
		return trustPEM + "ssl.truststore.location=" + file(name, content) + "\n"
	}
	keyFile := func(name, content string) string {
		return keyPEMType + "ssl.keystore.location=" + file(name, content) + "\n"
	}
	inlineChain := "ssl.keystore.certificate.chain=" + asValue(chain) + "\n"
	inlineKey := "ssl.keystore.key=" + asValue(key) + "\n"
	inlineTrust := "ssl.truststore.certificates=" + asValue(root.pem) + "\n"

	return []pemCase{
		{"trust file with several CAs", trustPEM + "ssl.truststore.location=" + trust + "\n", "", 0, ""},
		{"trust file with CRLF", trustFile("crlf.pem", crlf(root.pem+other.pem)), "", 0, ""},
		{"trust inline", trustPEM + inlineTrust, "", 0, ""},
		{"trust inline on one line", trustPEM + "ssl.truststore.certificates=" + onOneLine(root.pem) + "\n", "", 0, ""},
		{"trust inline without a type", ssl + inlineTrust, "needs ssl.truststore.type=PEM", 0, ""},
		{"trust inline and location", trustPEM + inlineTrust + "ssl.truststore.location=" + trust + "\n", "stands beside ssl.truststore.location", 0, ""},
		{"trust file and password", trustPEM + "ssl.truststore.location=" + trust + "\nssl.truststore.password=x\n", "ssl.truststore.password must not be given with PEM", 0, ""},
		{"trust inline and password", trustPEM + inlineTrust + "ssl.truststore.password=x\n", "ssl.truststore.password must not be given with PEM", 0, ""},
		{"trust password alone", ssl + "ssl.truststore.password=x\n", "ssl.truststore.password is given, but no trust store", 0, ""},
		{"trust file of the default type", ssl + "ssl.truststore.location=" + trust + "\n", "is a PEM file: set ssl.truststore.type=PEM", 0, ""},
		{"trust file, type in small letters", ssl + "ssl.truststore.type=pem\nssl.truststore.location=" + trust + "\n", "ssl.truststore.type must be written in capitals", 0, ""},
		{"trust file without certificate", trustFile("key-only.pem", key), "holds no certificate in PEM", 0, ""},
		{"trust file empty", trustFile("empty.pem", "\n"), "is an empty file", 0, ""},
		{"trust file of words", trustFile("words.pem", "not a store"), "is no PEM, JKS or PKCS12 file", 0, ""},
		{"trust file cut", trustFile("cut.pem", root.pem[:len(root.pem)-20]), "damaged PEM block (number 1): there is no END CERTIFICATE", 0, ""},
		{"trust file with another letter", trustFile("letter.pem", strings.Replace(root.pem, "M", "%", 1)), "not base64", 0, ""},
		{"trust file of other bytes", trustFile("bytes.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), "holds a certificate that cannot be read (PEM block 1)", 0, ""},
		{"trust file missing", trustPEM + "ssl.truststore.location=/no/such.pem\n", "ssl.truststore.location /no/such.pem: no such file or directory", 0, ""},
		{"key file", keyPEMType + "ssl.keystore.location=" + good + "\n", "", 3, ""},
		{"key file, key last", keyFile("key-last.pem", chain+key), "", 3, ""},
		{"key file with CRLF", keyFile("key-crlf.pem", crlf(key+chain)), "", 3, ""},
		{"key file with leaf alone", keyFile("leaf.pem", key+leaf.pem), "", 1, ""},
		{"key file and store password", keyPEMType + "ssl.keystore.location=" + good + "\nssl.keystore.password=x\n", "ssl.keystore.password must not be given with PEM: the password of the key is ssl.key.password", 0, ""},
		{"key file of the default type", ssl + "ssl.keystore.location=" + good + "\nssl.keystore.password=x\n", "is a PEM file: set ssl.keystore.type=PEM", 0, ""},
		{"key file without key", keyFile("no-key.pem", chain), "holds no private key in PEM", 0, ""},
		{"key file with two keys", keyFile("two.pem", key+key+chain), "holds 2 private keys in PEM", 0, ""},
		{"key file without chain", keyFile("no-chain.pem", key), "holds no certificate in PEM", 0, ""},
		{"key inline", keyPEMType + inlineKey + inlineChain, "", 3, ""},
		{"key inline on one line", keyPEMType + "ssl.keystore.key=" + onOneLine(key) + "\nssl.keystore.certificate.chain=" + onOneLine(leaf.pem) + "\n", "", 1, ""},
		{"key inline without chain", keyPEMType + inlineKey, "ssl.keystore.key needs ssl.keystore.certificate.chain as well", 0, ""},
		{"chain inline without key", keyPEMType + inlineChain, "ssl.keystore.certificate.chain needs ssl.keystore.key as well", 0, ""},
		{"key inline without a type", ssl + inlineKey + inlineChain, "needs ssl.keystore.type=PEM", 0, ""},
		{"key inline and location", keyPEMType + inlineKey + inlineChain + "ssl.keystore.location=" + good + "\n", "stands beside ssl.keystore.location", 0, ""},
		{"key inline and store password", keyPEMType + inlineKey + inlineChain + "ssl.keystore.password=x\n", "ssl.keystore.password must not be given with PEM", 0, ""},
		{"key store password alone", ssl + "ssl.keystore.password=x\n", "ssl.keystore.password is given, but no key store", 0, ""},
		{"encrypted key", keyFile("enc.pem", string(encrypted)+encLeaf.pem) + "ssl.key.password=" + fixturePassword + "\n", "", 1, ""},
		{"encrypted key without password", keyFile("enc2.pem", string(encrypted)+encLeaf.pem), "holds an encrypted private key: set ssl.key.password", 0, ""},
		{"encrypted key, wrong password", keyFile("enc3.pem", string(encrypted)+encLeaf.pem) + "ssl.key.password=wrong\n", "does not open with ssl.key.password", 0, ""},
		{"plain key with password", keyPEMType + "ssl.keystore.location=" + good + "\nssl.key.password=x\n", "holds a private key that is not encrypted, but ssl.key.password is set", 0, ""},
		{"RSA key", keyFile("rsa.pem", keyPEM(t, rsaKey)+rsaLeaf.pem+root.pem), "", 2, ""},
		// From here on dtok takes more than Kafka, or says it otherwise.
		{"PKCS#1 key", keyFile("pkcs1.pem", pkcs1+rsaLeaf.pem), "", 1, "older form RSA PRIVATE KEY"},
		{"wrong order", keyFile("order.pem", key+root.pem+middle.pem+leaf.pem), "", 3, "in another order than leaf to root"},
		{"a certificate too many", keyFile("many.pem", key+chain+other.pem), "", 3, "some that are not of the chain"},
		{"key of another certificate", keyFile("foreign.pem", key+other.pem), "holds no certificate for its private key", 0, ""},
		{"librdkafka CA file", ssl + "ssl.ca.location=" + trust + "\n", "", 0, "ssl.ca.location is librdkafka's way"},
		{"librdkafka CA inline", ssl + "ssl.ca.pem=" + asValue(root.pem) + "\n", "", 0, "ssl.ca.pem is librdkafka's spelling"},
		{"librdkafka CA and trust store", ssl + "ssl.ca.location=" + trust + "\nssl.truststore.location=" + trust + "\n", "ssl.ca.location stands beside another trust store", 0, ""},
		{"librdkafka key files", ssl + "ssl.certificate.location=" + file("chain.pem", chain) + "\nssl.key.location=" + file("key.pem", key) + "\n", "", 3, "ssl.certificate.location and ssl.key.location are librdkafka's way"},
		{"librdkafka key file alone", ssl + "ssl.key.location=" + file("key2.pem", key) + "\n", "ssl.key.location needs ssl.certificate.location as well", 0, ""},
		{"OpenSSL's trusted certificate", trustFile("trusted.pem", trusted), "", 0, ""},
	}
}

func TestPEMStores(t *testing.T) {
	for _, tt := range pemCases(t, t.TempDir()) {
		t.Run(tt.name, func(t *testing.T) {
			c, err := ReadProperties(writeFile(t, tt.file))
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("got  %v\nwant …%s", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if notes := strings.Join(c.Notes, "\n"); (tt.note == "") != (notes == "") || !strings.Contains(notes, tt.note) {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
			certs := 0
			for _, pair := range c.TLS.Certificates {
				certs += len(pair.Certificate)
			}
			if certs != tt.certs || c.ClientCertificate != (tt.certs > 0) {
				t.Errorf("%d certificates to present (%v), want %d", certs, c.ClientCertificate, tt.certs)
			}
			if strings.Contains(tt.name, "trust") && c.TLS.RootCAs == nil {
				t.Error("the trust store is not used")
			}
		})
	}
}

// The fixtures are one EC key, written by OpenSSL 3.0 (pkcs8 -topk8 -v2 CIPHER
// -v2prf HASH; -scrypt; -v1 PBE-SHA1-3DES; ec -aes128) under one password.
func TestEncryptedKeys(t *testing.T) {
	files, err := filepath.Glob("../testdata/properties/pkcs8/*.pem")
	if err != nil || len(files) < 10 {
		t.Fatalf("fixtures: %v %v", files, err)
	}
	plain, err := os.ReadFile("../testdata/properties/pkcs8/plain.pem")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := pem.Decode(plain)
	for _, f := range files {
		name := filepath.Base(f)
		if name == "plain.pem" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			blocks, err := pemBlocks(text)
			if err != nil {
				t.Fatal(err)
			}
			key, err := privateKey(blocks, []byte(fixturePassword))
			if strings.HasPrefix(name, "refused-") {
				if err == nil || !strings.Contains(err.Error(), renewKey) {
					t.Fatalf("got %v, want the command that renews the key", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			der, err := x509.MarshalPKCS8PrivateKey(key)
			if err != nil || !bytes.Equal(der, want.Bytes) {
				t.Errorf("another key came out (%v)", err)
			}
			// Whatever is broken, an error comes and no panic.
			for i := range blocks[0].der {
				damaged := bytes.Clone(blocks[0].der)
				damaged[i] ^= 0x55
				if got, err := decryptPKCS8(damaged, []byte(fixturePassword)); err == nil && bytes.Equal(got, want.Bytes) {
					continue // an attribute that does not matter
				}
				if _, err := decryptPKCS8(damaged[:i], []byte(fixturePassword)); err == nil {
					t.Errorf("cut at byte %d: no error", i)
				}
			}
		})
	}
}
