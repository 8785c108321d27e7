package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

var day = time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)

// TestArchivesDependOnContentsAlone: not on the files' own times, owners and
// modes, which differ from machine to machine.
func TestArchivesDependOnContentsAlone(t *testing.T) {
	for name, pack := range map[string]func(io.Writer, []entry, time.Time) error{"tar.gz": tarGz, "zip": zipped} {
		var made [2]bytes.Buffer
		for i := range made {
			dir := t.TempDir()
			entries := []entry{{"top/dtok", filepath.Join(dir, "a"), 0o755}, {"top/man/dtok.1", filepath.Join(dir, "b"), 0o644}}
			for _, e := range entries {
				if err := os.WriteFile(e.path, []byte("contents of "+e.name), 0o600+os.FileMode(i)); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(e.path, day, day.Add(time.Duration(i)*time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
			if err := pack(&made[i], entries, day); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(made[0].Bytes(), made[1].Bytes()) {
			t.Errorf("%s: the same contents give two archives", name)
		}
	}
}

func TestArchivesCanBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dtok")
	if err := os.WriteFile(path, []byte("program"), 0o600); err != nil {
		t.Fatal(err)
	}
	entries := []entry{{"top/dtok", path, 0o755}}
	var out bytes.Buffer
	if err := tarGz(&out, entries, day); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	head, err := tar.NewReader(z).Next()
	if err != nil || head.Name != "top/dtok" || head.Mode != 0o755 || !head.ModTime.Equal(day) || head.Uid != 0 || head.Uname != "" {
		t.Errorf("%+v, %v", head, err)
	}
	out.Reset()
	if err := zipped(&out, entries, day); err != nil {
		t.Fatal(err)
	}
	list, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if f := list.File[0]; f.Name != "top/dtok" || f.Mode() != 0o755 || !f.Modified.Equal(day) {
		t.Errorf("%+v", f.FileHeader)
	}
}

// TestMaterials: the document names what is in the program, and the same program
// has the same one.
func TestMaterials(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.2.3", Main: debug.Module{Path: "dtok", Version: "v1.0.0"},
		Deps: []*debug.Module{
			{Path: "example.org/Z", Version: "v2.0.0", Sum: "h1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},
			{Path: "example.org/a", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/b", Version: "v3.0.0"}},
		},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}},
	}
	made, err := json.Marshal(describe(info, platform{"linux", "amd64"}, []byte("program"), day))
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(describe(info, platform{"linux", "amd64"}, []byte("program"), day))
	if err != nil || !bytes.Equal(made, again) {
		t.Errorf("two documents of one program: %v", err)
	}
	for _, part := range []string{`"bomFormat":"CycloneDX","specVersion":"1.6"`, `"timestamp":"2026-01-02T03:04:06Z"`, `"value":"abc"`,
		`"purl":"pkg:golang/std@1.2.3"`, `"purl":"pkg:golang/example.org/Z@v2.0.0"`, `"purl":"pkg:golang/example.org/b@v3.0.0"`,
		`"name":"go:h1","value":"h1:AAEC`, `{"ref":"dtok","dependsOn":["pkg:golang/example.org/Z@v2.0.0",`} {
		if !bytes.Contains(made, []byte(part)) {
			t.Errorf("%s is not in %s", part, made)
		}
	}
	if bytes.Contains(made, []byte("example.org/a")) {
		t.Error("a module that is replaced is not in the program")
	}
	if s := serial(sha256.Sum256([]byte("program"))); !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(s) {
		t.Errorf("%s is no UUID of version 8", s)
	}
}

func TestPackagesHaveTheProgramAndItsDocuments(t *testing.T) {
	b := &build{work: "work", version: "1.0.0", time: day, docs: map[string]string{"LICENSE": "l", "README.md": "r",
		"man/dtok.1": "m", "LICENSES-OF-OTHERS": "o", "completions/dtok.ps1": "p"}}
	for _, name := range completions {
		b.docs["completions/"+name] = "c"
	}
	c := b.config(platform{"linux", "arm64"})
	var places []string
	for _, f := range c.Contents {
		places = append(places, f.Destination)
		if f.Info.ModTime != "2026-01-02T03:04:06Z" || (f.Info.Mode == 0o755) != (f.Destination == "/usr/bin/dtok") {
			t.Errorf("%+v", f)
		}
	}
	const want = "/usr/bin/dtok /usr/share/doc/dtok/copyright /usr/share/doc/dtok/LICENSES-OF-OTHERS /usr/share/doc/dtok/README.md " +
		"/usr/share/zsh/site-functions/_dtok /usr/share/bash-completion/completions/dtok " +
		"/usr/share/fish/vendor_completions.d/dtok.fish /usr/share/man/man1/dtok.1"
	if got := strings.Join(places, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestAFolderOfSomebodyElseIsLeftAlone: what a release removes was made by one.
func TestAFolderOfSomebodyElseIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	b := &build{out: dir}
	if err := b.empty(); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
	file := filepath.Join(dir, "thesis")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.empty(); err == nil {
		t.Error("a folder with other files is taken")
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the file is gone: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, sums), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.empty(); err != nil {
		t.Errorf("a release of before: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

func TestLicence(t *testing.T) {
	dir := t.TempDir()
	if _, err := licence(dir); err == nil {
		t.Error("no licence is no error")
	}
	readme := filepath.Join(dir, "README.md")
	if err := os.WriteFile(readme, []byte("# module\n\n## Use\n\nno\n\n## License\n\nMIT\n\n## Author\n\nno\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := licence(dir); err != nil || string(text) != "(from its README.md)\nMIT\n" {
		t.Errorf("%q, %v", text, err)
	}
	for name, text := range map[string]string{"LICENSE.md": "do what you like", "NOTICE": "by somebody"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := licence(dir)
	if err != nil || string(text) != "do what you like\nby somebody\n" {
		t.Errorf("%q, %v", text, err)
	}
}
