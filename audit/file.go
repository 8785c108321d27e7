package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const (
	// lockLimit is how long a record waits for another dtok that is writing.
	// A record takes a few milliseconds, so a longer wait means that the
	// holder is stopped (ctrl+z, a debugger) or its disk hangs.
	lockLimit = 2 * time.Second
	lockRetry = 10 * time.Millisecond

	lockSuffix = ".lock"
)

// disk are the calls that a disk may fail; tests put others in their place.
type disk struct {
	lock  func(context.Context, *flock.Flock) (bool, error)
	write func(*os.File, []byte) (int, error)
	sync  func(*os.File) error
}

func realDisk() disk {
	return disk{
		lock: func(ctx context.Context, l *flock.Flock) (bool, error) {
			return l.TryLockContext(ctx, lockRetry)
		},
		write: (*os.File).Write,
		sync:  (*os.File).Sync,
	}
}

// writeError is a failed append. Landed tells that some of the bytes may be in
// the file all the same: a full disk takes part of a line, and after a failed
// fsync nobody knows.
type writeError struct {
	err    error
	landed bool
}

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// lock keeps other dtoks out. The lock file is one of its own, so that the
// lock outlives a trail that is removed or renamed.
func (w *writer) lock(ctx context.Context) (unlock func(), err error) {
	path := w.path + lockSuffix
	l := flock.New(path,
		flock.SetPermissions(fileMode),
		flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow))
	limited, cancel := context.WithTimeout(ctx, w.limit)
	defer cancel()
	ok, err := w.disk.lock(limited, l)
	switch {
	case ok:
		// A umask that takes the owner's own rights away would lock the next
		// record out.
		if info, err := l.Stat(); err == nil && info.Mode().Perm()&0o400 == 0 {
			_ = os.Chmod(path, fileMode)
		}
		return func() { _ = l.Close() }, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("another process has held its lock %s for more than %s; continue or end that process", path, w.limit)
	default:
		return nil, fmt.Errorf("its lock cannot be taken: %w", refused(path, err))
	}
}

// open opens the file for appending, or makes it. It is refused if it is
// anything but a regular file: a symbolic link or a pipe would let someone
// else choose where the records go.
func (p place) open() (*os.File, error) {
	const flags = os.O_RDWR | os.O_APPEND | noFollow
	f, err := os.OpenFile(p.path, flags, 0)
	made := errors.Is(err, os.ErrNotExist)
	if made {
		f, err = os.OpenFile(p.path, flags|os.O_CREATE|os.O_EXCL, fileMode)
	}
	if err != nil {
		return nil, refused(p.path, err)
	}
	if err := p.check(f, made); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func (p place) check(f *os.File, made bool) error {
	info, err := f.Stat()
	if err != nil {
		return cause(err)
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	if info.Mode().Perm() != fileMode {
		if err := f.Chmod(fileMode); err != nil {
			return fmt.Errorf("it is open to others and that cannot be changed: %w", cause(err))
		}
	}
	if !made {
		return nil
	}
	// A new file survives a power cut only when its folder is on disk too.
	return p.syncFolder()
}

func (p place) syncFolder() error {
	folder, err := os.Open(filepath.Dir(p.path))
	if err != nil {
		return cause(err)
	}
	defer func() { _ = folder.Close() }()
	return cause(syncFolder(folder))
}

// refused explains the errors that opening with noFollow adds.
func refused(path string, err error) error {
	if errors.Is(err, syscall.ELOOP) {
		return fmt.Errorf("%s is a symbolic link", path)
	}
	return cause(err)
}
