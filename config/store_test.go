package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
