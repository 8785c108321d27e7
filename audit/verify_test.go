package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written makes a trail of n changes, with small files if max is set, and
// gives its folder's files by name.
func written(t testing.TB, n int, max int64) *Trail {
	t.Helper()
	trail := newTrail(t, "")
	trail.max = max
	rec := recorder(trail, working(), "prod")
	for i := range n {
		if _, err := expire(rec, fmt.Sprintf("reason %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	return trail
}

// changeSize makes a file full that has a head and both records of a change.
const changeSize = 1200

func verify(t testing.TB, path string, e Expect) Report {
	t.Helper()
	r, err := Verify(context.Background(), path, e)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told are the findings, one a line.
func told(fs []Finding) string {
	var b strings.Builder
	for _, f := range fs {
		b.WriteString(f.String() + "\n")
	}
	return b.String()
}

func rewrite(t testing.TB, path string, change func([]byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// onLines changes a file line by line.
func onLines(change func([]string) []string) func([]byte) []byte {
	return func(text []byte) []byte {
		ls := strings.SplitAfter(string(text), "\n")
		return []byte(strings.Join(change(ls[:len(ls)-1]), ""))
	}
}

// rechained is what someone does who knows the format: the line is changed and
// has a hash that holds.
func rechained(line, from, to string) string {
	at, _ := linkOf([]byte(strings.TrimSuffix(line, "\n")))
	whole, _, _ := strings.Cut(line, prevMark)
	text, _ := chained([]byte(strings.Replace(whole, from, to, 1)+"}\n"), at.prev)
	return string(text)
}

func TestAnUntouchedTrailVerifies(t *testing.T) {
	for _, max := range []int64{0, 1, 3000} {
		trail := written(t, 5, max)
		r := verify(t, trail.Path(), Expect{})
		if len(r.Faults)+len(r.Notes) > 0 {
			t.Fatalf("max %d: %s%s", max, told(r.Faults), told(r.Notes))
		}
		if want := 2*5 + len(r.Files); r.Records != want {
			t.Errorf("max %d: %d records in %d files, want %d", max, r.Records, len(r.Files), want)
		}
		if max == 0 != (len(r.Files) == 1) {
			t.Errorf("max %d: %d files", max, len(r.Files))
		}
		if last := lines(t, trail.Path()); !strings.HasSuffix(last[len(last)-1], `"hash":"`+r.Last+`"}`) {
			t.Errorf("the last hash is not %s", r.Last)
		}
	}
}

// TestWhatWasDoneToATrailIsNamed has a trail of three files of three lines
// each: a head, an intent and an outcome.
func TestWhatWasDoneToATrailIsNamed(t *testing.T) {
	const first, second, newest = "audit.jsonl.1", "audit.jsonl.2", "audit.jsonl"
	remove := func(file string) func(dir string) error {
		return func(dir string) error { return os.Remove(filepath.Join(dir, file)) }
	}
	edit := func(file string, change func([]string) []string) func(dir string) error {
		return func(dir string) error {
			rewrite(t, filepath.Join(dir, file), onLines(change))
			return nil
		}
	}
	const follow = "does not follow the one before it"
	tests := map[string]struct {
		do   func(dir string) error
		want []string // the beginnings of the faults
	}{
		"edit": {edit(first, func(ls []string) []string {
			ls[1] = strings.Replace(ls[1], "reason 0", "reason 9", 1)
			return ls
		}), []string{first + ":2: the record has been changed"}},
		"edits side by side": {edit(first, func(ls []string) []string {
			ls[1] = strings.Replace(ls[1], "reason 0", "reason 9", 1)
			ls[2] = strings.Replace(ls[2], "reason 0", "reason 9", 1)
			return ls
		}), []string{first + ":2: the record has been changed", first + ":3: the record has been changed"}},
		"edit of the last line": {edit(newest, func(ls []string) []string {
			ls[2] = strings.Replace(ls[2], "done", "refused", 1)
			return ls
		}), []string{newest + ":3: the record has been changed"}},
		"edit with a new hash": {edit(second, func(ls []string) []string {
			ls[1] = rechained(ls[1], "reason 1", "reason 9")
			return ls
		}), []string{second + ":3: the record " + follow}},
		"insertion with a hash": {edit(second, func(ls []string) []string {
			return append(ls[:2:2], rechained(ls[2], "done", "refused"), ls[2])
		}), []string{second + ":4: the record " + follow}},
		"insertion of an unchained record": {edit(second, func(ls []string) []string {
			return append(ls[:2:2], `{"schema":1,"id":"x","kind":"expire token"}`+"\n", ls[2])
		}), []string{second + ":3: the line is no record of the chain"}},
		"insertion of a blank line": {edit(second, func(ls []string) []string {
			return append(ls[:2:2], "\n", ls[2])
		}), []string{second + ":3: the line is no record of the chain"}},
		"insertion at the end": {edit(newest, func(ls []string) []string {
			return append(ls, `{"schema":1,"id":"x","kind":"expire token"}`+"\n")
		}), []string{newest + ":4: the line is no record of the chain"}},
		"copy": {edit(second, func(ls []string) []string { return append(ls[:2:2], ls[1], ls[2]) }),
			[]string{second + ":3: the record is a copy of line 2 of " + second}},
		"copy at the end": {edit(newest, func(ls []string) []string { return append(ls, ls[1]) }),
			[]string{newest + ":4: the record is a copy of line 2 of " + newest}},
		"deletion": {edit(second, func(ls []string) []string { return append(ls[:1:1], ls[2]) }),
			[]string{second + ":2: the record " + follow}},
		"deletion of a head": {edit(second, func(ls []string) []string { return ls[1:] }),
			[]string{second + ":1: the file does not begin with its head"}},
		"deletion of the first head": {edit(first, func(ls []string) []string { return ls[1:] }),
			[]string{first + ":1: the file does not begin with its head"}},
		"reordering": {edit(second, func(ls []string) []string { return []string{ls[0], ls[2], ls[1]} }),
			[]string{second + ":2: the record " + follow, second + ":3: the record " + follow,
				newest + ":1: it does not continue the file before"}},
		"cut of a full file": {edit(second, func(ls []string) []string { return ls[:2] }),
			[]string{newest + ":1: it does not continue the file before"}},
		"cut in a line": {edit(newest, func(ls []string) []string { ls[2] = ls[2][:100]; return ls }),
			[]string{newest + ":3: the line is torn"}},
		"cut of the last newline": {edit(newest, func(ls []string) []string {
			ls[2] = strings.TrimSuffix(ls[2], "\n")
			return ls
		}), []string{newest + ":3: the record is whole, but its line has no end"}},
		"emptied":              {edit(newest, func([]string) []string { return nil }), []string{newest + ": the file is empty"}},
		"newest removed":       {remove(newest), []string{newest + ": the file is not here"}},
		"middle file removed":  {remove(second), []string{newest + ":1: it continues file 2, which is not here; that file's last hash is "}},
		"first file removed":   {remove(first), []string{second + ":1: it continues file 1, which is not here; that file's last hash is "}},
		"files with new names": {swap(first, second), []string{first + ":1: the head says that this is file 2", second + ":1: the head says that this is file 1", newest + ":1: it does not continue"}},
		"a file of another trail": {func(dir string) error {
			other := written(t, 3, changeSize)
			return os.Rename(other.Path()+".2", filepath.Join(dir, second))
		}, []string{second + ":1: it does not continue the file before", newest + ":1: it does not continue the file before"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			trail := written(t, 3, changeSize)
			if err := tt.do(filepath.Dir(trail.Path())); err != nil {
				t.Fatal(err)
			}
			r := verify(t, trail.Path(), Expect{})
			got := strings.Split(strings.TrimSuffix(told(r.Faults), "\n"), "\n")
			if len(got) != len(tt.want) {
				t.Fatalf("got %d faults, want %d:\n%s", len(got), len(tt.want), told(r.Faults))
			}
			for i, want := range tt.want {
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("got %q, want %q…", got[i], want)
				}
			}
			// The trail goes on, and what was found is found for ever.
			if _, err := expire(recorder(trail, working(), ""), "later"); err != nil {
				t.Fatal(err)
			}
			if r := verify(t, trail.Path(), Expect{}); len(r.Faults) == 0 && !strings.HasPrefix(name, "cut") &&
				name != "emptied" && name != "newest removed" {
				t.Error("the next record hides the fault")
			}
		})
	}
}

func swap(a, b string) func(dir string) error {
	return func(dir string) error {
		a, b, aside := filepath.Join(dir, a), filepath.Join(dir, b), filepath.Join(dir, "aside")
		return errors.Join(os.Rename(a, aside), os.Rename(b, a), os.Rename(aside, b))
	}
}
