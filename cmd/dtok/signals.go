package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// hardExit is how long after the first signal dtok ends at the latest. Bubble
// Tea writes while it holds the lock that its event loop needs, so with a
// terminal that takes no more bytes (a dead SSH connection) it never returns.
const hardExit = 3 * time.Second

// ended is a context that a signal ends, with *signalled as its cause.
type ended struct {
	context.Context
	stop func()
}

// commandUntilSignal is untilSignal for a command without a screen. One that does
// not end by itself after a signal ends with the status of shells for it.
func commandUntilSignal() ended {
	return untilSignal(context.Background(), true, func(s syscall.Signal) { exit(128 + int(s)) })
}

// untilSignal catches the signals that mean that the terminal is gone or that
// somebody wants dtok to end. Bubble Tea's own handler knows neither SIGHUP,
// which would kill dtok with the terminal left raw, nor tells which it was.
// last is called once, hardExit after the first signal, unless stop is before.
//
// With detached, signals that dtok was started to ignore stay ignored: nohup and
// a shell's "&" do that for programs that are to outlive the terminal, which
// the screens never are.
func untilSignal(parent context.Context, detached bool, last func(syscall.Signal)) ended {
	ctx, cancel := context.WithCancelCause(parent)
	arrived := make(chan os.Signal, 1)
	stopped := make(chan struct{})
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
		if !detached || !signal.Ignored(s) {
			signal.Notify(arrived, s)
		}
	}
	go func() {
		select {
		case s := <-arrived:
			sig := s.(syscall.Signal) // os.Signal is nothing else
			cancel(&signalled{sig})
			select {
			case <-time.After(hardExit):
				last(sig)
			case <-stopped:
			}
		case <-stopped:
		}
	}()
	return ended{ctx, func() {
		signal.Stop(arrived)
		close(stopped)
		cancel(nil)
	}}
}
