package apache

import (
	"os"
	"path/filepath"
	"testing"

	"dtok/config"
)

// TestJavaStores lets dtok's reader of key stores, which knows nothing of this
// package, open what is written here.
func TestJavaStores(t *testing.T) {
	a, err := NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	key, cert, err := a.Client(Subject{"O=Acme", "CN=carol"})
	if err != nil {
		t.Fatal(err)
	}
	keys, trust, err := a.javaStores(key, cert)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"keys.jks": keys, "trust.jks": trust,
		"client.properties": []byte("security.protocol=SSL\n" +
			"ssl.keystore.type=JKS\nssl.keystore.location=" + dir + "/keys.jks\n" +
			"ssl.keystore.password=" + storePassword + "\nssl.key.password=" + storePassword + "\n" +
			"ssl.truststore.type=JKS\nssl.truststore.location=" + dir + "/trust.jks\nssl.truststore.password=" + storePassword + "\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := config.ReadProperties(filepath.Join(dir, "client.properties"))
	if err != nil {
		t.Fatal(err)
	}
	if !c.ClientCertificate || !c.TLS.RootCAs.Equal(a.Pool()) {
		t.Errorf("certificate %v, or another authority", c.ClientCertificate)
	}
	if _, _, err := a.javaStores([]byte("no PEM"), cert); err == nil {
		t.Error("a key that is no PEM is taken")
	}
}
