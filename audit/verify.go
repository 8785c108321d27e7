package audit

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"path/filepath"
)

// verifier follows the chain, line by line.
type verifier struct {
	expect Expect
	report Report

	file  string
	name  int // the number that the file's name gives it, 0 without one
	lines int
	head  bool // the file's head has been met
	began bool // a first record has been met
	prior int  // the file number in the last head

	last string // the hash of the last record of the chain
	gap  gap
	// before is the gap that the last record has closed.
	before gap
	// seen finds copies and records that were moved.
	seen map[[sha256.Size]byte]position
}

type position struct{ file, line int32 }

// gap are the lines since the last record.
type gap struct {
	lines int
	sum   hash.Hash
	first int  // the first one's number
	torn  bool // none of them is a whole piece of JSON
	told  bool // the last one is unfinished, and that has been told
	old   bool // they are sealed as what stood there before the chain began
	// changed is the last one, if all of them are records whose hash does
	// not hold.
	changed link
}

func newVerifier(e Expect) *verifier {
	return &verifier{expect: e, seen: map[[sha256.Size]byte]position{}}
}

// notChained is what a line is that has no hash, or none that is one.
const notChained = "no record of the chain"

// begin opens the next file; number is what its name says, 0 without one.
func (v *verifier) begin(path string, number int) {
	v.file, v.name, v.lines, v.head = path, number, 0, false
	v.report.Files = append(v.report.Files, FileReport{Path: path})
}

func (v *verifier) fault(line int, format string, args ...any) string {
	text := fmt.Sprintf(format, args...)
	v.report.Faults = append(v.report.Faults, Finding{v.file, line, text})
	return text
}

func (v *verifier) note(line int, format string, args ...any) {
	v.report.Notes = append(v.report.Notes, Finding{v.file, line, fmt.Sprintf(format, args...)})
}

// about is what the chain needs to know of a record besides its link.
type about struct {
	head   bool
	number int // the file's, in a head
	sealed *Sealed
}

// aboutOf reads it from a line. What a newer schema writes in another way
// does not matter to the chain.
func aboutOf(text []byte) about {
	var raw struct {
		Kind   json.RawMessage `json:"kind"`
		Head   json.RawMessage `json:"head"`
		Sealed json.RawMessage `json:"sealed"`
	}
	if json.Unmarshal(text, &raw) != nil {
		return about{}
	}
	rec := about{head: string(raw.Kind) == `"`+string(KindHead)+`"`}
	var head Head
	if json.Unmarshal(raw.Head, &head) == nil {
		rec.number = head.File
	}
	if len(raw.Sealed) > 0 {
		rec.sealed = new(Sealed)
		if json.Unmarshal(raw.Sealed, rec.sealed) != nil {
			rec.sealed = nil
		}
	}
	return rec
}

// line takes the next line, without its newline, and says what is wrong with
// it; "" when it is the next record of the chain.
func (v *verifier) line(text []byte, finished bool) string {
	v.lines++
	at, ok := linkOf(text)
	if !ok || !at.holds() {
		return v.noRecord(text, at, ok, finished)
	}
	if fault := v.twice(at); fault != "" {
		return fault
	}
	fault := v.record(at, aboutOf(text))
	v.took(at)
	if !finished {
		fault = v.fault(v.lines, "the record is whole, but its line has no end")
	}
	return fault
}

// took makes a record the last one.
func (v *verifier) took(at link) {
	v.last, v.before, v.gap, v.began = at.hash, v.gap, gap{}, true
	v.report.Last = at.hash
	v.report.Records++
	v.report.Files[len(v.report.Files)-1].Records++
	switch {
	case v.report.Expected:
		v.report.After++
	case v.expect.Hash == at.hash:
		v.report.Expected = true
	}
}

// noRecord takes a line that is no record of the chain. Whether that is a
// fault shows at the next record, which may seal it.
func (v *verifier) noRecord(text []byte, at link, ok, finished bool) string {
	if v.gap.lines == 0 {
		v.gap = gap{sum: sha256.New(), torn: true, first: v.lines}
	}
	v.gap.lines++
	v.gap.sum.Write(text)
	v.gap.sum.Write([]byte("\n"))
	switch {
	case ok:
		if v.gap.lines == 1 || v.gap.changed.hash != "" {
			v.gap.changed = at
		}
		v.gap.torn = false
		return v.fault(v.lines, "the record has been changed: its hash does not hold")
	case !finished:
		v.gap.told = true
		v.gap.changed = link{}
		return v.fault(v.lines, "the line is torn: dtok was killed or the disk was full while it was written, or its end was cut off")
	}
	v.gap.changed = link{}
	if json.Valid(text) {
		v.gap.torn = false
	}
	return notChained
}

