package config

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// seeds are the files of all vectors and what the tests of this package found
// worth a case.
func seeds(f *testing.F) [][]byte {
	f.Helper()
	var out [][]byte
	for _, v := range readVectors(f) {
		out = append(out, v.bytes(f))
	}
	return append(out, []byte(plainHead+plainLogin), []byte(scramHead+scramLogin), []byte("security.protocol=SSL\nssl.cipher.suites=a,b\n"),
		[]byte(oauthHead+oauthLogin+endpoint), []byte(kerberosFile("useTicketCache=true")))
}

// Whatever the bytes are: no panic, lines within the file, no key twice for
// one place, and writing what was read gives the same again.
func FuzzProperties(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		input := bytes.Clone(data)
		props, err := parseProperties(data)
		if !bytes.Equal(input, data) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			return
		}
		var again bytes.Buffer
		last, lines := 0, 1+bytes.Count(data, []byte("\n"))+bytes.Count(data, []byte("\r"))
		for _, p := range props {
			if p.line < last || p.line < 1 || p.line > lines {
				t.Fatalf("key %q stands on line %d of %d, after line %d", p.key, p.line, lines, last)
			}
			last = p.line
			again.WriteString(escapeProperty(p.key) + "=" + escapeProperty(string(p.value)) + "\n")
		}
		second, err := parseProperties(again.Bytes())
		if err != nil || len(second) != len(props) {
			t.Fatalf("%d keys, then %d (%v)", len(props), len(second), err)
		}
		for i := range props {
			if second[i].key != props[i].key || !bytes.Equal(second[i].value, props[i].value) {
				t.Fatalf("%q=%q became %q=%q", props[i].key, props[i].value, second[i].key, second[i].value)
			}
		}
	})
}

// escapeProperty writes any text so that it is read back, with escapes alone.
func escapeProperty(text string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		b.WriteString(`\u`)
		for shift := 12; shift >= 0; shift -= 4 {
			b.WriteByte(hex[unit>>shift&15])
		}
	}
	return b.String()
}

// A string in quotes with every quote and backslash escaped is read back, and
// any text gives modules or one of the known errors.
func FuzzJAAS(f *testing.F) {
	for _, s := range seeds(f) {
		props, err := parseProperties(s)
		if err != nil {
			continue
		}
		for _, p := range props {
			f.Add(string(p.value))
		}
	}
	f.Add(`/*`)
	f.Add("M required a=\"\\")
	f.Fuzz(func(t *testing.T, text string) {
		modules, err := parseJAAS([]byte(text))
		switch err {
		case nil, errJaasEmpty, errJaasFlag, errJaasClass, errJaasValue, errJaasEnd:
		default:
			t.Fatalf("unexpected error %v", err)
		}
		if (err == nil) != (len(modules) > 0) {
			t.Fatalf("%d modules and error %v", len(modules), err)
		}
		for _, m := range modules {
			if m.class == "" || !strings.Contains(" required requisite sufficient optional ", " "+m.flag+" ") {
				t.Fatalf("module %q with flag %q", m.class, m.flag)
			}
		}
		value := strings.ToValidUTF8(text, "?")
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(value)
		modules, err = parseJAAS([]byte(`M required p="` + quoted + `";`))
		if err != nil || string(modules[0].option("p")) != value {
			t.Fatalf("%q was not read back (%v)", value, err)
		}
	})
}

// A whole file: no panic, an *Error or a usable Connection.
func FuzzReadProperties(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	path := filepath.Join(f.TempDir(), "client.properties")
	f.Fuzz(func(t *testing.T, data []byte) {
		// Paths in the file would lead to the files of this machine.
		if bytes.Contains(data, []byte("location")) || bytes.Contains(data, []byte(`\`)) {
			return
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := ReadProperties(path)
		if err != nil {
			if !strings.HasPrefix(err.Error(), path) || strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Fatalf("error %q", err)
			}
			return
		}
		sasl := strings.HasPrefix(c.Protocol, "SASL_")
		password := c.Mechanism == "PLAIN" || strings.HasPrefix(c.Mechanism, "SCRAM-")
		if sasl != (c.Mechanism != "") || password != (c.User != "") || password != (reveal(c.Password) != "") ||
			(c.OAuth != nil) != (c.Mechanism == "OAUTHBEARER") || (c.Kerberos != nil) != (c.Mechanism == "GSSAPI") ||
			strings.HasSuffix(c.Protocol, "SSL") != (c.TLS != nil) {
			t.Fatalf("not usable: %+v", c)
		}
		for _, n := range c.Notes {
			if strings.ContainsAny(n, "\n\r\x1b") {
				t.Fatalf("note %q", n)
			}
		}
	})
}

// Whatever a file holds: no panic, and no store that claims more than it has.
// Without a password nothing is decrypted, so hostile counts cost no time.
func FuzzStores(f *testing.F) {
	files, err := filepath.Glob(storesDir + "/*.[jp]*")
	if err != nil || len(files) < 20 {
		f.Fatalf("%d seeds: %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func(data, password []byte) (*storeContent, error){readJKS, readPKCS12} {
			input := bytes.Clone(data)
			c, err := read(data, nil)
			if !bytes.Equal(input, data) {
				t.Fatal("the input was changed")
			}
			if (c == nil) == (err == nil) {
				t.Fatalf("%v and %v", c, err)
			}
			if c != nil && len(c.trusted) > len(c.others) {
				t.Fatalf("%d trusted of %d", len(c.trusted), len(c.others))
			}
		}
	})
}

// Whatever a config file holds: no panic, and an *Error on a line of the file
// that prints in one line, or environments that can be used.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(Example()))
	f.Add([]byte(twoEnvironments))
	f.Add([]byte(signIn("    password_command: [a, 'b c']\n    timeouts: {password: 1s}\n")))
	f.Add([]byte("environments:\n- {name: a, bootstrap: 'a:1', settings: {ssl.key.password: {file: x}}}\n"))
	f.Add([]byte("environments: &a\n  - <<: *a\n    ? x\n    : !!str y\n"))
	f.Add([]byte("%YAML 1.2\n---\n\"\\x41\": |\n  a\n ...\n"))
	path := filepath.Join(f.TempDir(), "config.yaml")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Load(path)
		if err != nil {
			var e *Error
			lines := 1 + bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r"))
			if !errors.As(err, &e) || e.Line < 0 || e.Line > lines || strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Fatalf("error %q, line %d of %d", err, e.Line, lines)
			}
			return
		}
		if file.Default != "" && file.find(file.Default) == nil {
			t.Fatalf("default %q", file.Default)
		}
		for _, e := range file.Environments {
			if found := file.find(e.Name); found != e || !printable(e.Name) || e.Color < NoColor || e.Color > 15 || (e.Bootstrap == "" && e.properties == "") {
				t.Fatalf("%+v", e)
			}
		}
	})
}
