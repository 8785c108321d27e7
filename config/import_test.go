package config

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const importDir = "../testdata/config/import"

var update = flag.Bool("update", false, "write the golden files anew")

// Each file of another tool gives the config and the notes beside it, no
// password, and environments that load.
func TestImport(t *testing.T) {
	files, err := filepath.Glob(importDir + "/*")
	if err != nil {
		t.Fatal(err)
	}
	imported := 0
	for _, path := range files {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		imported++
		t.Run(filepath.Base(path), func(t *testing.T) {
			// A copy has a mode and a folder that do not depend on the checkout.
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "staging")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			copied := filepath.Join(dir, filepath.Base(path))
			if err := os.WriteFile(copied, data, 0o600); err != nil {
				t.Fatal(err)
			}
			t.Setenv("HOME", "/home/someone")
			out, notes, err := Import(copied)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Load(writeConfig(t, string(out)))
			if err != nil {
				t.Fatal(err)
			}
			text := string(out) + "--- not carried over\n" + strings.Join(append(notes, ""), "\n")
			if strings.Contains(text, "s3cr3t") {
				t.Errorf("shows a password:\n%s", text)
			}
			text = strings.ReplaceAll(text, dir, "DIR")
			golden := path + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || text != string(want) {
				t.Errorf("%v\n%s", err, text)
			}
			// What is said of a cluster is enough to connect, where the notes
			// do not say otherwise.
			for _, e := range f.Environments {
				_, err := e.Connection(context.Background())
				if err == nil || strings.Contains(err.Error(), "no such file") {
					continue
				}
				if !strings.Contains(strings.Join(notes, "\n"), e.Name+" signs in by") && filepath.Base(path) != "kcat.conf" {
					t.Errorf("%s: %v", e.Name, err)
				}
			}
		})
	}
	if imported < 8 {
		t.Errorf("only %d files", imported)
	}
}

func TestImportRefuses(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"empty", "", ": is none of client.properties"},
		{"words", "just some words\n", ": is none of client.properties"},
		{"other YAML", "clusters:\n- name: x\n  cluster: {server: s3cr3t}\n", ": is none of client.properties"},
		{"dtok's own", twoEnvironments, ": is dtok's own config already"},
		{"no clusters", "contexts: {}\n", ": is a config of kafkactl and names no cluster with brokers"},
		{"brokers of no use", "contexts: {a: {brokers: [s3cr3t@x]}}\n", ": is a config of kafkactl and names no cluster with brokers"},
		{"broken YAML", "contexts:\n  a: s3cr3t: x\n", ":2: this is no valid YAML"},
		{"kcl without brokers", "current_profile = 'a'\n[profiles.a.sasl]\npass = 's3cr3t'\n", ": is a config of kcl and names no cluster with brokers"},
		{"broken TOML", "seed_brokers = [\"a:1\"]\n[sasl]\npass = s3cr3t\n", ": is no"},
		{"binary", "\x00\x01", ": is not a text file"},
	} {
		path := writeConfig(t, tt.file)
		out, notes, err := Import(path)
		if err == nil || !strings.HasPrefix(err.Error(), path+tt.want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s\ngot  %s %q %v\nwant …%s", tt.name, out, notes, err, tt.want)
		}
	}
	if _, _, err := Import("/no/such/file"); err == nil || err.Error() != "/no/such/file: no such file or directory" {
		t.Errorf("missing: %v", err)
	}
}

// Any text survives being written.
func TestQuoteYAML(t *testing.T) {
	for _, text := range []string{"a", "", "true", "No", "~", "~/x", "null", "1", "0x1f", "1e3", ".5", "a b", "a: b", "a #b", "#a", "it's", `"q"`, `\`, "*a", "&a", "!a",
		"@a", "-", "- a", "?", "{a}", "[a", "a,b", "ä€𝄞", "a\nb", "a\tb", "\x1b[31m", " a ", "%a", "`a", "=", "<<", "2024-01-01", "host:9092", "\u2028", "\u0085", "a\\nb"} {
		f, err := load("x", []byte("environments:\n  - name: one\n    bootstrap: a:1\n    settings:\n      client.id: "+quoteYAML(text)+"\n"))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := reveal(f.Environments[0].settings[0].value); got != text {
			t.Errorf("%q became %q by %s", text, got, quoteYAML(text))
		}
	}
}
