package audit

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
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
	// Who is who uses this process (Here).
	Who Who
	// Getenv reads HOME and XDG_STATE_HOME; os.Getenv when nil.
	Getenv func(string) string
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

// Trail is the record of the changes that this process makes. It is safe for
// use by several goroutines, and several processes may write to one file.
type Trail struct {
	place    place
	placeErr error
	who      Who
	now      func() time.Time
	limit    time.Duration

	mu sync.Mutex // held while the file is written
	// running are the intents of the changes that have not ended yet.
	running map[string]Record
	// unwritten are outcomes that could not be written so far.
	unwritten []Record
	lastErr   error // why the last attempt to write failed
	closing   bool
	idle      chan struct{} // closed when closing and nothing runs any more
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
	t := &Trail{who: o.Who, now: o.Now, limit: lockLimit, running: map[string]Record{}, idle: make(chan struct{})}
	t.place, t.placeErr = find(o.Path, cmp.Or(o.Name, "audit.jsonl"), o.Getenv)
	return t
}

// Path is the trail's file, "" where there is no place for one.
func (t *Trail) Path() string { return t.place.path }

// Trouble says in one sentence which outcomes could not be written so far, and
// why; "" when all are. They are kept, and tried again with the next record and
// in Close; until they are written no further change is sent.
func (t *Trail) Trouble() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.unwritten) == 0 {
		return ""
	}
	what := "the outcome of 1 change is"
	if n := len(t.unwritten); n > 1 {
		what = fmt.Sprintf("the outcomes of %d changes are", n)
	}
	return fmt.Sprintf("%s not in the audit trail%s yet: %v; dtok keeps trying", what, at(t.place.path), t.lastErr)
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
		t.unwritten = append(t.unwritten, r)
	}
	if len(t.unwritten) == 0 {
		return nil
	}
	records := t.unwritten
	if err := t.write(context.Background()); err != nil {
		return unwrittenError(t.place.path, records, err)
	}
	return nil
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
		return &IntentError{Op: r.Kind, Path: t.place.path, Err: errors.New("dtok is closing")}
	}
	if err := t.write(ctx, r); err != nil {
		var w *writeError
		if errors.As(err, &w) && w.landed {
			// A reader that finds the intent must not think that it was sent.
			t.unwritten = append(t.unwritten,
				ended(r, Failed, &Problem{Text: "nothing was sent: the intent could not be recorded: " + err.Error()}))
		}
		return &IntentError{Op: r.Kind, Path: t.place.path, Err: err}
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

// write appends what is still unwritten and then r, all of it or none.
func (t *Trail) write(ctx context.Context, r ...Record) error {
	if t.placeErr != nil {
		return t.placeErr
	}
	t.lastErr = t.place.appendRecords(ctx, t.limit, slices.Concat(t.unwritten, r))
	if t.lastErr == nil {
		t.unwritten = nil
	}
	return t.lastErr
}

// intent is the beginning of a record: a new change of one kind.
func (t *Trail) intent(kind kafka.Op) Record {
	return Record{Schema: Schema, ID: rand.Text(), Time: Time{t.now()}, Kind: kind, Phase: Intent, Who: t.who}
}

func ended(r Record, o Outcome, p *Problem) Record {
	r.Phase, r.Outcome, r.Problem = Ended, o, p
	return r
}
