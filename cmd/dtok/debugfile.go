package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
	"time"
)

const (
	debugFileMode = 0o600
	// waitingLines is how many lines may wait for a slow disk. What comes then
	// is counted and left out: the log must not hold dtok up.
	waitingLines = 4096
	// lastLines is how long the lines that wait at the end have.
	lastLines = time.Second
)

// debugFile takes whole lines without making anybody wait for the disk, and
// without failing.
type debugFile struct {
	file  io.WriteCloser
	path  string
	lines chan []byte
	stop  chan struct{}
	done  chan struct{}

	mu   sync.Mutex
	left int   // lines that are not in the file
	why  error // of the first that could not be written
	torn bool  // the file does not end with a line end
}

// openDebugFile makes the file, or goes on with one of an earlier run. A file
// that others may read or write is refused, and so is everything that is no
// debug log: lines at its end would spoil it.
func openDebugFile(path string) (*debugFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND|noFollow, debugFileMode)
	if err != nil {
		return nil, refusedDebugFile(path, debugCause(err))
	}
	torn, err := fitForDebug(f)
	if err != nil {
		_ = f.Close()
		return nil, refusedDebugFile(path, err)
	}
	return newDebugFile(f, path, torn), nil
}

func newDebugFile(f io.WriteCloser, path string, torn bool) *debugFile {
	d := &debugFile{file: f, path: path, torn: torn, lines: make(chan []byte, waitingLines),
		stop: make(chan struct{}), done: make(chan struct{})}
	go d.write()
	return d
}

func refusedDebugFile(path string, why error) error {
	return &hinted{fmt.Errorf("the debug log cannot be written to %s: %w", path, why),
		"--debug takes a new file, or the log of an earlier run that is yours alone"}
}

// beginsDebugLog reports whether this is how each debug log begins.
func beginsDebugLog(head []byte) bool {
	begin := regexp.MustCompile(`^\{"time":"[^"]+","level":"INFO","msg":"start","pid":`)
	return begin.Match(head)
}

// fitForDebug says why an open file cannot be used, and whether its last line
// has no end.
func fitForDebug(f *os.File) (torn bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return false, debugCause(err)
	}
	switch {
	case !info.Mode().IsRegular():
		return false, errors.New("it is not a regular file")
	case !isOwn(info):
		return false, errors.New("it belongs to another user")
	case hasModes && info.Mode().Perm()&0o077 != 0:
		return false, fmt.Errorf("others can read or write it (mode %04o)", info.Mode().Perm())
	case info.Size() == 0:
		return false, nil
	}
	head := make([]byte, 256)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, debugCause(err)
	}
	if !beginsDebugLog(head[:n]) {
		return false, errors.New("it holds something else than a debug log")
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil {
		return false, debugCause(err)
	}
	return last[0] != '\n', nil
}

// Write takes one line.
func (d *debugFile) Write(line []byte) (int, error) {
	select {
	case d.lines <- append([]byte(nil), line...):
	default:
		d.missed(errors.New("the disk is too slow"))
	}
	return len(line), nil
}

func (d *debugFile) missed(why error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left++
	if d.why == nil {
		d.why = why
	}
}

// write brings the lines to the file until close.
func (d *debugFile) write() {
	defer close(d.done)
	for {
		select {
		case line := <-d.lines:
			d.put(line)
			continue
		default:
		}
		select {
		case line := <-d.lines:
			d.put(line)
		case <-d.stop:
			if len(d.lines) == 0 {
				_ = d.file.Close()
				return
			}
		}
	}
}

func (d *debugFile) put(line []byte) {
	if d.torn {
		line = append([]byte("\n"), line...)
	}
	n, err := d.file.Write(line)
	if n > 0 {
		d.torn = n < len(line)
	}
	if err != nil {
		d.missed(debugCause(err))
	}
}

// close writes what waits and says what the file lacks, nil when nothing.
func (d *debugFile) close() error {
	close(d.stop)
	limit := time.NewTimer(lastLines)
	defer limit.Stop()
	var stuck int
	select {
	case <-d.done:
	case <-limit.C:
		stuck = len(d.lines) + 1
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	why, left := d.why, d.left+stuck
	if left == 0 {
		return nil
	}
	if why == nil {
		why = errors.New("the disk does not answer")
	}
	return fmt.Errorf("the debug log %s lacks %s: %w", d.path, countOf(left, "line"), why)
}

// debugCause is an error without the path, which the sentence names already.
func debugCause(err error) error {
	if isSymlink(err) {
		return errors.New("it is a symbolic link")
	}
	return cause(err)
}
