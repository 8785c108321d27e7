package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// event is a line of go test -json (go doc test2json).
type event struct {
	Action, Test, Output string
}

// results are the outcomes of one run: pass, fail or skip by the name of the
// test, and what each has said.
type results struct {
	outcome map[string]string
	said    map[string]string
	// broken is set when the run as a whole failed, for whatever reason.
	broken bool
}

// read collects the outcomes. Lines that are no events, and output that belongs
// to no test, go to out.
func read(in io.Reader, out io.Writer) (*results, error) {
	r := &results{outcome: map[string]string{}, said: map[string]string{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if len(line) > 0 {
			switch bad := json.Unmarshal(line, &e); {
			case bad != nil:
				out.Write(line)
			case e.Action == "build-output", e.Action == "output" && e.Test == "" && !routine(e.Output):
				io.WriteString(out, e.Output)
			case e.Test == "":
			case e.Action == "output":
				r.said[e.Test] += e.Output
			case e.Action == "pass", e.Action == "fail", e.Action == "skip":
				r.outcome[e.Test] = e.Action
			}
		}
		if err == io.EOF {
			return r, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// routine is what go test prints around every run.
func routine(output string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(output), "\t")
	return word == "PASS" || word == "FAIL" || strings.TrimSpace(word) == "ok"
}

// leaves are the tests with this outcome that are no frame of others, sorted. A
// frame that failed while nothing in it did has failed itself.
func (r *results) leaves(outcome string) []string {
	var names []string
	for name, got := range r.outcome {
		if got == outcome && !r.explains(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// explains reports whether tests within name account for its outcome.
func (r *results) explains(name string) bool {
	within := false
	for other, got := range r.outcome {
		if strings.HasPrefix(other, name+"/") {
			if r.outcome[name] != "fail" || got == "fail" {
				return true
			}
			within = true
		}
	}
	return within && r.outcome[name] != "fail"
}

func (r *results) good() bool {
	return !r.broken && len(r.leaves("fail")) == 0 && len(r.leaves("pass")) > 0
}

// report prints what failed, with all it said, and what was not run, with the
// reason.
func (r *results) report(out io.Writer) {
	for _, name := range r.leaves("fail") {
		fmt.Fprintf(out, "--- FAIL %s\n%s", name, r.said[name])
	}
	for _, name := range r.leaves("skip") {
		fmt.Fprintf(out, "--- not run: %s\n", name)
		for line := range strings.Lines(r.said[name]) {
			if _, why, ok := strings.Cut(line, "_test.go:"); ok {
				_, why, _ = strings.Cut(why, ": ")
				fmt.Fprintf(out, "    %s\n", strings.TrimSpace(why))
			}
		}
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d not run\n", len(r.leaves("pass")), len(r.leaves("fail")), len(r.leaves("skip")))
}
