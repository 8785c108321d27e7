package config

import (
	"os"
	"path/filepath"
)

// DefaultPath is where dtok's own configuration lies:
// $XDG_CONFIG_HOME/dtok/config.yaml. As the XDG base directory specification
// says, a variable that is empty or holds a relative path counts as not set,
// and then it is ~/.config. Without a home directory there is an error.
func DefaultPath() (string, error) {
	base := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		home, err := os.UserHomeDir()
		if err != nil || !filepath.IsAbs(home) {
			return "", problem("there is no place for a configuration: neither HOME nor XDG_CONFIG_HOME holds an absolute path")
		}
		base = filepath.Join(home, ".config")
	}
	return filepath.Join(base, "dtok", "config.yaml"), nil
}
