package audit

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// FuzzVerify holds that no bytes make the reader fail, and that a change of
// any one byte of a trail is found.
func FuzzVerify(f *testing.F) {
	trail := written(f, 2, 0)
	good, err := os.ReadFile(trail.Path())
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(nil), 0, byte('x'))
	f.Add(good, 7, byte('1'))
	f.Add([]byte("\n\n{}\n{\"schema\":2,\"prev\":\"\",\"hash\":\""+r64("0")+"\"}"), len(good)-1, byte(' '))
	f.Add([]byte(`{"schema":1}`+"\n\xff\x00"), len(good)/2, byte(0))
	f.Add(good[:len(good)/2], 30, byte('\n'))
	path := filepath.Join(f.TempDir(), "audit.jsonl")
	f.Fuzz(func(t *testing.T, text []byte, at int, to byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		entries, r, err := Entries(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, e := range entries {
			n += len(e.Lines)
			_, _, _ = e.Outcome(), e.Time(), Filter{User: "x", Token: "y"}.Match(e)
		}
		if want := bytes.Count(text, []byte("\n")); n != want && n != want+1 {
			t.Fatalf("%d lines of %d were read", n, want)
		}
		if len(r.Faults) == 0 && r.Records == 0 {
			t.Fatal("nothing is found in what is no trail")
		}
		edited := bytes.Clone(good)
		at = int(uint(at) % uint(len(edited)))
		if edited[at] == to {
			to++
		}
		edited[at] = to
		if err := os.WriteFile(path, edited, 0o600); err != nil {
			t.Fatal(err)
		}
		if r := verify(t, path, Expect{}); len(r.Faults) == 0 {
			t.Fatalf("byte %d turned into %q and nothing is found", at, to)
		}
	})
}

// TestEveryByteCounts edits each byte of a small trail in turn.
func TestEveryByteCounts(t *testing.T) {
	trail := written(t, 2, 0)
	good, err := os.ReadFile(trail.Path())
	if err != nil {
		t.Fatal(err)
	}
	dice := rand.New(rand.NewPCG(1, 2))
	for at := range good {
		edited := bytes.Clone(good)
		edited[at] += byte(1 + dice.IntN(255))
		if r := feed(edited); len(r.Faults) == 0 {
			t.Fatalf("byte %d, %q turned into %q, and nothing is found", at, good[at], edited[at])
		}
	}
	for at := range good {
		if r := feed(append(bytes.Clone(good[:at]), good[at+1:]...)); len(r.Faults) == 0 {
			t.Fatalf("byte %d removed and nothing is found", at)
		}
	}
}

// feed verifies a text without a file.
func feed(text []byte) Report {
	v := newVerifier(Expect{})
	v.begin("audit.jsonl", 0)
	for l := range bytes.SplitAfterSeq(text, []byte("\n")) {
		if body, finished := bytes.CutSuffix(l, []byte("\n")); len(l) > 0 {
			v.line(body, finished)
		}
	}
	v.end()
	return v.report
}
