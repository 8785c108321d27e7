package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// inHome reads a path that was typed where no shell expands ~.
func inHome(path string) string {
	home, err := os.UserHomeDir()
	rest, ok := strings.CutPrefix(path, "~/")
	if err != nil || !ok {
		return path
	}
	return filepath.Join(home, rest)
}

// saveSecret writes text to a new file for its owner alone. After an error
// there is no file.
func saveSecret(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, hmacFileMode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is already there, and dtok writes an HMAC over nothing", path)
	}
	if err != nil {
		return bare(err)
	}
	// A umask may take even the owner's rights away.
	err = f.Chmod(hmacFileMode)
	if err == nil {
		_, err = f.Write(text)
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(path)
		return bare(err)
	}
	return nil
}
