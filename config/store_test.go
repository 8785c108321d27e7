package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is no store is named by its content, whatever its type and name say.
func TestOtherFiles(t *testing.T) {
	der := (*authority)(nil).issue(t, "root", true).cert.Raw
	for _, tt := range []struct {
		key     string
		content []byte
		want    string
	}{
		{"ssl.truststore.location", []byte{0xce, 0xce, 0xce, 0xce, 0, 0, 0, 2}, "is a JCEKS store, which dtok does not read: make PKCS12 of it with `keytool -importkeystore -srckeystore 'STORE'"},
		{"ssl.truststore.location", der, "is a single certificate in DER: make PEM of it with `openssl x509 -inform der -in 'STORE' -out trust.pem`, then set ssl.truststore.type=PEM"},
		{"ssl.truststore.location", []byte{0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2}, "is a damaged JKS store"},
		{"ssl.keystore.location", []byte{0x30, 0x82, 0x03, 0xc6, 2, 1, 3}, "is a damaged PKCS12 store"},
		{"ssl.keystore.location", []byte{0x30, 0x80, 2, 1, 3}, "is a PKCS12 store, and it is written in BER, not DER: write it anew with `keytool -importkeystore -srckeystore 'STORE'"},
		{"ssl.keystore.location", []byte(" \n"), "is an empty file"},
		{"ssl.keystore.location", []byte("0123"), "is no PEM, JKS or PKCS12 file"},
		{"ssl.ca.location", []byte{0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2}, "is a JKS store, where librdkafka has a PEM file: give it as ssl.truststore.location"},
		{"ssl.ca.location", der, "is a single certificate in DER"},
	} {
		path := filepath.Join(t.TempDir(), "my store.jks")
		if err := os.WriteFile(path, tt.content, 0o600); err != nil {
			t.Fatal(err)
		}
		file := "security.protocol=SSL\n" + tt.key + "=" + path + "\n"
		if tt.key == "ssl.keystore.location" {
			file += "ssl.keystore.password=changeit\n"
		}
		_, err := ReadProperties(writeFile(t, file))
		want := ":2: " + tt.key + " " + strings.ReplaceAll(tt.want, "STORE", path)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", tt.key, err, want)
		}
	}
	file := "security.protocol=SSL\nssl.keystore.type=BCFKS\nssl.keystore.location=" + storesDir + "/key.p12\n"
	_, err := ReadProperties(writeFile(t, file))
	if err == nil || !strings.Contains(err.Error(), ":2: ssl.keystore.type must be JKS, PKCS12 or PEM, which are what dtok reads; the file is a PKCS12 store") {
		t.Errorf("BCFKS: %v", err)
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
