package audit

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAKeptHashFindsACutTail(t *testing.T) {
	trail := written(t, 3, changeSize)
	kept := verify(t, trail.Path(), Expect{}).Last
	if r := verify(t, trail.Path(), Expect{Hash: kept}); !r.Expected || r.After != 0 || len(r.Faults) > 0 {
		t.Errorf("got %+v", r)
	}
	if _, err := expire(recorder(trail, working(), ""), "later"); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, trail.Path(), Expect{Hash: kept}); !r.Expected || r.After != 3 || len(r.Faults) > 0 {
		t.Errorf("got %+v, want a head, an intent and an outcome after it", r)
	}
	// Somebody takes the last two files away: nothing else shows it.
	if err := errors.Join(os.Remove(trail.Path()), os.Rename(trail.Path()+".2", trail.Path()), os.Remove(trail.Path()+".3")); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, trail.Path(), Expect{}); len(r.Faults) > 0 {
		t.Errorf("got %s", told(r.Faults))
	}
	r := verify(t, trail.Path(), Expect{Hash: kept})
	if r.Expected || !strings.Contains(told(r.Faults), "audit.jsonl: no record has the expected hash "+kept) {
		t.Errorf("got %s", told(r.Faults))
	}
}

// TestFilesThatWereMovedAway: the last hash of the archived files is what the
// rest must begin with.
func TestFilesThatWereMovedAway(t *testing.T) {
	trail := written(t, 3, changeSize)
	first := lines(t, trail.Path()+".1")
	at, _ := linkOf([]byte(first[len(first)-1]))
	if err := os.Remove(trail.Path() + ".1"); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, trail.Path(), Expect{Begin: at.hash}); len(r.Faults) > 0 {
		t.Errorf("got %s", told(r.Faults))
	}
	r := verify(t, trail.Path(), Expect{Begin: r64("0")})
	if !strings.Contains(told(r.Faults), "audit.jsonl.2:1: the file does not continue the files that end in the hash to begin with") {
		t.Errorf("got %s", told(r.Faults))
	}
}

func r64(digit string) string { return strings.Repeat(digit, hashSize) }

// TestLinesBeforeTheChainAreSealed: a trail of an older dtok goes on, and what
// it held cannot be changed from then on.
func TestLinesBeforeTheChainAreSealed(t *testing.T) {
	old := `{"schema":1,"id":"a","time":"2026-01-02T12:00:00.000Z","kind":"expire token","phase":"intent"}` + "\n" +
		`{"schema":1,"id":"a","time":"2026-01-02T12:00:00.000Z","kind":"expire token","phase":"outcome","outcome":"done"}` + "\n"
	for name, tail := range map[string]string{"whole": "", "torn": `{"schema":1,"id":"b","ti`} {
		t.Run(name, func(t *testing.T) {
			trail := newTrail(t, filepath.Join(t.TempDir(), "audit.jsonl"))
			if err := os.WriteFile(trail.Path(), []byte(old+tail), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := expire(recorder(trail, working(), ""), "r"); err != nil {
				t.Fatal(err)
			}
			r := verify(t, trail.Path(), Expect{})
			if len(r.Faults) > 0 || len(r.Notes) != 1 || !strings.Contains(told(r.Notes), "audit.jsonl:1: the ") ||
				!strings.Contains(told(r.Notes), "from before the chain began") {
				t.Fatalf("faults %s notes %s", told(r.Faults), told(r.Notes))
			}
			entries, _, err := Entries(t.Context(), trail.Path())
			if err != nil {
				t.Fatal(err)
			}
			if got := entries[0]; got.Outcome() != "done" || len(got.Lines) != 2 || got.Fault() != "" {
				t.Errorf("the old records are read as %+v", got)
			}
			rewrite(t, trail.Path(), func(text []byte) []byte { return bytes.Replace(text, []byte("done"), []byte("fail"), 1) })
			r = verify(t, trail.Path(), Expect{})
			if !strings.Contains(told(r.Faults), "lines that are not as they were") {
				t.Errorf("got %s", told(r.Faults))
			}
		})
	}
}

func TestATornLineIsANote(t *testing.T) {
	trail := written(t, 1, 0)
	rewrite(t, trail.Path(), func(text []byte) []byte { return append(text, `{"schema":2,"id":"half`...) })
	if r := verify(t, trail.Path(), Expect{}); !strings.Contains(told(r.Faults), "audit.jsonl:4: the line is torn") {
		t.Fatalf("got %s", told(r.Faults))
	}
	if _, err := expire(recorder(trail, working(), ""), "r"); err != nil {
		t.Fatal(err)
	}
	r := verify(t, trail.Path(), Expect{})
	if len(r.Faults) > 0 || !strings.Contains(told(r.Notes), "audit.jsonl:4: the line is torn") ||
		!strings.Contains(told(r.Notes), "sealed by line 5") {
		t.Errorf("faults %s notes %s", told(r.Faults), told(r.Notes))
	}
	// A torn line that is changed or taken away after it was sealed is found.
	whole, err := os.ReadFile(trail.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []string{"half\n", `{"schema":2,"id":"half` + "\n"} {
		rewrite(t, trail.Path(), func([]byte) []byte { return bytes.Replace(whole, []byte(cut), []byte(""), 1) })
		if r := verify(t, trail.Path(), Expect{}); len(r.Faults) == 0 {
			t.Errorf("without %q nothing is found", cut)
		}
	}
}

// TestANewerSchemaIsKeptAndFollowed: the chain goes through records that this
// dtok does not know.
func TestANewerSchemaIsKeptAndFollowed(t *testing.T) {
	trail := written(t, 1, 0)
	last := verify(t, trail.Path(), Expect{}).Last
	newer, _ := chained([]byte(`{"schema":99,"time":17,"kind":"seal","head":[],"sealed":"x","what":{"is":["this"]}}`+"\n"), last)
	rewrite(t, trail.Path(), func(text []byte) []byte { return append(text, newer...) })
	if _, err := expire(recorder(trail, working(), ""), "r"); err != nil {
		t.Fatal(err)
	}
	r := verify(t, trail.Path(), Expect{})
	if len(r.Faults)+len(r.Notes) > 0 || r.Records != 6 {
		t.Errorf("%d records, faults %s notes %s", r.Records, told(r.Faults), told(r.Notes))
	}
	entries, _, err := Entries(t.Context(), trail.Path())
	if err != nil {
		t.Fatal(err)
	}
	l := entries[2].Lines[0]
	if l.Known || l.Fault != "" || l.Text+"\n" != string(newer) {
		t.Errorf("got %+v", l)
	}
}
