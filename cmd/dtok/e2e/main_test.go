// Package e2e drives the built program on real terminals: pseudo-terminals
// whose every byte is kept and whose screen an emulator draws, and tmux. It
// holds what no smaller test can see: whether a secret leaves the process, what
// a terminal is left with, and what a key costs. It has tests only.
package e2e

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// program is the path of the built dtok. A test binary would prove nothing:
// the order in which packages are initialised is the linker's.
var program string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "dtok-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	program = filepath.Join(folder, "dtok")
	build := exec.Command("go", "build", "-trimpath", "-o", program, "dtok/cmd/dtok")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building dtok:", err)
		return 1
	}
	// These tests wait more than they work, so more of them than there are
	// processors may run at a time.
	flag.Parse()
	if err := flag.Set("test.parallel", "20"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// onSources looks at all sources of the module, once. go test repeats a result
// from its cache while neither the test's own packages nor the files that its
// tests have looked at have changed, and does not know that the program is built
// from them here.
var onSources = sync.OnceValue(func() error {
	return filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(path, ".go") || strings.HasPrefix(d.Name(), "go.")) {
			_, err = os.Stat(path)
		}
		return err
	})
})

// long reports whether the tests that take minutes are wanted: all of every
// table, and megabytes.
func long() bool { return os.Getenv("DTOK_E2E") == "long" }
