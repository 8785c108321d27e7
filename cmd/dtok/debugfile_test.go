package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// disk is a file that can be full, take a part of a line, or hang.
type disk struct {
	mu    sync.Mutex
	text  bytes.Buffer
	room  int // bytes that still fit; without a limit when negative
	hangs chan struct{}
}

func (d *disk) Write(line []byte) (int, error) {
	if d.hangs != nil {
		<-d.hangs
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.room < 0 || len(line) <= d.room {
		d.room -= len(line)
		return d.text.Write(line)
	}
	n, _ := d.text.Write(line[:d.room])
	d.room = 0
	return n, &os.PathError{Op: "write", Path: "the file", Err: syscall.ENOSPC}
}

func (d *disk) Close() error { return nil }

func TestAFullDiskIsToldOnce(t *testing.T) {
	full := &disk{room: 12}
	f := newDebugFile(full, "support.log", false)
	for i := range 5 {
		if n, err := fmt.Fprintf(f, "line %d\n", i); n != 7 || err != nil {
			t.Fatalf("%d %v", n, err)
		}
	}
	err := f.close()
	if err == nil || err.Error() != "the debug log support.log lacks 4 lines: no space left on device" {
		t.Error(err)
	}
	if got := full.text.String(); got != "line 0\nline " {
		t.Errorf("%q", got)
	}
}

// A line that fits again does not go on where the torn one ends.
func TestALineAfterATornOne(t *testing.T) {
	d := &disk{room: 3}
	f := newDebugFile(d, "support.log", false)
	f.put([]byte("line 0\n"))
	d.room = -1
	f.put([]byte("line 1\n"))
	f.put([]byte("line 2\n"))
	_ = f.close()
	if got := d.text.String(); got != "lin\nline 1\nline 2\n" {
		t.Errorf("%q", got)
	}
}

// Nobody waits for a disk that does not answer: not who logs, nor the end.
func TestADiskThatHangs(t *testing.T) {
	d := &disk{room: -1, hangs: make(chan struct{})}
	f := newDebugFile(d, "support.log", false)
	start := time.Now()
	for range 2 * waitingLines {
		_, _ = f.Write([]byte("a line\n"))
	}
	err := f.close()
	if took := time.Since(start); took > 10*lastLines {
		t.Errorf("it took %v", took)
	}
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("lacks %d lines", 2*waitingLines)) {
		t.Error(err)
	}
	close(d.hangs)
	<-f.done
}

// A log goes on where an earlier run has left it, also in the middle of a line.
func TestADebugLogGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "support.log")
	begin := `{"time":"2026-01-02T12:00:00.000Z","level":"INFO","msg":"start","pid":1}` + "\n"
	if err := os.WriteFile(path, []byte(begin+`{"time":"20`), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := openDebugFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write([]byte("next\n"))
	if err := f.close(); err != nil {
		t.Error(err)
	}
	got, err := os.ReadFile(path)
	if want := begin + `{"time":"20` + "\nnext\n"; err != nil || string(got) != want {
		t.Errorf("%q %v", got, err)
	}
}

// The log never goes into the audit trail, whose records are chained.
func TestADebugLogIsNoOtherFile(t *testing.T) {
	for name, text := range map[string]string{
		"an audit trail": `{"schema":2,"id":"x","time":"2026-01-02T12:00:00.000Z"}` + "\n",
		"keys":           "ssh-ed25519 AAAA somebody\n",
		"nearly":         `{"time":"2026-01-02T12:00:00.000Z","level":"INFO","msg":"exit"}` + "\n",
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := openDebugFile(path)
		if h, ok := errors.AsType[*hinted](err); !ok || !strings.Contains(h.Error(), "something else than a debug log") {
			t.Errorf("%s: %v", name, err)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("%s: it was changed to %q", name, got)
		}
	}
}
