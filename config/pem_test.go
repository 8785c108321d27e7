package config

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority signs certificates for a test.
type authority struct {
	cert *x509.Certificate
	key  crypto.Signer
	pem  string
}

var serial int64 = 1

// issue makes a certificate signed by a, or by itself when a is nil.
func (a *authority) issue(t *testing.T, name string, ca bool, hosts ...string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return a.issueFor(t, key, name, ca, hosts...)
}

func (a *authority) issueFor(t *testing.T, key crypto.Signer, name string, ca bool, hosts ...string) *authority {
	t.Helper()
	serial++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: ca, BasicConstraintsValid: true,
	}
	if ca {
		template.KeyUsage = x509.KeyUsageCertSign
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, h)
		}
	}
	parent, signer := template, key
	if a != nil {
		parent, signer = a.cert, a.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{cert, key, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))}
}

func keyPEM(t *testing.T, key crypto.Signer) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// asValue writes a PEM text as a value in a properties file: every line
// continued, as the documentation of Kafka shows it.
func asValue(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\\n\\\n  ")
}

// onOneLine replaces the line ends by blanks, as people also write it.
func onOneLine(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", " ") }

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

// The store formats that come later are named by content, whatever their type
// and name say, with commands that make PEM of them.
func TestOtherStores(t *testing.T) {
	jks := []byte{0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2}
	jceks := []byte{0xce, 0xce, 0xce, 0xce, 0, 0, 0, 2}
	p12 := []byte{0x30, 0x82, 0x03, 0xc6, 2, 1, 3}
	der := (*authority)(nil).issue(t, "root", true).cert.Raw
	for _, tt := range []struct {
		store, kind string
		content     []byte
		want        string
	}{
		{"truststore", "", jks, "is a JKS store, which dtok does not read yet: make PEM of it with `keytool -list -rfc -keystore 'STORE' > trust.pem`, then set ssl.truststore.type=PEM"},
		{"truststore", "JKS", p12, "is a PKCS12 store, which dtok does not read yet: make PEM of it with `keytool -list"},
		{"truststore", "PKCS12", p12, "is a PKCS12 store"},
		{"truststore", "PEM", jks, "is a JKS store"},
		{"truststore", "", jceks, "is a JCEKS store"},
		{"truststore", "", der, "is a single certificate in DER: make PEM of it with `openssl x509 -inform der -in 'STORE' -out trust.pem`"},
		{"keystore", "", jks, "make PEM of it with `keytool -importkeystore -srckeystore 'STORE' -destkeystore key.p12 -deststoretype PKCS12` and `openssl pkcs12 -in key.p12 -out key.pem`"},
		{"keystore", "PKCS12", p12, "make PEM of it with `openssl pkcs12 -in 'STORE' -out key.pem`, then set ssl.keystore.type=PEM and ssl.keystore.location to the new file, and remove ssl.keystore.password; the new password is ssl.key.password"},
	} {
		path := filepath.Join(t.TempDir(), "my store.jks")
		if err := os.WriteFile(path, tt.content, 0o600); err != nil {
			t.Fatal(err)
		}
		file := "security.protocol=SSL\nssl." + tt.store + ".location=" + path + "\nssl." + tt.store + ".password=changeit\n"
		if tt.kind != "" {
			file += "ssl." + tt.store + ".type=" + tt.kind + "\n"
		}
		_, err := ReadProperties(writeFile(t, file))
		want := strings.ReplaceAll(tt.want, "STORE", path)
		if err == nil || !strings.Contains(err.Error(), ":2: ssl."+tt.store+".location is a") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s %s\ngot  %v\nwant %s", tt.store, tt.kind, err, want)
		}
	}
}

// A path that is not found shows what was tried and a likely reason.
func TestStorePath(t *testing.T) {
	path := writeFile(t, "")
	dir := filepath.Dir(path)
	if err := os.WriteFile(filepath.Join(dir, "ca.pem"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	t.Chdir(work)
	t.Setenv("HOME", work)
	for location, want := range map[string]string{
		`C:\kafka\trust.jks`: `a backslash in a path is written \\`,
		`ca.pem`:             filepath.Join(work, "ca.pem") + ": no such file or directory (there is one beside " + path,
		`~/my ca.pem`:        "ssl.truststore.location " + filepath.Join(work, "my ca.pem") + ": no such file",
		`.`:                  "is a directory",
		``:                   "the path of the file is empty",
	} {
		if err := os.WriteFile(path, []byte("security.protocol=SSL\nssl.truststore.location="+location+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadProperties(path)
		if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\t\n") {
			t.Errorf("%s\ngot  %v\nwant …%s", location, err, want)
		}
	}
}

func TestKeyFileReadableByOthers(t *testing.T) {
	root := (*authority)(nil).issue(t, "root", true)
	path := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(path, []byte(keyPEM(t, root.key)+root.pem), 0o600); err != nil {
		t.Fatal(err)
	}
	file := "security.protocol=SSL\nssl.keystore.type=PEM\nssl.keystore.location=" + path + "\n"
	if c := mustRead(t, file); len(c.Notes) > 0 {
		t.Errorf("mode 0600: %q", c.Notes)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if c := mustRead(t, file); len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "is a private key that can be read by others") {
		t.Errorf("mode 0644: %q", c.Notes)
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
