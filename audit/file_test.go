package audit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestFileAndFolderBelongToTheirOwnerAlone(t *testing.T) {
	for _, job := range []string{"umask-000", "umask-777"} {
		t.Run(job, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "made", "audit.jsonl")
			if err := child(t, job, path).Run(); err != nil {
				t.Fatal(err)
			}
			if got := mode(t, path); got != 0o600 {
				t.Errorf("file mode %o, want 600", got)
			}
			if got := mode(t, filepath.Dir(path)); got != 0o700 {
				t.Errorf("folder mode %o, want 700", got)
			}
			if got := mode(t, path+".lock"); got&0o077 != 0 {
				t.Errorf("lock file mode %o is open to others", got)
			}
		})
	}
}

func TestAnOpenFileIsTightened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := create(recorder(newTrail(t, path), working(), "")); err != nil {
		t.Fatal(err)
	}
	if got := mode(t, path); got != 0o600 {
		t.Errorf("file mode %o, want 600", got)
	}
}

func TestTheDefaultFolderIsTightenedAndAChosenOneLeftAlone(t *testing.T) {
	state := t.TempDir()
	folder := filepath.Join(state, "dtok")
	for _, chosen := range []bool{false, true} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		o := Options{Getenv: func(name string) string { return map[string]string{"XDG_STATE_HOME": state}[name] }}
		want := os.FileMode(0o700)
		if chosen {
			o.Path, want = filepath.Join(folder, "audit.jsonl"), 0o755
		}
		if _, err := create(recorder(NewTrail(o), working(), "")); err != nil {
			t.Fatal(err)
		}
		if got := mode(t, folder); got != want {
			t.Errorf("chosen %v: folder mode %o, want %o", chosen, got, want)
		}
	}
}

func TestWhatIsNotARegularFileIsRefused(t *testing.T) {
	tests := map[string]struct {
		make func(path string) error
		want string
	}{
		"symbolic link": {func(p string) error { return os.Symlink(p+".target", p) }, "is a symbolic link"},
		"link to a file": {func(p string) error {
			return errors.Join(os.WriteFile(p+".target", nil, 0o600), os.Symlink(p+".target", p))
		}, "is a symbolic link"},
		"pipe":             {func(p string) error { return syscall.Mkfifo(p, 0o600) }, "not a regular file"},
		"folder":           {func(p string) error { return os.Mkdir(p, 0o700) }, "is a directory"},
		"lock is a link":   {func(p string) error { return os.Symlink(p+".target", p+".lock") }, "is a symbolic link"},
		"folder is a file": {func(p string) error { return os.WriteFile(filepath.Dir(p), nil, 0o600) }, "is not a folder"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "folder", "audit.jsonl")
			if name != "folder is a file" {
				if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := tt.make(path); err != nil {
				t.Fatal(err)
			}
			broker := working()
			_, err := create(recorder(newTrail(t, path), broker, ""))
			var intent *IntentError
			if !errors.As(err, &intent) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want an *IntentError with %q", err, tt.want)
			}
			if broker.sent != 0 {
				t.Error("the change was sent")
			}
			if _, err := os.Stat(path + ".target"); name == "symbolic link" && !errors.Is(err, os.ErrNotExist) {
				t.Error("the link was followed:", err)
			}
		})
	}
}

func TestNoPlaceMeansNoChanges(t *testing.T) {
	broker := working()
	trail := NewTrail(Options{Getenv: func(string) string { return "" }})
	_, err := create(recorder(trail, broker, ""))
	var intent *IntentError
	if !errors.As(err, &intent) || !strings.Contains(err.Error(), "HOME") || intent.Hint() == "" {
		t.Fatalf("got %v, want an *IntentError that names HOME, with a hint", err)
	}
	if broker.sent != 0 {
		t.Error("the change was sent")
	}
}

