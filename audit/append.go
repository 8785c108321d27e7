package audit

import (
	"context"
	"errors"
	"os"
	"time"
)

// writer appends records to the trail's file.
type writer struct {
	place
	limit time.Duration // for the lock
	max   int64         // the size at which a file is full; 0 is none
	disk  disk
}

// put writes records to the end of the file, durably and in one piece: no
// other dtok's record comes between them. Each becomes a line and a link of the
// chain here, under the lock, and nowhere else. stamp begins the records about
// the file itself.
//
// The file is opened anew each time, so that one that was removed or renamed
// is not written to for ever.
func (w *writer) put(ctx context.Context, stamp Record, records []Record) error {
	if err := w.prepare(); err != nil {
		return &writeError{err: err}
	}
	unlock, err := w.lock(ctx)
	if err != nil {
		return &writeError{err: err}
	}
	defer unlock()
	f, end, err := w.openEnd()
	if err != nil {
		return &writeError{err: err}
	}
	defer func() { _ = f.Close() }() // fsync has told already
	own, err := w.about(end, stamp)
	if err != nil {
		return &writeError{err: err}
	}
	var text []byte
	if end.unfinished {
		text = append(text, '\n')
	}
	prev := end.last
	for i, r := range append(own, records...) {
		if i == 0 && r.Kind == KindHead {
			prev = r.Prev
		}
		r.Prev = ""
		line, err := r.line()
		if err != nil {
			return &writeError{err: err}
		}
		line, prev = chained(line, prev)
		text = append(text, line...)
	}
	if n, err := w.disk.write(f, text); err != nil {
		return &writeError{err: cause(err), landed: n > 0}
	}
	if err := w.disk.sync(f); err != nil {
		return &writeError{err: cause(err), landed: true}
	}
	return nil
}

// openEnd opens the file that the next record belongs into and finds its end.
func (w *writer) openEnd() (*os.File, end, error) {
	f, err := w.open()
	if err != nil {
		return nil, end{}, err
	}
	at, err := endOf(f)
	if err == nil && w.full(at) {
		// A file that cannot be renamed goes on growing: that is no reason
		// to lose a record.
		if w.rename() == nil {
			_ = f.Close()
			return w.openEnd()
		}
	}
	if err != nil {
		_ = f.Close()
		return nil, end{}, cause(err)
	}
	return f, at, nil
}

// full reports whether the next record begins a new file. A file whose end is
// damaged is sealed first.
func (w *writer) full(at end) bool {
	return w.max > 0 && at.size >= w.max && at.last != "" && at.gap.Lines == 0 && !at.unfinished
}

// about are the records about the file that must stand before the next one:
// a head where the chain begins, a seal after what is no record.
func (w *writer) about(at end, stamp Record) ([]Record, error) {
	if at.gap.Lines > 0 {
		stamp.Sealed = &at.gap
	}
	if at.last != "" {
		if stamp.Sealed == nil {
			return nil, nil
		}
		stamp.Kind = KindSeal
		return []Record{stamp}, nil
	}
	number, prev, err := w.before()
	if err != nil {
		return nil, err
	}
	stamp.Kind, stamp.Head, stamp.Prev = KindHead, &Head{File: number + 1}, prev
	return []Record{stamp}, nil
}

// before is the number of the newest full file and its last hash, 0 and ""
// when there is none.
func (w *writer) before() (number int, last string, err error) {
	full, err := fullFiles(w.path)
	if err != nil || len(full) == 0 {
		return 0, "", err
	}
	newest := full[len(full)-1]
	f, err := openToRead(newest.path)
	if err != nil {
		return 0, "", errors.New("the file before it, " + newest.path + ", cannot be read: " + cause(err).Error())
	}
	defer func() { _ = f.Close() }()
	at, err := endOf(f)
	return newest.number, at.last, cause(err)
}
