package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"dtok/kafka/contract/apache"
)

// row is what came of one release.
type row struct {
	release apache.Release
	results *results
}

// createToken is the key of CreateDelegationToken.
const createToken = 38

// table is the result as Markdown.
func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| Apache Kafka | Metadata in | Token requests | Cases passed | Failed | Not run |\n|---|---|---|---|---|---|\n")
	for _, r := range rows {
		metadata, tokens := "KRaft", "none"
		if r.release.ZooKeeper() {
			metadata = "ZooKeeper"
		}
		if offered, ok := r.release.APIs[createToken]; ok {
			tokens = fmt.Sprintf("v%d to v%d", offered.Min, offered.Max)
			if offered.Min == offered.Max {
				tokens = fmt.Sprintf("v%d", offered.Min)
			}
		}
		failed := fmt.Sprint(len(r.results.leaves("fail")))
		if r.results.broken && failed == "0" {
			failed = "the run"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %d |\n", r.release.Version(), metadata, tokens,
			len(r.results.leaves("pass")), failed, len(r.results.leaves("skip")))
	}
	return b.String()
}

// The lines of README.md around the table.
const (
	readmeBegin = "<!-- kafka: made by make test-kafka-all UPDATE=1 -->\n"
	readmeEnd   = "<!-- kafka end -->"
)

// writeReadme replaces what stands between the two lines.
func writeReadme(path, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), readmeBegin)
	_, after, ends := strings.Cut(rest, readmeEnd)
	if !ok || !ends {
		return errors.New(path + " has no place for the table: the lines " + strings.TrimSpace(readmeBegin) + " and " + readmeEnd)
	}
	return os.WriteFile(path, []byte(before+readmeBegin+table+readmeEnd+after), 0o644)
}
