package kerberos

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Distributions keep half of the settings in a folder of their own.
func TestConfigIncludes(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"krb5.conf":          "# comment\nincludedir " + dir + "/more\n[libdefaults]\n  default_realm = EXAMPLE.COM\ninclude " + dir + "/defaults\n[realms]\n",
		"more/10-kdc.conf":   "[realms]\n EXAMPLE.COM = {\n  kdc = kdc1.example\n }\n",
		"more/crypto":        "[libdefaults]\n permitted_enctypes = aes128-cts-hmac-sha1-96\n",
		"more/.hidden.conf":  "nonsense",
		"more/README.rpmnew": "nonsense",
		"defaults":           "[libdefaults]\n  dns_lookup_kdc = false\n  default_realm = SECOND\n",
		"module":             "module /usr/lib/x.so:residual\n[libdefaults]\n default_realm = M\n",
		"loop":               "include " + dir + "/loop\n",
		"gone":               "include " + dir + "/nothing\n",
		"gonedir":            "includedir " + dir + "/nothing\n",
		"broken":             "[realms]\n EXAMPLE.COM = {\n  kdc\n }\n",
	}
	if err := os.Mkdir(filepath.Join(dir, "more"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	conf, err := readConfig(filepath.Join(dir, "krb5.conf"))
	if err != nil {
		t.Fatal(err)
	}
	if conf.LibDefaults.DefaultRealm != "EXAMPLE.COM" || conf.LibDefaults.DNSLookupKDC {
		t.Errorf("%+v", conf.LibDefaults)
	}
	if len(conf.Realms) != 1 || !slices.Equal(conf.Realms[0].KDC, []string{"kdc1.example:88"}) {
		t.Errorf("%+v", conf.Realms)
	}
	if conf, err = readConfig(filepath.Join(dir, "module")); err != nil || conf.LibDefaults.DefaultRealm != "M" {
		t.Errorf("%v", err)
	}
	for name, want := range map[string]string{
		"loop":    "include too much, or each other",
		"gone":    "nothing cannot be read: no such file",
		"gonedir": "nothing, which cannot be read",
		"broken":  "cannot be understood",
		"missing": "missing cannot be read: no such file",
	} {
		_, err := readConfig(filepath.Join(dir, name))
		told(t, err, want)
	}
}
