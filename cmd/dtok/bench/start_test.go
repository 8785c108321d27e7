// Package bench measures whole runs of dtok's commands against the least that
// another client needs for the same.
package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dtok/kafka"
	"dtok/kafka/demo"
)

// build makes a package's program as a release does.
func build(tb testing.TB, dir, pkg string) string {
	tb.Helper()
	path := filepath.Join(dir, filepath.Base(pkg))
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	return path
}

var programs = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "dtok-bench") })

func TestMain(m *testing.M) {
	status := m.Run()
	if dir, err := programs(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(status)
}

// run gives how long a program took from its start to its end, and what it
// printed.
func run(tb testing.TB, path string, args ...string) (time.Duration, []byte) {
	tb.Helper()
	var out, problems bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = &out, &problems
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil {
		tb.Fatalf("%s: %v\n%s", path, err, problems.Bytes())
	}
	return took, out.Bytes()
}

// start runs a demo broker with n tokens of alice, and gives the two command
// lines that list them.
func start(tb testing.TB, n int, l demo.Listener) (dtok, minimal []string) {
	tb.Helper()
	b, err := demo.Start(demo.Options{Bare: true})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(b.Close)
	now := time.Now()
	for i := range n {
		err := b.AddToken(kafka.Token{
			ID: fmt.Sprintf("token%017d", i), Owner: kafka.UserPrincipal("alice"), Requester: kafka.UserPrincipal("admin"),
			Renewers: []kafka.Principal{kafka.UserPrincipal("bob")}, Issued: now,
			Expires: now.Add(time.Duration(i*7919%n) * time.Second).Add(24 * time.Hour), MaxLifetimeEnds: now.Add(7 * 24 * time.Hour),
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	dir := tb.TempDir()
	properties, ca := filepath.Join(dir, "client.properties"), filepath.Join(dir, "ca.pem")
	// The mechanism of the other client: half of SCRAM is hashing the password.
	text := strings.ReplaceAll(b.ClientProperties("admin", l), kafka.MechanismScramSHA512, kafka.MechanismScramSHA256)
	if err := os.WriteFile(properties, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	dtok = []string{"tokens", "--command-config", properties, "-u", "alice"}
	minimal = []string{b.Address(l), "admin", "admin-secret", "alice"}
	if l.Protocol().Encrypted() {
		if err := os.WriteFile(ca, b.CACert(), 0o600); err != nil {
			tb.Fatal(err)
		}
		minimal = append(minimal, ca)
	}
	return dtok, minimal
}

// BenchmarkTokens is dtok tokens -u USER, from its start to its end. The ratio
// is the median over pairs, run in turn, to a client that does only that; it
// says more than the time, which is the machine's.
func BenchmarkTokens(b *testing.B) {
	dir, err := programs()
	if err != nil {
		b.Fatal(err)
	}
	dtok, minimal := build(b, dir, "dtok/cmd/dtok"), build(b, dir, "dtok/cmd/dtok/bench/minimal")
	for _, l := range []demo.Listener{demo.SASLPlaintext, demo.SASLSSL} {
		for _, n := range []int{1, 1000, 10000} {
			b.Run(fmt.Sprintf("%s/%d", l, n), func(b *testing.B) {
				ours, theirs := start(b, n, l)
				// Once to warm up, and to see that both list the same.
				_, list := run(b, dtok, ours...)
				_, other := run(b, minimal, theirs...)
				if got, want := bytes.Count(list, []byte("\n")), bytes.Count(other, []byte("\n"))+1; got != want || want != n+1 {
					b.Fatalf("%d lines, the other client prints %d for %d tokens", got, want-1, n)
				}
				var ratios, times []float64
				for i := 0; b.Loop(); i++ {
					var a, m time.Duration
					if i%2 == 0 {
						a, _ = run(b, dtok, ours...)
						m, _ = run(b, minimal, theirs...)
					} else {
						m, _ = run(b, minimal, theirs...)
						a, _ = run(b, dtok, ours...)
					}
					ratios = append(ratios, float64(a)/float64(m))
					times = append(times, a.Seconds()*1000)
				}
				b.ReportMetric(median(times), "ms")
				b.ReportMetric(median(ratios), "x-minimal")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// TestBothListTheSame holds the yardstick to its purpose: what it prints of each
// token is also in dtok's table.
func TestBothListTheSame(t *testing.T) {
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := start(t, 3, demo.SASLSSL)
	_, list := run(t, build(t, dir, "dtok/cmd/dtok"), ours...)
	_, other := run(t, build(t, dir, "dtok/cmd/dtok/bench/minimal"), theirs...)
	if n := bytes.Count(other, []byte("\n")); n != 3 {
		t.Fatalf("%d lines for 3 tokens", n)
	}
	for _, word := range bytes.Fields(other) {
		if word = bytes.TrimPrefix(word, []byte("User:")); !bytes.Contains(list, word) {
			t.Errorf("%s is not in\n%s", word, list)
		}
	}
}
