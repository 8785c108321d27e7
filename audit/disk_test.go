package audit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gofrs/flock"

	"dtok/kafka"
)

// failing makes one call of a disk fail, in the ways that NFS, a full or a
// broken disk do.
func failing(call string, err error, bytes int) disk {
	d := realDisk()
	switch call {
	case "lock":
		d.lock = func(context.Context, *flock.Flock) (bool, error) {
			return false, &fs.PathError{Op: "flock", Path: "x", Err: err}
		}
	case "write":
		d.write = func(f *os.File, text []byte) (int, error) {
			n, _ := f.Write(text[:min(bytes, len(text))])
			return n, &fs.PathError{Op: "write", Path: f.Name(), Err: err}
		}
	case "sync":
		d.sync = func(f *os.File) error { return &fs.PathError{Op: "sync", Path: f.Name(), Err: err} }
	}
	return d
}

var diskFaults = []struct {
	name, call string
	err        error
	bytes      int
}{
	{"no locks on this NFS", "lock", syscall.ENOLCK, 0},
	{"stale NFS handle", "write", syscall.ESTALE, 0},
	{"quota", "write", syscall.EDQUOT, 0},
	{"quota in mid-line", "write", syscall.EDQUOT, 77},
	{"full", "write", syscall.ENOSPC, 1},
	{"full after all but the newline", "write", syscall.ENOSPC, 1 << 20},
	{"broken disk at flush", "sync", syscall.EIO, 0},
	{"NFS server full at flush", "sync", syscall.ENOSPC, 0},
}

// TestNothingIsSentWhenTheIntentIsNotDurable, for every kind of change and
// every way in which a disk fails. Readings go on.
func TestNothingIsSentWhenTheIntentIsNotDurable(t *testing.T) {
	changes := map[string]func(*Recorder) error{
		"create": func(r *Recorder) error { _, err := create(r); return err },
		"renew": func(r *Recorder) error {
			_, err := r.RenewToken(t.Context(), kafka.RenewRequest{Token: token(), HMAC: kafka.NewSecret(hmac1())})
			return err
		},
		"expire": func(r *Recorder) error { _, err := expire(r, "r"); return err },
	}
	for _, fault := range diskFaults {
		for name, change := range changes {
			t.Run(fault.name+"/"+name, func(t *testing.T) {
				trail, broker := written(t, 1, 0), working()
				trail.disk = failing(fault.call, fault.err, fault.bytes)
				rec := recorder(trail, broker, "")
				err := change(rec)
				var intent *IntentError
				if !errors.As(err, &intent) || !errors.Is(err, fault.err) || strings.Contains(err.Error(), "flock x") {
					t.Fatalf("got %v, want an *IntentError because of %v", err, fault.err)
				}
				if broker.sent != 0 {
					t.Error("the change was sent")
				}
				list, err := reads(trail, shown{tokens: kafka.TokenList{Tokens: []kafka.Token{token()}}}).Tokens(t.Context(), kafka.Principal{})
				if err != nil || len(list.Tokens) != 1 || !strings.Contains(trail.Trouble(), "reading is not in the audit trail") {
					t.Errorf("the reading: %v, trouble %q", err, trail.Trouble())
				}
				// The disk is well again: the trail goes on and tells it all.
				trail.disk = realDisk()
				if err := change(rec); err != nil || broker.sent != 1 {
					t.Fatalf("%v, %d sent", err, broker.sent)
				}
				r := verify(t, trail.Path(), Expect{})
				if len(r.Faults) > 0 {
					t.Errorf("got %s", told(r.Faults))
				}
				mustNotHaveSentMore(t, trail.Path(), 2)
			})
		}
	}
}

