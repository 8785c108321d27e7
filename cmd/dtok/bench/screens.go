package main

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// screens runs the benchmarks of the screens, on terminals and inside the
// program, and puts their figures side by side.
func (b *bench) screens() error {
	onTerminals, err := b.goBench("./cmd/dtok/e2e", "^(BenchmarkStart|BenchmarkBigReading|BenchmarkBigKeys|BenchmarkBigPage|BenchmarkIdle|BenchmarkPeerKeys|BenchmarkPeerIdle)$")
	if err != nil {
		return err
	}
	inside, err := b.goBench("./ui", "^(BenchmarkKey|BenchmarkReading|BenchmarkFilterKey|BenchmarkPageKey)$")
	if err != nil {
		return err
	}
	s := figures{table: &b.table, all: onTerminals}
	s.start()
	s.keys()
	s.idle()
	s.all = inside
	s.growth()
	return s.err
}

// peerTable is the bubbles/table beside the benchmarks.
const peerTable = "bubbles/table, 100000 rows"

// figures are the metrics of benchmarks by name and unit. err is the first one
// that is missing.
type figures struct {
	table *table
	all   map[string]map[string]float64
	err   error
}

func (f *figures) of(name, unit string) float64 {
	value, ok := f.all[name][unit]
	if !ok && f.err == nil {
		f.err = fmt.Errorf("%s has no figure %s", name, unit)
	}
	return value
}

// start compares with the least that a start can be: dtok version draws nothing.
func (f *figures) start() {
	f.table.begin("The screens, on a terminal that answers no query")
	floor := f.of("BenchmarkStart/version", "ms/start-p50")
	for _, r := range []struct {
		what, name string
		limit      float64
	}{
		{"start to the first frame", "first-frame", 50},
		{"start to a user's tokens, SASL_SSL", "token-list-SASL_SSL", 0},
		{"start to the list of users, SASL_SSL", "user-list-SASL_SSL", 0},
	} {
		value := f.of("BenchmarkStart/"+r.name, "ms/start-p50")
		added := row{r.what, seconds(value / 1000), "dtok version", seconds(floor / 1000), value / floor, nil}
		if r.limit > 0 {
			added.target = atMost(value, r.limit, " ms")
		}
		f.table.add(added)
	}
	f.table.begin("The screens at 200x50 with everything that a large cluster has")
	one := "BenchmarkBigReading/readings=1"
	for _, r := range []struct{ what, name string }{
		{"100000 tokens read and shown", one},
		{"the same after five readings", "BenchmarkBigReading/readings=5"},
		{"10000 users, and 50000 ACL rules of one", "BenchmarkBigPage/start"},
	} {
		memory := f.of(r.name, "peak-MB")
		f.table.add(row{r.what + ": memory", fmt.Sprintf("%.0f MB", memory), "after one reading", fmt.Sprintf("%.0f MB", f.of(one, "peak-MB")),
			memory / f.of(one, "peak-MB"), atMost(memory, 120, " MB")})
		used := f.of(r.name, "cpu-s")
		limit := 1.0
		if strings.HasSuffix(r.name, "=5") {
			limit = 5
		}
		f.table.add(row{r.what + ": processor", seconds(used), "after one reading", seconds(f.of(one, "cpu-s")), used / f.of(one, "cpu-s"), atMost(used, limit, " s")})
		f.table.add(row{r.what + ": written", fmt.Sprintf("%.0f bytes", f.of(r.name, "bytes")), "after one reading",
			fmt.Sprintf("%.0f bytes", f.of(one, "bytes")), f.of(r.name, "bytes") / f.of(one, "bytes"), nil})
	}
}

// keys compares what a key costs in the longest lists.
func (f *figures) keys() {
	f.table.begin("A key at 200x50")
	for _, list := range []struct{ what, name string }{
		{"100000 tokens", "BenchmarkBigKeys/list=tokens/window=200x50/keys="},
		{"50000 ACL rules", "BenchmarkBigPage/"},
	} {
		for _, keys := range []struct {
			what, ours, theirs string
			// The limits for the time to the last byte, in ms.
			p50, p99, bytes float64
		}{
			{"cursor in view", "in-view", "in-view", 6, 15, 500},
			{"page", "pages", "pages", 6, 15, 0},
		} {
			if list.what != "100000 tokens" {
				if keys.ours != "in-view" {
					continue
				}
				keys.ours, keys.p50 = "keys", 5
			}
			ours, theirs := list.name+keys.ours, "BenchmarkPeerKeys/keys="+keys.theirs
			what := list.what + ", " + keys.what
			f.times(what+": last byte, median", ours, theirs, "ms/key-p50", keys.p50)
			f.times(what+": last byte, 99 of 100", ours, theirs, "ms/key-p99", keys.p99)
			f.times(what+": processor", ours, theirs, "cpu-ms/key", 0)
			f.bytes(what+": written", ours, theirs, keys.bytes)
		}
	}
	f.bytes("100000 tokens, j held through 500 rows: written", "BenchmarkBigKeys/list=tokens/window=200x50/keys=j-held", "BenchmarkPeerKeys/keys=j-held", 1000)
}

