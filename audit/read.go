package audit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// Line is one line of a trail as it was read.
type Line struct {
	File   string // its path
	Number int    // from 1
	// Text is the line without its newline, as it stands in the file.
	Text string
	// Record is what it says. It is zero when Known is false.
	Record Record
	// Known is false for what is no record, and for a record of a schema that
	// is newer than this dtok's: only Text tells what it says.
	Known bool
	// Fault is why the line does not verify; "" when it does.
	Fault string
}

// Walk reads the trail at path, its full files first, gives each line to see
// and verifies the chain on the way. The error is one of reading, *NoTrailError
// when there is nothing to read; what is wrong with the trail is in the report.
// see may be nil.
func Walk(ctx context.Context, path string, e Expect, see func(Line) error) (Report, error) {
	files, err := snapshot(ctx, path)
	if err != nil {
		return Report{}, err
	}
	defer func() {
		for _, f := range files {
			_ = f.Close()
		}
	}()
	v := newVerifier(e)
	for _, f := range files {
		v.begin(f.path, f.number)
		if err := f.walk(ctx, v, see); err != nil {
			return v.report, fmt.Errorf("the audit trail %s cannot be read: %w", f.path, cause(err))
		}
	}
	if last := files[len(files)-1]; last.path != path {
		v.file = path
		v.fault(0, "the file is not here: it was removed, or dtok was killed before it began it")
	}
	if e.Hash != "" && !v.report.Expected {
		v.file = path
		v.fault(0, "no record has the expected hash %s: the end of the trail was cut off, or the trail was replaced", e.Hash)
	}
	return v.report, nil
}

// Verify is Walk without a look at the lines.
func Verify(ctx context.Context, path string, e Expect) (Report, error) {
	return Walk(ctx, path, e, nil)
}

// openFile is a file of a trail with the size that it had when no record was
// being written.
type openFile struct {
	*os.File
	path   string
	number int
	size   int64
}

// snapshot opens all files of a trail while nobody writes. Records that are
// written later are not seen.
func snapshot(ctx context.Context, path string) ([]openFile, error) {
	unlock := readLock(ctx, path)
	defer unlock()
	full, err := fullFiles(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the audit trail %s cannot be read: %w", path, bare(err))
	}
	var files []openFile
	for _, n := range append(full, numbered{path: path}) {
		f, err := openToRead(n.path)
		if err == nil {
			var info os.FileInfo
			if info, err = f.Stat(); err == nil {
				files = append(files, openFile{f, n.path, n.number, info.Size()})
				continue
			}
			_ = f.Close()
		}
		if n.number == 0 && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		for _, f := range files {
			_ = f.Close()
		}
		return nil, fmt.Errorf("the audit trail %s cannot be read: %w", n.path, cause(err))
	}
	if len(files) == 0 {
		return nil, &NoTrailError{Path: path}
	}
	return files, nil
}

// readLock waits until no record is being written, as far as it can: a copy of
// a trail has no lock, a person who may only read may not take it, and a
// stopped writer must not keep anybody from reading. The worst is that a
// record is seen half.
func readLock(ctx context.Context, path string) (unlock func()) {
	path += lockSuffix
	if _, err := os.Stat(path); err != nil {
		return func() {}
	}
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	limited, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	if ok, err := l.TryRLockContext(limited, lockRetry); err != nil || !ok {
		return func() {}
	}
	return func() { _ = l.Close() }
}

func (f openFile) walk(ctx context.Context, v *verifier, see func(Line) error) error {
	in := bufio.NewReaderSize(io.LimitReader(f, f.size), 64<<10)
	// Lines that are no records are held back until it shows what they are.
	var held []Line
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(text) == 0 {
			v.end()
			return release(held, v.before, see)
		}
		body, finished := bytes.CutSuffix(text, []byte("\n"))
		fault := v.line(body, finished)
		if see == nil {
			continue
		}
		l := Line{File: f.path, Number: v.lines, Text: string(body), Fault: fault}
		l.Record, l.Known = parse(body)
		held = append(held, l)
		if v.gap.lines > 0 {
			continue
		}
		if err := release(held, v.before, see); err != nil {
			return err
		}
		held = held[:0]
	}
}

// release gives lines to see. Those before the last one were in the gap.
func release(held []Line, closed gap, see func(Line) error) error {
	for _, l := range held {
		if closed.old && l.Known && l.Fault == notChained {
			l.Fault = ""
		}
		if err := see(l); err != nil {
			return err
		}
	}
	return nil
}

// parse reads a record; false when it is none, or of a newer schema. Fields
// that are not known were added later and change nothing about the others.
func parse(line []byte) (Record, bool) {
	var r Record
	if json.Unmarshal(line, &r) != nil || r.Schema < 1 || r.Schema > Schema || r.Kind == "" {
		return Record{}, false
	}
	return r, true
}

// NoTrailError says that there is no trail where one was to be read.
type NoTrailError struct{ Path string }

// Error is one sentence.
func (e *NoTrailError) Error() string { return "there is no audit trail at " + e.Path }

// Hint says what to do.
func (e *NoTrailError) Hint() string {
	return "dtok begins one with the first change; --audit-file names another one, such as the demo's demo-audit.jsonl beside it"
}

// Path is where the trail of these options lives, without touching it.
func Path(o Options) (string, error) {
	t := NewTrail(o)
	return t.path, t.placeErr
}