// record compares a record whose own hash holds with the chain.
func (v *verifier) record(at link, rec about) string {
	if rec.head {
		return v.headed(at, rec)
	}
	if !v.head {
		v.head = true
		return v.fault(v.lines, "the file does not begin with its head: its beginning is missing")
	}
	if fault := v.sealed(rec); fault != "" {
		return fault
	}
	if at.prev != v.last && (rec.sealed != nil || !v.gap.continues(at)) {
		return v.fault(v.lines, "the record does not follow the one before it: between them records were removed, moved or inserted")
	}
	return ""
}

// continues reports whether a record follows one that was changed: it is
// chained to the hash that this one had, so that the fault is not told twice.
func (g gap) continues(at link) bool {
	return g.changed.hash != "" && (at.prev == g.changed.hash || at.prev == g.changed.sum)
}

// twice tells of a record that stands in the trail already.
func (v *verifier) twice(at link) string {
	var sum [sha256.Size]byte
	if _, err := hex.Decode(sum[:], []byte(at.hash)); err != nil {
		return ""
	}
	if first, ok := v.seen[sum]; ok {
		return v.fault(v.lines, "the record is a copy of line %d of %s", first.line, filepath.Base(v.report.Files[first.file].Path))
	}
	v.seen[sum] = position{int32(len(v.report.Files) - 1), int32(v.lines)}
	return ""
}

// headed takes a head.
func (v *verifier) headed(at link, rec about) string {
	first, prior, number := !v.head, v.prior, rec.number
	v.head, v.prior = true, cmp.Or(v.name, number)
	if !first {
		return v.fault(v.lines, "a second head in one file: it or what stands before it was inserted")
	}
	if fault := v.sealed(rec); fault != "" {
		return fault
	}
	switch {
	case v.name != 0 && number != v.name:
		return v.fault(v.lines, "the head says that this is file %d: the file was renamed", number)
	case !v.began && v.expect.Begin != "":
		if at.prev != v.expect.Begin {
			return v.fault(v.lines, "the file does not continue the files that end in the hash to begin with")
		}
	case !v.began && at.prev != "":
		return v.fault(v.lines, "it continues file %d, which is not here; that file's last hash is %s", number-1, at.prev)
	case at.prev == v.last, v.gap.continues(at):
	case v.began && number > prior+1:
		return v.fault(v.lines, "it continues file %d, which is not here; that file's last hash is %s", number-1, at.prev)
	default:
		return v.fault(v.lines, "it does not continue the file before: records at that file's end were removed, or one of the files was replaced")
	}
	return ""
}

// sealed compares the lines since the last record with what this one says of
// them.
func (v *verifier) sealed(rec about) string {
	switch {
	case rec.sealed == nil && v.gap.lines == 0:
		return ""
	case rec.sealed == nil:
		v.unsealed()
		return ""
	case v.gap.lines == 0:
		return v.fault(v.lines, "it seals %d lines that are not here: they were removed", rec.sealed.Lines)
	case v.gap.lines != rec.sealed.Lines || hex.EncodeToString(v.gap.sum.Sum(nil)) != rec.sealed.SHA256:
		v.unsealed()
		return v.fault(v.lines, "it seals %d lines that are not as they were", rec.sealed.Lines)
	case v.gap.torn:
		// Torn lines stay marked in lists: what they said is lost.
		v.note(v.gap.first, "%s torn: dtok was killed or the disk was full while it was written; sealed by line %d",
			lineCount(v.gap.lines), v.lines)
	case rec.head && rec.number == 1:
		v.gap.old = true
		v.note(v.gap.first, "%s from before the chain began; sealed by the head in line %d", lineCount(v.gap.lines), v.lines)
	case v.gap.changed.hash != "": // told already
	default:
		v.unsealed()
	}
	return ""
}

// unsealed tells of lines that dtok did not write, or not as records of the
// chain.
func (v *verifier) unsealed() {
	if v.gap.changed.hash == "" {
		v.fault(v.gap.first, "%s no record of the chain: changed, inserted, or written by a dtok that is too old to chain", lineCount(v.gap.lines))
	}
}

func lineCount(n int) string {
	if n == 1 {
		return "the line is"
	}
	return fmt.Sprintf("the %d lines from here on are", n)
}

// end closes a file. Lines at its end that no record has sealed are faults
// until one does.
func (v *verifier) end() {
	switch {
	case v.lines == 0:
		v.fault(0, "the file is empty: its records were removed, or dtok was killed while it began it")
	case v.gap.lines > 1 || v.gap.lines == 1 && !v.gap.told:
		v.unsealed()
	}
	if !v.head && v.lines > 0 {
		v.fault(0, "the file has no head, and so no chain")
	}
	v.before, v.gap = v.gap, gap{changed: v.gap.changed} // the next file's head follows it
}
