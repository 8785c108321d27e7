package audit

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"dtok/kafka"
)

// Options say where a trail lives and what its records tell of this machine.
type Options struct {
	// Path is the file; "" means $XDG_STATE_HOME/dtok/Name, by default
	// ~/.local/state/dtok/Name.
	Path string
	// Name is the file's name in that folder; "audit.jsonl" when empty.
	Name string
	// MaxSize is how many bytes a file may reach before it is renamed and the
	// next one begun; 0 lets it grow for ever. Renamed files are never removed.
	MaxSize int64
	// Who is who uses this process; the zero Who stands for Here, which is
	// asked with the first record and not before.
	Who Who
	// Getenv reads HOME, XDG_STATE_HOME and what Here reads; os.Getenv when nil.
	Getenv func(string) string
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

// Trail is the record of the changes that this process makes. It is safe for
// use by several goroutines, and several processes may write to one file.
type Trail struct {
	writer
	placeErr error
	who      func() Who
	now      func() time.Time

	mu sync.Mutex // held while the file is written
	// running are the intents of the changes that have not ended yet.
	running map[string]Record
	// unwritten are outcomes that could not be written so far.
	unwritten []Record
	// missed are the readings since the last write that were not recorded.
	missed Missed
	// late are the outcomes of changes that still ran when Close began.
	late    []Record
	lastErr error // why the last attempt to write failed
	closing bool
	idle    chan struct{} // closed when closing and nothing runs any more
}

// NewTrail makes a trail without touching the file: it is opened for each
// record. Where it cannot be written, changes are refused, reading goes on.
func NewTrail(o Options) *Trail {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	who := func() Who { return o.Who }
	if o.Who == (Who{}) {
		who = sync.OnceValue(func() Who { return Here(o.Getenv) })
	}
	t := &Trail{
		writer: writer{limit: lockLimit, max: o.MaxSize, disk: realDisk()},
		who:    who, now: o.Now, running: map[string]Record{}, idle: make(chan struct{}),
	}
	t.place, t.placeErr = find(o.Path, cmp.Or(o.Name, "audit.jsonl"), o.Getenv)
	return t
}

// Path is the trail's file, "" where there is no place for one.
func (t *Trail) Path() string { return t.path }

// Trouble says in one sentence what could not be written so far, and why; ""
// when all is. Outcomes are kept, and tried again with the next record and in
// Close; until they are written no further change is sent. Readings are not
// kept: how many are missing is recorded once the trail can be written again.
func (t *Trail) Trouble() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var what []string
	switch n := len(t.unwritten); n {
	case 0:
	case 1:
		what = append(what, "the outcome of 1 change is")
	default:
		what = append(what, fmt.Sprintf("the outcomes of %d changes are", n))
	}
	switch n := t.missed.Readings; n {
	case 0:
	case 1:
		what = append(what, "1 reading is")
	default:
		what = append(what, fmt.Sprintf("%d readings are", n))
	}
	if len(what) == 0 {
		return ""
	}
	return fmt.Sprintf("%s not in the audit trail%s yet: %v; dtok keeps trying", strings.Join(what, " and "), at(t.path), t.lastErr)
}

// Close ends the trail. From now on changes are refused; those that run are
// waited for until ctx ends, and then recorded as unknown, because dtok will
// not be there to see them end. What could not be written before is tried once
// more. The error is an *UnwrittenError.
func (t *Trail) Close(ctx context.Context) error {
	t.mu.Lock()
	if !t.closing {
		t.closing = true
		t.signalIdle()
	}
	t.mu.Unlock()
	select {
	case <-t.idle:
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, r := range t.running {
		delete(t.running, id)
		r = ended(r, Unknown, &Problem{Text: "dtok ended before the answer came"})
		r.Time = Time{t.now()}
		t.unwritten, t.late = append(t.unwritten, r), append(t.late, r)
	}
	if len(t.unwritten) == 0 && t.missed.Readings == 0 {
		return nil
	}
	records := t.owed()
	if err := t.write(context.Background()); err != nil {
		return unwrittenError(t.path, records, err)
	}
	return nil
}

// Late are the outcomes of the changes that still ran when Close began, with no
// screen left to tell them.
func (t *Trail) Late() []Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.late)
}

func unwrittenError(path string, records []Record, err error) error {
	e := &UnwrittenError{Path: path, Err: err}
	for _, r := range records {
		if line, err := r.line(); err == nil {
			e.Lines = append(e.Lines, string(line[:len(line)-1]))
		}
	}
	return e
}

// begin records an intent. When it returns an error nothing may be sent.
func (t *Trail) begin(ctx context.Context, r Record) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closing {
		return &IntentError{Op: r.Kind, Path: t.path, Err: errors.New("dtok is closing")}
	}
	if err := t.write(ctx, r); err != nil {
		var w *writeError
		if errors.As(err, &w) && w.landed {
			// A reader that finds the intent must not think that it was sent.
			t.unwritten = append(t.unwritten,
				ended(r, Failed, &Problem{Text: "nothing was sent: the intent could not be recorded: " + err.Error()}))
		}
		return &IntentError{Op: r.Kind, Path: t.path, Err: err}
	}
	t.running[r.ID] = r
	return nil
}

// end records an outcome, whatever has become of the caller's context. A record
// that cannot be written is kept for later.
func (t *Trail) end(r Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.running[r.ID]; !ok {
		return // Close was faster and has recorded it as unknown
	}
	delete(t.running, r.ID)
	if t.closing {
		t.late = append(t.late, r)
	}
	defer t.signalIdle()
	if err := t.write(context.Background(), r); err != nil {
		t.unwritten = append(t.unwritten, r)
	}
}

func (t *Trail) signalIdle() {
	if t.closing && len(t.running) == 0 {
		close(t.idle)
	}
}

// read records a reading. One that cannot be recorded is counted.
func (t *Trail) read(records []Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.write(context.Background(), records...); err == nil {
		return
	}
	if t.missed.Readings == 0 {
		t.missed.Since = Time{t.now()}
	}
	t.missed.Readings++
}

// write appends what is owed and then r, all of it or none.
func (t *Trail) write(ctx context.Context, r ...Record) error {
	if t.placeErr != nil {
		t.lastErr = t.placeErr
		return t.placeErr
	}
	t.lastErr = t.put(ctx, t.stamp(), slices.Concat(t.owed(), r))
	if t.lastErr == nil {
		t.unwritten, t.missed = nil, Missed{}
	}
	return t.lastErr
}

// owed are the records that could not be written so far.
func (t *Trail) owed() []Record {
	if t.missed.Readings == 0 {
		return t.unwritten
	}
	r, missed := t.stamp(), t.missed
	r.Kind, r.Missed = KindMissed, &missed
	if t.lastErr != nil {
		r.Problem = &Problem{Text: t.lastErr.Error()}
	}
	return append(slices.Clone(t.unwritten), r)
}

// stamp is what every record of this process has.
func (t *Trail) stamp() Record { return Record{Schema: Schema, Time: Time{t.now()}, Who: t.who()} }

// begun is the beginning of a record of one kind of request.
func (t *Trail) begun(kind kafka.Op) Record {
	r := t.stamp()
	r.ID, r.Kind = rand.Text(), kind
	return r
}

func ended(r Record, o Outcome, p *Problem) Record {
	r.Phase, r.Outcome, r.Problem = Ended, o, p
	return r
}
