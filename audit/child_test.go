package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const childCount = 20

func childRecorder(path string) (*Trail, *Recorder) {
	trail := NewTrail(Options{Path: path, Who: Here(os.Getenv)})
	trail.limit = time.Minute
	return trail, recorder(trail, working(), "")
}

// childChanges makes childCount changes whose records are longer than a page.
func childChanges(path string) error { return childChangesUpTo(path, 0) }

// childChangesSmall makes them in files of a few records each.
func childChangesSmall(path string) error { return childChangesUpTo(path, 8000) }

func childChangesUpTo(path string, max int64) error {
	trail, rec := childRecorder(path)
	trail.max = max
	for i := range childCount {
		if _, err := expire(rec, strings.Repeat("a long reason ✓ ", 40)+fmt.Sprint(i)); err != nil {
			return err
		}
	}
	return trail.Close(context.Background())
}

// childEndless writes until it is killed.
func childEndless(path string) error {
	_, rec := childRecorder(path)
	for i := 0; ; i++ {
		if _, err := expire(rec, "until killed"); err != nil {
			return err
		}
		if i == 0 {
			fmt.Println("started")
		}
	}
}

// childHoldLock takes the lock and stops, as ctrl+z would stop it.
func childHoldLock(path string) error {
	l := flock.New(path + ".lock")
	if err := l.Lock(); err != nil {
		return err
	}
	fmt.Println("locked")
	return syscall.Kill(os.Getpid(), syscall.SIGSTOP)
}

func childUmask(path string, mask int) error {
	syscall.Umask(mask)
	_, rec := childRecorder(path)
	for range 2 {
		if _, err := create(rec); err != nil {
			return err
		}
	}
	return nil
}

// childUnprivileged expects that path cannot be written by this user.
func childUnprivileged(path string) error {
	if os.Getuid() == 0 {
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
			return err
		}
	}
	trail := NewTrail(Options{Path: path})
	broker := working()
	_, err := create(recorder(trail, broker, ""))
	var intent *IntentError
	if !errors.As(err, &intent) || !errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("got %v, want a permission error as *IntentError", err)
	}
	if broker.sent != 0 {
		return errors.New("the change was sent")
	}
	return nil
}

// childFull lets the file grow by a few bytes only, which takes half a line.
func childFull(path string) error {
	trail, rec := childRecorder(path)
	broker := rec.next.(*fake)
	if _, err := create(rec); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		return err
	}
	tight := before
	tight.Cur = uint64(info.Size()) + 40
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &tight); err != nil {
		return err
	}
	_, err = create(rec)
	var intent *IntentError
	if !errors.As(err, &intent) || !errors.Is(err, syscall.EFBIG) {
		return fmt.Errorf("got %v, want EFBIG as *IntentError", err)
	}
	if broker.sent != 1 {
		return fmt.Errorf("%d changes were sent, want 1", broker.sent)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		return err
	}
	return trail.Close(context.Background())
}
