package audit

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestProcessesInterleaveWholeRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	const processes = 4
	done := make(chan error, processes)
	for range processes {
		cmd := child(t, "changes", path)
		go func() { done <- cmd.Run() }()
	}
	for range processes {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	open := map[string]bool{}
	rs := read(t, path)
	for _, r := range rs {
		if (r.Phase == Ended) != open[r.ID] {
			t.Fatalf("%s of %s out of order", r.Phase, r.ID)
		}
		open[r.ID] = r.Phase == Intent
	}
	if want := processes * childCount; len(rs) != 2*want || len(open) != want {
		t.Errorf("got %d records of %d changes, want %d of %d", len(rs), len(open), 2*want, want)
	}
}

// TestProcessesTakeTurnsInRenaming: a file that is full for several at once is
// renamed once, and none of them writes to it afterwards.
func TestProcessesTakeTurnsInRenaming(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	const processes = 4
	done := make(chan error, processes)
	for range processes {
		cmd := child(t, "changes-small", path)
		go func() { done <- cmd.Run() }()
	}
	for range processes {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	r := verify(t, path, Expect{})
	if want := 2*processes*childCount + len(r.Files); r.Records != want || len(r.Faults)+len(r.Notes) > 0 {
		t.Errorf("%d records in %d files, want %d: %s%s", r.Records, len(r.Files), want, told(r.Faults), told(r.Notes))
	}
	if len(r.Files) < 10 {
		t.Errorf("%d files, want many", len(r.Files))
	}
}

func TestAKilledProcessLosesNoWholeRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	seen := 0
	for range 5 {
		cmd := child(t, "endless", path)
		firstLine(t, cmd)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if _, err := create(recorder(newTrail(t, path), working(), "")); err != nil {
			t.Fatal(err)
		}
		ls := lines(t, path)
		if len(ls) < seen+4 {
			t.Fatalf("%d lines after %d", len(ls), seen)
		}
		torn := 0
		for _, l := range ls[seen:] {
			if !strings.HasSuffix(l, "}") {
				torn++
				continue
			}
			decode(t, l)
		}
		if torn > 1 {
			t.Errorf("%d torn lines after one kill", torn)
		}
		seen = len(ls)
	}
}
