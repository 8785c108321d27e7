// Command bench measures dtok and prints one table. Each figure is a ratio to a
// peer or a floor that was measured beside it in the same run, in turn, so that
// a busy machine slows both. Of several runs of a program the best tenth counts:
//
//	bench [-demo] [-list] [-screens=false]
//
// The brokers of the first part are an Apache Kafka of the newest release where
// Java and Maven are there, and dtok's own otherwise or with -demo. The exit
// status is 1 when something could not be measured; a missed target is a row of
// the table and no error.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	embedded := flag.Bool("demo", false, "measure on the embedded broker alone")
	screens := flag.Bool("screens", true, "measure the screens as well")
	crowd := flag.Int("crowd", -1, "only serve the embedded broker with so many tokens, until the input ends")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if *crowd >= 0 {
		if err := serveCrowd(*crowd, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := measure(ctx, os.Stdout, os.Stderr, *embedded, *screens); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// measure runs all parts and prints the table, also of the parts before one
// that failed. What is being done is told on progress.
func measure(ctx context.Context, out, progress io.Writer, embedded, screens bool) error {
	dir, err := os.MkdirTemp("", "dtok-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{ctx: ctx, dir: dir, progress: progress}
	if err := b.build(); err != nil {
		return err
	}
	parts := []func() error{func() error { return b.listings(embedded) }, b.latency, b.volume}
	if screens {
		parts = append(parts, b.screens)
	}
	for _, part := range parts {
		if err = part(); err != nil {
			break
		}
	}
	b.table.print(out)
	return err
}

// bench is one run of all measurements.
type bench struct {
	ctx      context.Context
	dir      string
	progress io.Writer
	table    table
	// dtok and minimal are the programs, launch tells their memory; kcl is ""
	// where it is not installed.
	dtok, minimal, launch, kcl string
}

func (b *bench) say(format string, args ...any) {
	_, _ = fmt.Fprintf(b.progress, format+"\n", args...)
}
