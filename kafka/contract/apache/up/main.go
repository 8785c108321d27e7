// Command up keeps a real Apache Kafka node running in the background to try
// dtok on:
//
//	up start [RELEASE]  starts it, prints how to reach it, and returns
//	up stop             stops it
//	up run [RELEASE]    runs it in the foreground until it is interrupted
//
// The node's files are in testdata/kafka/.run.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"dtok/kafka/contract/apache"
)

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "up:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	home, err := apache.Home()
	if err != nil {
		return err
	}
	place := place{dir: filepath.Join(home, ".run")}
	if err := os.MkdirAll(place.dir, 0o700); err != nil {
		return err
	}
	if len(args) == 0 || len(args) > 2 {
		return errors.New("one word is expected, start, stop or run, and perhaps a release")
	}
	release := ""
	if len(args) == 2 {
		release = args[1]
	}
	switch args[0] {
	case "start":
		return place.start(os.Stdout, release)
	case "stop":
		return place.stop(os.Stdout)
	case "run":
		return run(place, release)
	}
	return fmt.Errorf("unknown word %q: start, stop or run is expected", args[0])
}

// run holds the node and the lock that says so.
func run(p place, release string) error {
	unlock, err := p.hold()
	if err != nil {
		return err
	}
	defer unlock()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	node, err := apache.Start(ctx, apache.Options{Release: release, Dir: filepath.Join(p.dir, "node")})
	if err != nil {
		return err
	}
	defer node.Stop()
	text, err := describe(node)
	if err != nil {
		return err
	}
	if err := p.announce(text); err != nil {
		return err
	}
	defer p.retract()
	fmt.Print(text)
	select {
	case <-ctx.Done():
		return nil
	case <-node.Done():
		return fmt.Errorf("Apache Kafka ended by itself\n%s", node.Log())
	}
}
