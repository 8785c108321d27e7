//go:build !windows

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// ownPainter is set where dtok paints by itself.
const ownPainter = true

// watchSize calls tell whenever the terminal changes its size.
func watchSize(tell func()) (stop func()) {
	changed := make(chan os.Signal, 1)
	ended := make(chan struct{})
	signal.Notify(changed, syscall.SIGWINCH)
	go func() {
		for {
			select {
			case <-changed:
				tell()
			case <-ended:
				return
			}
		}
	}()
	return func() {
		signal.Stop(changed)
		close(ended)
	}
}
