package audit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dtok/kafka"
)

// blockedOutcome is a recorder whose file turns into a folder while a change
// runs, and a function that repairs it.
func blockedOutcome(t *testing.T, result error) (*Trail, *Recorder, func()) {
	trail, broker := newTrail(t, ""), working()
	aside := filepath.Join(t.TempDir(), "aside")
	make := broker.create
	broker.create = func(ctx context.Context, req kafka.CreateRequest) (kafka.Created, error) {
		if err := errors.Join(os.Rename(trail.Path(), aside), os.Mkdir(trail.Path(), 0o700)); err != nil {
			t.Fatal(err)
		}
		made, err := make(ctx, req)
		return made, errors.Join(err, result)
	}
	return trail, recorder(trail, broker, ""), func() {
		broker.create = make
		if err := errors.Join(os.Remove(trail.Path()), os.Rename(aside, trail.Path())); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnOutcomeThatCannotBeWrittenLeavesTheResult(t *testing.T) {
	refusal := &kafka.RefusedError{Op: kafka.OpCreateToken, Code: 65}
	for _, result := range []error{nil, refusal} {
		trail, rec, repair := blockedOutcome(t, result)
		made, err := create(rec)
		if (result == nil) != (err == nil) || (result != nil) != as[*kafka.RefusedError](err) {
			t.Errorf("got %v, want the change's own error %v", err, result)
		}
		if made.HMAC.Len() != kafka.HMACSize {
			t.Error("the new token's HMAC is lost")
		}
		for _, part := range []string{"1 change is", trail.Path(), "is a directory"} {
			if !strings.Contains(trail.Trouble(), part) {
				t.Errorf("the trouble lacks %q: %q", part, trail.Trouble())
			}
		}
		// While the outcome is owed, no further change goes out.
		if _, err := create(rec); !as[*IntentError](err) {
			t.Errorf("got %v, want an *IntentError", err)
		}
		repair()
		if _, err := create(rec); err != nil {
			t.Fatal(err)
		}
		want := "intent done intent done"
		if result != nil {
			want = "intent refused intent done"
		}
		if got := summary(read(t, trail.Path())); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if trail.Trouble() != "" {
			t.Errorf("trouble %q after the repair", trail.Trouble())
		}
		if err := trail.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

func TestCloseTriesOnceMoreAndNamesWhatIsLost(t *testing.T) {
	trail, rec, repair := blockedOutcome(t, nil)
	if _, err := create(rec); err != nil {
		t.Fatal(err)
	}
	var lost *UnwrittenError
	if err := trail.Close(context.Background()); !errors.As(err, &lost) {
		t.Fatalf("got %v, want an *UnwrittenError", err)
	}
	if len(lost.Lines) != 1 || decode(t, lost.Lines[0]).Outcome != Done || !strings.Contains(lost.Error(), lost.Lines[0]) {
		t.Errorf("got %q", lost.Error())
	}
	repair()
	if err := trail.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := summary(read(t, trail.Path())); got != "intent done" {
		t.Error(got)
	}
}

func TestCloseWaitsForARunningChange(t *testing.T) {
	trail, broker := newTrail(t, ""), working()
	running, answer := make(chan struct{}), make(chan struct{})
	made := broker.create
	broker.create = func(ctx context.Context, req kafka.CreateRequest) (kafka.Created, error) {
		close(running)
		<-answer
		return made(ctx, req)
	}
	rec := recorder(trail, broker, "")
	changed, closed := make(chan error, 1), make(chan error, 1)
	go func() { _, err := create(rec); changed <- err }()
	<-running
	go func() { closed <- trail.Close(context.Background()) }()
	// Close has begun once a further change is refused; Close still waits.
	for {
		if _, err := expire(rec, "too late"); err != nil {
			if !as[*IntentError](err) {
				t.Fatal(err)
			}
			break
		}
	}
	select {
	case err := <-closed:
		t.Fatal("Close did not wait:", err)
	default:
	}
	close(answer)
	if err := errors.Join(<-changed, <-closed); err != nil {
		t.Fatal(err)
	}
	rs := read(t, trail.Path())
	if last := rs[len(rs)-1]; last.Kind != kafka.OpCreateToken || last.Outcome != Done {
		t.Errorf("the last record is %+v", last)
	}
}

func TestCloseRecordsWhatItCannotWaitForOnce(t *testing.T) {
	trail, broker := newTrail(t, ""), working()
	running, answer := make(chan struct{}), make(chan struct{})
	broker.create = func(context.Context, kafka.CreateRequest) (kafka.Created, error) {
		close(running)
		<-answer
		return kafka.Created{}, nil
	}
	changed := make(chan error, 1)
	go func() { _, err := create(recorder(trail, broker, "")); changed <- err }()
	<-running
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := trail.Close(ended); err != nil {
		t.Fatal(err)
	}
	close(answer)
	if err := <-changed; err != nil {
		t.Fatal(err)
	}
	rs := read(t, trail.Path())
	if got := summary(rs); got != "intent unknown" || !strings.Contains(rs[1].Problem.Text, "dtok ended") {
		t.Error(got, rs[1].Problem)
	}
}
