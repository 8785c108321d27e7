package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// Neither a person's own configuration nor what they have set for their
	// screens.
	_ = os.Setenv("XDG_CONFIG_HOME", "/nonexistent")
	_ = os.Unsetenv("ACCESSIBLE")
	testscript.Main(m, map[string]func(){"dtok": main})
}

// TestCommandLine runs testdata/cli/*.txtar: what dtok prints and how it ends
// without a terminal.
func TestCommandLine(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/cli", RequireExplicitExec: true, Setup: scriptSetup, Cmds: scriptCommands(),
	})
}

// built is the program as make build makes it: the order in which its packages
// are initialised is the linker's, so a test binary would prove nothing.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "dtok-test")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "dtok")
	cmd := exec.Command("go", "build", "-trimpath", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	return path, cmd.Run()
})

func program(t *testing.T) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