// mustNotHaveSentMore counts the changes that a reader of the trail must think
// were sent.
func mustNotHaveSentMore(t *testing.T, path string, want int) {
	t.Helper()
	entries, _, err := Entries(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, e := range entries {
		if o := e.Outcome(); e.Record().Phase != "" && e.Record().Read == nil && o != string(Failed) {
			sent++
		}
	}
	if sent != want {
		t.Errorf("%d changes look as if they were sent, want %d", sent, want)
	}
}

// TestAnOutcomeThatIsNotDurableIsKeptTriedAndNamed in every way in which a
// disk fails.
func TestAnOutcomeThatIsNotDurableIsKeptTriedAndNamed(t *testing.T) {
	for _, fault := range diskFaults {
		t.Run(fault.name, func(t *testing.T) {
			trail, broker := written(t, 1, 0), working()
			make := broker.create
			broker.create = func(ctx context.Context, req kafka.CreateRequest) (kafka.Created, error) {
				trail.disk = failing(fault.call, fault.err, fault.bytes)
				return make(ctx, req)
			}
			if made, err := create(recorder(trail, broker, "")); err != nil || made.HMAC.Len() != kafka.HMACSize {
				t.Fatalf("got %v, %d bytes of the HMAC", err, made.HMAC.Len())
			}
			if !strings.Contains(trail.Trouble(), "the outcome of 1 change is not in the audit trail") {
				t.Errorf("trouble %q", trail.Trouble())
			}
			var lost *UnwrittenError
			if err := trail.Close(t.Context()); !errors.As(err, &lost) || !errors.Is(err, fault.err) ||
				len(lost.Lines) != 1 || decode(t, lost.Lines[0]).Outcome != Done {
				t.Errorf("got %v, want the outcome named", err)
			}
			trail.disk = realDisk()
			if err := trail.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			entries, r, err := Entries(t.Context(), trail.Path())
			if err != nil || len(r.Faults) > 0 {
				t.Fatal(err, told(r.Faults))
			}
			if last := entries[2]; last.Record().Kind != kafka.OpCreateToken || last.Outcome() != "done" {
				t.Errorf("got %s %s", last.Record().Kind, last.Outcome())
			}
		})
	}
}

// TestAReadOnlyOrFullFileSystem uses real ones where the test may mount them.
func TestAReadOnlyOrFullFileSystem(t *testing.T) {
	for name, want := range map[string]error{"size=4096,nr_inodes=2": syscall.ENOSPC, "ro": syscall.EROFS} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, strings.TrimPrefix(name, "ro")); err != nil {
				t.Skip("cannot mount a tmpfs here:", err)
			}
			t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
			if name == "ro" {
				if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
					t.Skip("cannot make it read-only:", err)
				}
			}
			trail, broker := newTrail(t, filepath.Join(dir, "audit.jsonl")), working()
			_, err := create(recorder(trail, broker, ""))
			if !as[*IntentError](err) || !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
			if broker.sent != 0 {
				t.Error("the change was sent")
			}
			if _, err := reads(trail, shown{}).Users(t.Context()); err != nil {
				t.Error("a reading does not go on:", err)
			}
		})
	}
}

// TestAFileThatCannotBeRenamedGoesOnGrowing: its next name is somebody else's.
func TestAFileThatCannotBeRenamedGoesOnGrowing(t *testing.T) {
	trail := written(t, 1, 0)
	trail.max = 1
	if err := os.Mkdir(trail.Path()+".1", 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := expire(recorder(trail, working(), ""), "r"); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, trail.Path(), Expect{}); len(r.Files) != 1 || r.Records != 5 || len(r.Faults) > 0 {
		t.Errorf("%d records in %d files, %s", r.Records, len(r.Files), told(r.Faults))
	}
}

func TestFullFilesAreNeverOverwritten(t *testing.T) {
	trail := written(t, 4, changeSize)
	before := map[string]string{}
	for _, n := range []string{".1", ".2", ".3"} {
		text, err := os.ReadFile(trail.Path() + n)
		if err != nil {
			t.Fatal(err)
		}
		if got := mode(t, trail.Path()+n); got != 0o600 {
			t.Errorf("%s has the mode %o", n, got)
		}
		before[n] = string(text)
	}
	// A gap in the numbers is not filled: what is in it may come back.
	if err := os.Remove(trail.Path() + ".2"); err != nil {
		t.Fatal(err)
	}
	rec := recorder(trail, working(), "")
	for range 2 {
		if _, err := expire(rec, "r"); err != nil {
			t.Fatal(err)
		}
	}
	delete(before, ".2")
	for n, want := range before {
		if text, err := os.ReadFile(trail.Path() + n); err != nil || string(text) != want {
			t.Errorf("%s was changed: %v", n, err)
		}
	}
	if _, err := os.Stat(trail.Path() + ".2"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the number 2 was given twice:", err)
	}
	if got := decode(t, lines(t, trail.Path())[0]); got.Head.File != 6 {
		t.Errorf("the newest file is number %d, want 6", got.Head.File)
	}
}

func TestOthersInTheFolderAreNoFullFiles(t *testing.T) {
	trail := written(t, 1, 0)
	for _, name := range []string{".gz", ".01", ".1x", ".-1", ".", ".99999999999999999999", ".bak"} {
		if err := os.WriteFile(trail.Path()+name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := verify(t, trail.Path(), Expect{}); len(r.Files) != 1 || len(r.Faults) > 0 {
		t.Errorf("%d files, %s", len(r.Files), told(r.Faults))
	}
}
