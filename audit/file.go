package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
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
)

// writeError is a failed append. Landed tells that some of the bytes may be in
// the file all the same: a full disk takes part of a line, and after a failed
// fsync nobody knows.
type writeError struct {
	err    error
	landed bool
}

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// appendRecords writes records to the end of the file, durably and in one
// piece: no other dtok's record comes between them. Each record is turned into
// its line here, under the lock, and nowhere else.
//
// The file is opened anew each time, so that one that was removed or renamed
// is not written to for ever.
func (p place) appendRecords(ctx context.Context, limit time.Duration, records []Record) error {
	if err := p.prepare(); err != nil {
		return &writeError{err: err}
	}
	unlock, err := p.lock(ctx, limit)
	if err != nil {
		return &writeError{err: err}
	}
	defer unlock()
	f, err := p.open()
	if err != nil {
		return &writeError{err: err}
	}
	defer func() { _ = f.Close() }() // fsync has told already
	text, err := seal(f)
	if err != nil {
		return &writeError{err: err}
	}
	for _, r := range records {
		line, err := r.line()
		if err != nil {
			return &writeError{err: err}
		}
		text = append(text, line...)
	}
	if n, err := f.Write(text); err != nil {
		return &writeError{err: cause(err), landed: n > 0}
	}
	if err := f.Sync(); err != nil {
		return &writeError{err: cause(err), landed: true}
	}
	return nil
}

// seal gives the newline that a torn last line lacks: dtok was killed, or the
// disk was full, in the middle of it. The torn line itself is kept.
func seal(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil && !errors.Is(err, io.EOF) {
		return nil, cause(err)
	}
	if last[0] == '\n' {
		return nil, nil
	}
	return []byte{'\n'}, nil
}

// lock keeps other dtoks out. The lock file is one of its own, so that the
// lock outlives a trail that is removed or renamed.
func (p place) lock(ctx context.Context, limit time.Duration) (unlock func(), err error) {
	path := p.path + ".lock"
	l := flock.New(path,
		flock.SetPermissions(fileMode),
		flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow))
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ok, err := l.TryLockContext(limited, lockRetry)
	switch {
	case ok:
		return func() { _ = l.Close() }, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("another process has held its lock %s for more than %s; continue or end that process", path, limit)
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
