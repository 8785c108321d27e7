package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dtok/kafka/contract/apache"

	"github.com/google/go-cmp/cmp"
)

const events = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"pass","Package":"p","Test":"TestA/one/x"}
{"Action":"output","Package":"p","Test":"TestA/one/y","Output":"    y_test.go:7: it is 3, want 4\n"}
{"Action":"fail","Package":"p","Test":"TestA/one/y"}
{"Action":"fail","Package":"p","Test":"TestA/one"}
{"Action":"output","Package":"p","Test":"TestA/two","Output":"    y_test.go:9: no node\n"}
{"Action":"fail","Package":"p","Test":"TestA/two"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    z_test.go:30: it takes a minute: later\n"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p","Test":"TestC/x"}
{"Action":"fail","Package":"p","Test":"TestC"}
{"Action":"pass","Package":"p","Test":"TestD"}
{"Action":"output","Package":"p","Output":"FAIL\n"}
{"Action":"output","Package":"p","Output":"panic: no\n"}
not an event
{"Action":"fail","Package":"p"}
`

func TestResults(t *testing.T) {
	var rest, said strings.Builder
	r, err := read(strings.NewReader(events), &rest)
	if err != nil {
		t.Fatal(err)
	}
	for outcome, want := range map[string][]string{
		"pass": {"TestA/one/x", "TestC/x", "TestD"},
		"fail": {"TestA/one/y", "TestA/two", "TestC"}, // TestC fails by itself
		"skip": {"TestB"},
	} {
		if d := cmp.Diff(want, r.leaves(outcome)); d != "" {
			t.Errorf("%s: %s", outcome, d)
		}
	}
	if rest.String() != "panic: no\nnot an event\n" {
		t.Errorf("besides: %q", rest.String())
	}
	r.report(&said)
	for _, want := range []string{"it is 3, want 4", "--- not run: TestB\n    it takes a minute: later\n", "3 passed, 3 failed, 1 not run"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not in the report:\n%s", want, said.String())
		}
	}
	if r.good() {
		t.Error("a run with failures is called good")
	}
	if (&results{outcome: map[string]string{}}).good() {
		t.Error("a run without a test is called good")
	}
	if good := (&results{outcome: map[string]string{"TestA": "pass"}}); !good.good() {
		t.Error("a good run is not called good")
	}
}

func TestTable(t *testing.T) {
	r := &results{outcome: map[string]string{"TestA": "pass", "TestB": "skip"}}
	var rows []row
	for _, name := range []string{"4.4.0", "1.1.1-zk", "1.0.2-zk"} {
		release, err := apache.FindRelease(name)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row{release, r})
	}
	rows[2].results = &results{outcome: map[string]string{}, broken: true}
	got := table(rows)
	for _, want := range []string{
		"\n| 4.4.0 | KRaft | v1 to v3 | 1 | 0 | 1 |\n",
		"\n| 1.1.1 | ZooKeeper | v0 | 1 | 0 | 1 |\n",
		"\n| 1.0.2 | ZooKeeper | none | 0 | the run | 0 |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestReadme(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("before\n" + readmeBegin + "old\n" + readmeEnd + "\nafter\n")
	for range 2 { // the second time nothing changes
		if err := writeReadme(path, "new\n"); err != nil {
			t.Fatal(err)
		}
		if text, _ := os.ReadFile(path); string(text) != "before\n"+readmeBegin+"new\n"+readmeEnd+"\nafter\n" {
			t.Errorf("%s", text)
		}
	}
	write("no place")
	if err := writeReadme(path, "new\n"); err == nil || !strings.Contains(err.Error(), "has no place") {
		t.Errorf("%v", err)
	}
}

// TestReadmeHasThePlace: make test-kafka-all UPDATE=1 must find its lines.
func TestReadmeHasThePlace(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), readmeBegin)
	if _, _, ok := strings.Cut(rest, readmeEnd); !ok {
		t.Error("README.md has no place for the table")
	}
}
