package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestInHome(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{"~/a/b": filepath.Join(home, "a", "b"), "~": "~", "~bob/a": "~bob/a", "a/~/b": "a/~/b", "/a": "/a", "": ""} {
		if got := inHome(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestSaveSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "worker.properties")
	if err := saveSecret(path, []byte("text")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, mode %v", err, info.Mode())
	}
	if err := saveSecret(path, []byte("other")); err == nil {
		t.Error("an existing file was written over")
	}
	if got, _ := os.ReadFile(path); string(got) != "text" {
		t.Errorf("the file holds %q", got)
	}
	if err := saveSecret(filepath.Join(path, "below"), nil); err == nil {
		t.Error("a file below a file was written")
	}
}
