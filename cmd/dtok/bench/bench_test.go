package main

import (
	"bytes"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dtok/kafka/contract/apache"
)

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{ctx: t.Context(), dir: t.TempDir(), progress: io.Discard}
	if err := b.build(); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBothListTheSame holds the yardstick to its purpose: what it prints of each
// token is also in dtok's table.
func TestBothListTheSame(t *testing.T) {
	b := newBench(t)
	c, err := b.startCluster(true)
	if err != nil {
		t.Fatal(err)
	}
	defer c.stop()
	if err := b.grow(c, 0, 3); err != nil {
		t.Fatal(err)
	}
	for _, listener := range listeners {
		cs, err := b.commands(c, listener, c.address(listener), false)
		if err != nil {
			t.Fatal(err)
		}
		p, err := b.compare(2, cs.dtok, cs.minimal)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.ours) != 2 || p.theirs[0].things != 3 || p.ours[0].things != 3 || p.ratio(wall) <= 0 {
			t.Errorf("%+v", p)
		}
	}
}

// Lists of different lengths are not compared: one of the two did not do the work.
func TestUnequalListsAreRefused(t *testing.T) {
	b := newBench(t)
	say := func(text string) command { return command{text, []string{"printf", text}, 0, 1} }
	if _, err := b.compare(1, say("1\n2\n"), say("1\n")); err == nil {
		t.Error("compared")
	}
}

// The memory of a program is its own, and not what this process has: it is told
// as little for one that has little, after this process had much.
func TestPeakIsTheProgramsOwn(t *testing.T) {
	b := newBench(t)
	much := make([]byte, 64<<20)
	for i := 0; i < len(much); i += 4096 {
		much[i] = 1
	}
	got, err := b.peak(command{"true", []string{"true"}, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if got < 100<<10 || got > 32<<20 {
		t.Errorf("true had %s", megabytes(got))
	}
	runtime.KeepAlive(much)
	if _, err := b.peak(command{"false", []string{"false"}, 0, 1}); err == nil {
		t.Error("a program that failed was measured")
	}
}

// The network between is as slow as it says, and counts what a client waits for:
// not the answer to what it says last, as TLS ends a session.
func TestDelay(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = io.Copy(c, c)
		_ = c.Close()
	}()
	const roundTrip = 30 * time.Millisecond
	d, err := newDelay(l.Addr().String(), roundTrip)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	c, err := net.Dial("tcp", d.address())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := c.Write([]byte("12")); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(c, make([]byte, 2)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Write([]byte("bye")); err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
	d.close()
	if took := time.Since(start); took < 4*roundTrip || d.turns.Load() != 4 {
		t.Errorf("%d turns in %v", d.turns.Load(), took)
	}
}

func TestBenchmarksAreRead(t *testing.T) {
	got := parseBench("goos: linux\nBenchmarkA/x=200x50-2 \t 1\t 379.0 bytes/key\t 0.53 ms/key-p50\nBenchmarkB-8   100 12 ns/op\nPASS\n")
	want := map[string]map[string]float64{"BenchmarkA/x=200x50": {"bytes/key": 379, "ms/key-p50": 0.53}, "BenchmarkB": {"ns/op": 12}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	f := figures{table: &table{}, all: got}
	if f.of("BenchmarkB", "ns/op") != 12 || f.err != nil {
		t.Error(f.err)
	}
	if f.of("BenchmarkC", "ns/op"); f.err == nil {
		t.Error("a figure that is missing is no error")
	}
}

func TestTable(t *testing.T) {
	var all table
	all.begin("a group")
	all.add(row{"one", "1 ms", "peer", "2 ms", 0.5, atMost(0.5, 1.1, "")})
	all.add(row{"two", "3 ms", "peer", "2 ms", 1.5, atMost(1.5, 1.1, "")})
	all.add(row{"three", "200", "peer", "2", 100, atLeast(100, 100, " times")})
	all.add(row{"four", "2", "peer", "2", 1, nil})
	var out bytes.Buffer
	all.print(&out)
	var got [][]string
	for line := range strings.Lines(out.String()) {
		if words := strings.Fields(line); len(words) > 0 {
			got = append(got, words)
		}
	}
	want := [][]string{
		{"WHAT", "DTOK", "PEER", "OR", "FLOOR", "ITS", "FIGURE", "RATIO", "TARGET", "VERDICT"}, {"a", "group"},
		{"one", "1", "ms", "peer", "2", "ms", "0.50", "at", "most", "1.1", "met"},
		{"two", "3", "ms", "peer", "2", "ms", "1.50", "at", "most", "1.1", "missed"},
		{"three", "200", "peer", "2", "100", "at", "least", "100", "times", "met"},
		{"four", "2", "peer", "2", "1.00"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A broker of its own process serves what it was told to make, and ends with
// its input.
func TestCrowd(t *testing.T) {
	in, end := io.Pipe()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- serveCrowd(10, in, write) }()
	buf := make([]byte, 64<<10)
	n, err := read.Read(buf)
	if err != nil || !strings.Contains(string(buf[:n]), apache.SASLSSL) {
		t.Fatalf("%v: %s", err, buf[:n])
	}
	_ = end.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
