package audit

import (
	"fmt"
	"path/filepath"
)

// Finding is something in the trail that is not as dtok left it, or that one
// should know of.
type Finding struct {
	// File is the file's path, Line the line's number from 1, or 0 where the
	// finding is about the whole file.
	File string
	Line int
	// Text says in one sentence without a full stop what it is.
	Text string
}

// String is FILE:LINE: text, with the file's name alone.
func (f Finding) String() string {
	if f.Line == 0 {
		return filepath.Base(f.File) + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d: %s", filepath.Base(f.File), f.Line, f.Text)
}

// Report is what verifying a trail found.
type Report struct {
	Files []FileReport
	// Faults are what somebody or something did to the trail after dtok wrote
	// it, or what cannot be told from that. A trail without faults is whole
	// from its first record to the last: that the last one is the last that
	// was written can only be told by comparing its hash with one kept
	// elsewhere.
	Faults []Finding
	// Notes are what dtok itself recorded, such as a line that was torn when
	// it was killed.
	Notes []Finding
	// Records counts the records of the chain.
	Records int
	// Last is the hash of the last record, "" without one.
	Last string
	// Expected is set when the hash to look for was found, and After is then
	// how many records follow that one.
	Expected bool
	After    int
}

// FileReport counts the records of one file.
type FileReport struct {
	Path    string
	Records int
}

// Expect are hashes that somebody has kept elsewhere.
type Expect struct {
	// Hash is that of a record that must be in the trail; "" for none. It
	// shows that no record up to it was cut off.
	Hash string
	// Begin is the last hash of files that were moved away; "" when the trail
	// must begin with its first file.
	Begin string
}
