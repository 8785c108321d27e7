package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const (
	folderMode = 0o700
	fileMode   = 0o600
)

// place is where a trail lives.
type place struct {
	path string
	// ours is set for the default place, whose folder belongs to dtok alone.
	// The folder of a path that a person chose may be /tmp or /var/log, whose
	// mode is not ours to change.
	ours bool
}

// find resolves where the trail lives: at path if it is not empty, otherwise
// at $XDG_STATE_HOME/dtok/NAME, by default ~/.local/state/dtok/NAME. A relative
// XDG_STATE_HOME is ignored, as the XDG base directory specification wants it.
func find(path, name string, getenv func(string) string) (place, error) {
	if path != "" {
		abs, err := filepath.Abs(path)
		if err != nil {
			return place{}, err
		}
		return place{path: abs}, nil
	}
	state := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return place{}, errors.New("there is no place for it: neither HOME nor XDG_STATE_HOME names a folder")
		}
		state = filepath.Join(home, ".local", "state")
	}
	return place{path: filepath.Join(state, "dtok", name), ours: true}, nil
}

// prepare makes the folder, readable by its owner alone whatever the umask is.
func (p place) prepare() error {
	folder := filepath.Dir(p.path)
	info, err := os.Stat(folder)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(folder, folderMode); err != nil {
			return bare(err)
		}
		// A umask that takes the owner's own rights away would lock dtok out.
		return bare(os.Chmod(folder, folderMode))
	}
	if err != nil {
		return bare(err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", folder)
	}
	if p.ours && info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(folder, folderMode); err != nil {
			return fmt.Errorf("its folder is open to others and that cannot be changed: %w", bare(err))
		}
	}
	return nil
}

// bare drops the name of the system call, which means nothing to people.
func bare(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}

// cause is what went wrong without the path and the system call, for sentences
// that name the path already.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