func TestFind(t *testing.T) {
	tests := []struct {
		path, state, home string
		want              place
	}{
		{"/x/y", "/s", "/h", place{path: "/x/y"}},
		{"", "/s", "/h", place{path: "/s/dtok/audit.jsonl", ours: true}},
		{"", "relative", "/h", place{path: "/h/.local/state/dtok/audit.jsonl", ours: true}},
		{"", "", "/h", place{path: "/h/.local/state/dtok/audit.jsonl", ours: true}},
		{"", "/s", "", place{path: "/s/dtok/audit.jsonl", ours: true}},
	}
	for _, tt := range tests {
		env := map[string]string{"XDG_STATE_HOME": tt.state, "HOME": tt.home}
		got, err := find(tt.path, "audit.jsonl", func(name string) string { return env[name] })
		if err != nil || got != tt.want {
			t.Errorf("find(%q, %v) = %v, %v, want %v", tt.path, env, got, err, tt.want)
		}
	}
}

func TestATornLastLineIsSealed(t *testing.T) {
	for _, torn := range []string{`{"schema":1,"id":"AB`, "x", `{"schema":1}`, "\x00\xff"} {
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		if err := os.WriteFile(path, []byte("{}\n"+torn), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := create(recorder(newTrail(t, path), working(), "")); err != nil {
			t.Fatal(err)
		}
		got := lines(t, path)
		if len(got) != 5 || got[1] != torn {
			t.Fatalf("torn %q: got %d lines %q", torn, len(got), got)
		}
		if sealed := decode(t, got[2]).Sealed; sealed == nil || sealed.Lines != 2 {
			t.Errorf("torn %q: the head is %s", torn, got[2])
		}
		if s := summary([]Record{decode(t, got[3]), decode(t, got[4])}); s != "intent done" {
			t.Errorf("torn %q: got %s", torn, s)
		}
	}
}

func TestARemovedFileIsMadeAgain(t *testing.T) {
	trail := newTrail(t, "")
	rec := recorder(trail, working(), "")
	for _, remove := range []string{"", trail.Path(), trail.Path() + ".lock", filepath.Dir(trail.Path())} {
		if remove != "" {
			if err := os.RemoveAll(remove); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := create(rec); err != nil {
			t.Fatal(err)
		}
		rs := read(t, trail.Path())
		if got := summary(rs[len(rs)-2:]); got != "intent done" {
			t.Errorf("after removing %q: %s", remove, got)
		}
	}
}

func TestAPathOfAnotherUserIsRefused(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "ro")
	if err := os.Mkdir(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := child(t, "unprivileged", filepath.Join(folder, "audit.jsonl")).Run(); err != nil {
		t.Fatal(err)
	}
}

func TestAFullDiskSendsNothingAndLosesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := child(t, "full", path).Run(); err != nil {
		t.Fatal(err)
	}
	got := lines(t, path)
	if len(got) != 6 {
		t.Fatalf("got %d lines, want head, intent, outcome, a torn intent, its seal and its outcome: %q", len(got), got)
	}
	if len(got[3]) != 40 || !strings.HasPrefix(got[3], `{"schema":2,`) {
		t.Errorf("the torn line is not kept: %q", got[3])
	}
	if seal := decode(t, got[4]); seal.Kind != KindSeal || seal.Sealed.Lines != 1 {
		t.Errorf("got %q, want a seal", got[4])
	}
	last := decode(t, got[5])
	if last.Outcome != Failed || !strings.Contains(last.Problem.Text, "nothing was sent") {
		t.Errorf("got %v %v, want failed: nothing was sent", last.Outcome, last.Problem)
	}
	r := verify(t, path, Expect{})
	if len(r.Faults) > 0 || !strings.Contains(told(r.Notes), "audit.jsonl:4: the line is torn") {
		t.Errorf("faults %s notes %s", told(r.Faults), told(r.Notes))
	}
}

func TestALockHeldByAStoppedProcessHasALimit(t *testing.T) {
	trail := newTrail(t, "")
	trail.limit = 30 * time.Millisecond
	if err := os.MkdirAll(filepath.Dir(trail.Path()), 0o700); err != nil {
		t.Fatal(err)
	}
	firstLine(t, child(t, "hold-lock", trail.Path()))
	broker := working()
	_, err := create(recorder(trail, broker, ""))
	var intent *IntentError
	if !errors.As(err, &intent) || !strings.Contains(err.Error(), "audit.jsonl.lock for more than 30ms") {
		t.Fatalf("got %v, want an *IntentError that names the lock and the limit", err)
	}
	if broker.sent != 0 {
		t.Error("the change was sent")
	}
}