func (f *figures) times(what, ours, theirs, unit string, limit float64) {
	o, t := f.of(ours, unit), f.of(theirs, unit)
	r := row{what, seconds(o / 1000), peerTable, seconds(t / 1000), o / t, nil}
	if limit > 0 {
		r.target = atMost(o, limit, " ms")
	}
	f.table.add(r)
}

func (f *figures) bytes(what, ours, theirs string, limit float64) {
	o, t := f.of(ours, "bytes/key"), f.of(theirs, "bytes/key")
	r := row{what, fmt.Sprintf("%.0f bytes", o), peerTable, fmt.Sprintf("%.0f bytes", t), o / t, nil}
	if limit > 0 {
		r.target = atMost(o, limit, " bytes")
	}
	f.table.add(r)
}

func (f *figures) idle() {
	f.table.begin("20 seconds without a key")
	theirs := f.of("BenchmarkPeerIdle", "%cpu")
	for _, scenario := range []string{"standard", "big"} {
		name := "BenchmarkIdle/scenario=" + scenario
		used := f.of(name, "%cpu")
		f.table.add(row{scenario + ": processor", fmt.Sprintf("%.3f %%", used), peerTable, fmt.Sprintf("%.3f %%", theirs), used / theirs, atMost(used, 0.5, " %")})
		f.table.add(row{scenario + ": written", fmt.Sprintf("%.0f bytes", f.of(name, "bytes/20s")), peerTable,
			fmt.Sprintf("%.0f bytes", f.of("BenchmarkPeerIdle", "bytes/20s")), 0, nil})
	}
}

// growth compares 100 000 tokens with 1 000 of the same run: reading may take a
// hundred times as long, and a little more for sorting; a frame takes the same.
func (f *figures) growth() {
	f.table.begin("Inside the program, a hundred times the tokens")
	rules := f.of("BenchmarkPageKey/key_rules", "ns/op")
	key := f.of("BenchmarkKey/tokens=1000", "ns/op")
	f.table.add(row{"a key on 50000 ACL rules: Update and View", seconds(rules / 1e9), "1000 tokens", seconds(key / 1e9), rules / key, atMost(rules/1e6, 5, " ms")})
	for _, r := range []struct {
		what, name string
		limit      float64
	}{
		{"a reading: sorted, indexed and shown", "BenchmarkReading", 150},
		{"a key: Update and View", "BenchmarkKey", 2},
		{"a letter in the filter", "BenchmarkFilterKey", 150},
	} {
		many, few := f.of(r.name+"/tokens=100000", "ns/op"), f.of(r.name+"/tokens=1000", "ns/op")
		f.table.add(row{r.what, seconds(many / 1e9), "1000 tokens", seconds(few / 1e9), many / few, atMost(many/few, r.limit, " times")})
	}
}

// goBench runs benchmarks of a package. Their output is a name, a number of
// iterations, and values with their units.
func (b *bench) goBench(pkg, pattern string) (map[string]map[string]float64, error) {
	b.say("the benchmarks of %s", pkg)
	out, err := exec.CommandContext(b.ctx, "go", "test", "-count=1", "-timeout=30m", "-run=^$", "-bench="+pattern, pkg).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("the benchmarks of %s: %w\n%s", pkg, err, out)
	}
	return parseBench(string(out)), nil
}

// parseBench reads what go test -bench prints.
func parseBench(out string) map[string]map[string]float64 {
	all := map[string]map[string]float64{}
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		name := words[0]
		if i := strings.LastIndexByte(name, '-'); i > 0 { // the number of processors
			if _, err := strconv.Atoi(name[i+1:]); err == nil {
				name = name[:i]
			}
		}
		values := map[string]float64{}
		for i := 2; i+1 < len(words); i += 2 {
			if v, err := strconv.ParseFloat(words[i], 64); err == nil {
				values[words[i+1]] = v
			}
		}
		all[name] = values
	}
	return all
}
