// Command matrix runs the contract suite on releases of Apache Kafka, one after
// the other, and prints a table of what came of it:
//
//	matrix [-update] [RELEASE]...
//
// Without a release it runs all of them. A release that fails does not keep the
// others from being run; the exit status is 1 then. -update writes the table
// into README.md, for all releases alone.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"dtok/kafka/contract/apache"
)

func main() {
	update := flag.Bool("update", false, "write the table into README.md")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := run(ctx, *update, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, update bool, names []string) error {
	if update && len(names) > 0 {
		return errors.New("-update is for all releases: name none")
	}
	home, err := apache.Home()
	if err != nil {
		return err
	}
	root := filepath.Dir(filepath.Dir(home))
	releases := apache.Releases()
	if len(names) > 0 {
		releases = nil
		for _, name := range names {
			r, err := apache.FindRelease(name)
			if err != nil {
				return err
			}
			releases = append(releases, r)
		}
	}
	var rows []row
	bad := 0
	for _, r := range releases {
		fmt.Printf("== Apache Kafka %s\n", r.Name)
		res, err := test(ctx, root, r, os.Stdout)
		if err != nil {
			return err
		}
		res.report(os.Stdout)
		rows = append(rows, row{r, res})
		if !res.good() {
			bad++
		}
	}
	text := table(rows)
	fmt.Printf("\n%s", text)
	if update {
		if err := writeReadme(filepath.Join(root, "README.md"), text); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d releases do not pass", bad, len(rows))
	}
	return nil
}

// test runs the suite on one release. What is not about a test, such as an
// error of the compiler, goes to out.
func test(ctx context.Context, root string, r apache.Release, out io.Writer) (*results, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "-parallel=6", "-timeout=40m", "-run=OnKafka", "./kafka/contract")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "DTOK_KAFKA="+r.Name, "DTOK_KAFKA_ALL=1")
	cmd.Stderr = out
	// An interrupt goes to the whole group from a terminal; this is for the
	// others. Brokers end with the test program.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	res, err := read(pipe, out)
	if err != nil {
		return nil, err
	}
	ended := cmd.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	if ended != nil && !errors.As(ended, &exit) {
		return nil, ended
	}
	res.broken = ended != nil
	return res, nil
}
