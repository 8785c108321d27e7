package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// build makes the programs as a release does, and installs them by copying: the
// system keeps the pages of a file that a linker has just written in another
// way than those of one that was unpacked or read from a disk, and a process of
// the former starts slower, the larger the slower.
func (b *bench) build() error {
	for pkg, path := range map[string]*string{"dtok/cmd/dtok": &b.dtok, "dtok/cmd/dtok/bench/minimal": &b.minimal, "dtok/cmd/dtok/bench/launch": &b.launch} {
		*path = filepath.Join(b.dir, filepath.Base(pkg))
		linked := *path + ".linked"
		cmd := exec.CommandContext(b.ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", linked, pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", pkg, err, out)
		}
		binary, err := os.ReadFile(linked)
		if err != nil {
			return err
		}
		if err := os.WriteFile(*path, binary, 0o755); err != nil {
			return err
		}
	}
	b.kcl, _ = exec.LookPath("kcl")
	return nil
}

// spent is what one run of a program took, from its start to its end.
type spent struct {
	wall, cpu time.Duration
	things    int // that it listed
}

// command is a program and its arguments.
type command struct {
	name string // for people
	argv []string
	// head is how many lines it prints besides its list, each how many lines one
	// thing of that takes; 0 is one.
	head, each int
}

// run runs a command once.
func (b *bench) run(c command) (spent, error) {
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(b.ctx, c.argv[0], c.argv[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &problems
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil {
		return spent{}, fmt.Errorf("%s: %w\n%s", c.name, err, problems.Bytes())
	}
	return spent{took, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		(bytes.Count(out.Bytes(), []byte("\n")) - c.head) / max(c.each, 1)}, nil
}

// peak runs a command a few times and gives the median of the most memory it
// had, in bytes resident. It is not one of the runs that are timed: a launcher
// stands between, because this process has more memory than what it measures.
func (b *bench) peak(c command) (float64, error) {
	var peaks []float64
	for range 3 {
		one, err := b.peakOnce(c)
		if err != nil {
			return 0, err
		}
		peaks = append(peaks, one)
	}
	return median(peaks), nil
}

func (b *bench) peakOnce(c command) (float64, error) {
	told, tell, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer told.Close()
	var problems bytes.Buffer
	cmd := exec.CommandContext(b.ctx, b.launch, c.argv...)
	cmd.Stderr, cmd.ExtraFiles = &problems, []*os.File{tell}
	err = cmd.Run()
	_ = tell.Close()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", c.name, err, problems.Bytes())
	}
	var bytes float64
	if _, err := fmt.Fscan(told, &bytes); err != nil {
		return 0, fmt.Errorf("the memory of %s: %w", c.name, err)
	}
	return bytes, nil
}

// pair is what two commands spent that were run in turn.
type pair struct{ ours, theirs []spent }

// compare runs both commands once to warm up and to see that they list as many
// things, then so many times in turn, each before the other as often as after.
func (b *bench) compare(times int, ours, theirs command) (pair, error) {
	b.say("  %s against %s", ours.name, theirs.name)
	var p pair
	for i := -1; i < times; i++ {
		order := []command{ours, theirs}
		if i%2 != 0 {
			slices.Reverse(order)
		}
		var first, second spent
		var err error
		if first, err = b.run(order[0]); err != nil {
			return p, err
		}
		if second, err = b.run(order[1]); err != nil {
			return p, err
		}
		if i%2 != 0 {
			first, second = second, first
		}
		if i < 0 {
			if first.things != second.things {
				return p, fmt.Errorf("%s lists %d things and %s %d", ours.name, first.things, theirs.name, second.things)
			}
			continue
		}
		p.ours, p.theirs = append(p.ours, first), append(p.theirs, second)
	}
	return p, nil
}

// ratio is ours by theirs.
func (p pair) ratio(of func(spent) float64) float64 { return best(p.ours, of) / best(p.theirs, of) }

func wall(s spent) float64 { return s.wall.Seconds() }
func cpu(s spent) float64  { return s.cpu.Seconds() }

// best is what a figure did not exceed in the best tenth of the runs. What else
// the machine does makes a run longer and never shorter, so that this one stays
// the same where a median follows the load.
func best(of []spent, figure func(spent) float64) float64 {
	all := make([]float64, len(of))
	for i := range of {
		all[i] = figure(of[i])
	}
	slices.Sort(all)
	return all[(len(all)-1)/10]
}

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

func seconds(s float64) string {
	if s >= 1 {
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.1f ms", s*1000)
}

func megabytes(n float64) string { return fmt.Sprintf("%.0f MB", n/1e6) }
