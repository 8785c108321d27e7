package faults

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"dtok/kafka"
)

func clientTLS(ca []byte) *tls.Config {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS13}
}

// errAgain says that a run told nothing: a deadline that is short for the
// fault's sake has passed for another reason, such as a busy machine, or the
// fault was there too early, because TLS handshakes vary in length.
var errAgain = errors.New("the run told nothing, however often it was made")

// execute makes a run in a folder of its own and says what is wrong with it.
// The ended run is nil when it did not come so far.
func execute(ctx context.Context, r run, folder string) (e *ended, err error) {
	for range 20 {
		if e, err = once(ctx, r, folder); !errors.Is(err, errAgain) {
			return e, err
		}
	}
	return e, err
}

func once(ctx context.Context, r run, parent string) (*ended, error) {
	o, ok := operationNamed(r.operation)
	if !ok {
		return nil, fmt.Errorf("there is no operation %q", r.operation)
	}
	folder, err := os.MkdirTemp(parent, "")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	w, err := newWorld(ctx, r, folder)
	if w != nil {
		defer w.closeCluster()
	}
	if err != nil {
		if w != nil && w.proxy != nil {
			_ = w.proxy.end(longWait)
		}
		return nil, fmt.Errorf("the run cannot begin: %w", err)
	}
	e := &ended{world: w, operation: o}
	err = e.happen(ctx)
	err = errors.Join(err, w.close())
	if err != nil {
		return e, err
	}
	for _, l := range w.proxy.all() {
		if r.way != tls13 {
			e.requests, e.answers = append(e.requests, l.requests.read), append(e.answers, l.answers.passed)
		}
	}
	if e.after, err = w.look(ctx); err != nil {
		return e, fmt.Errorf("the cluster cannot be read afterwards: %w", err)
	}
	return e, judge(ctx, e)
}

// happen is the run itself: what goes before, the operation, and a look at
// whether the client is of use afterwards.
func (e *ended) happen(ctx context.Context) error {
	if e.name != opDial {
		if err := e.connect(ctx); err != nil {
			return e.early(err)
		}
	}
	if e.prepare != nil {
		if err := e.prepare(ctx, e.world); err != nil {
			return e.early(err)
		}
	}
	for _, l := range e.proxy.all() {
		if e.run.way == redial {
			l.cut()
		}
		e.began = append(e.began, marks{l.requests.size(), l.answers.size()})
	}
	var err error
	if e.before, err = e.look(ctx); err != nil {
		return fmt.Errorf("the cluster cannot be read: %w", err)
	}
	if err := e.guarded(ctx); err != nil {
		return err
	}
	for _, l := range e.proxy.all() {
		e.over = append(e.over, marks{l.requests.size(), l.answers.size()})
	}
	e.claim = claimOf(e.operation, e.result, e.err)
	return e.usable(ctx)
}

func (e *ended) early(err error) error {
	select {
	case <-e.proxy.struck:
		if e.run.way == tls13 {
			return errAgain
		}
	default:
		if e.run.kind.wait() < longWait && isSilent(err) {
			return errAgain
		}
	}
	return fmt.Errorf("before the fault: %w", err)
}

// guarded does the operation, and says when it panics or has no end.
func (e *ended) guarded(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		var failure error
		defer func() {
			if p := recover(); p != nil {
				failure = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
			ended <- failure
		}()
		e.result, e.err = e.act(ctx, e.world)
	}()
	tooLong := time.NewTimer(hangs)
	defer tooLong.Stop()
	struck := e.proxy.struck
	if e.run.kind != cancelled {
		struck = nil
	}
	for {
		select {
		case err := <-ended:
			return err
		case <-struck:
			cancel()
			struck = nil
		case <-tooLong.C:
			return errors.New("the operation does not end: its deadlines are long over")
		}
	}
}

// usable: who was told that the connection failed finds a working client. An
// operation that went well can leave a connection that the fault breaks after
// it, and lies can leave answers that nobody waits for as well: each costs a
// reading.
func (e *ended) usable(ctx context.Context) error {
	const tries = 20
	lost := 0
	switch {
	case e.run.kind.lies():
		lost = 2
	case e.claim == done || e.claim == other:
		lost = 1
	}
	var last error
	for try := range tries {
		if e.client == nil {
			last = e.connect(ctx)
		} else {
			_, last = e.client.Tokens(ctx, kafka.Principal{})
		}
		if last == nil {
			return nil
		}
		slow := e.run.kind.wait() < longWait && isSilent(last)
		if slow && try == 0 && lost == 0 {
			// A busy machine, or a connection that was not given up: another
			// run tells.
			return fmt.Errorf("%w: the first reading afterwards: %w", errAgain, last)
		}
		if try >= lost && !slow {
			break
		}
	}
	if e.run.lied() && (is[*kafka.UnsupportedError](last) || is[*kafka.OffError](last)) {
		return nil // it believes what it was told of the broker's versions, while the connection stands
	}
	return fmt.Errorf("the client is of no use afterwards: %w", last)
}

// isSilent reports whether an error is a deadline that has passed.
func isSilent(err error) bool {
	f, ok := errors.AsType[*kafka.FaultError](err)
	var timeout interface{ Timeout() bool }
	return ok && f.Fault == kafka.FaultSilent || errors.As(err, &timeout) && timeout.Timeout()
}
