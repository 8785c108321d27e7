package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// A config file with marked passwords at every place that can have one, broken
// in many ways: cut at each byte, a line moved or doubled, the password written
// so that YAML takes it for something else. Whatever comes of it, the message
// shows no piece of a password.
func TestNoConfigErrorHoldsAPassword(t *testing.T) {
	const base = `default: one
environments:
  - name: one
    bootstrap: a:1
    user: alice
    password: P
    read_only: why
    settings:
      security.protocol: SASL_SSL
      sasl.mechanism: PLAIN
      ssl.key.password: P
      ssl.truststore.password: P
      sasl.jaas.config: >-
        org.apache.kafka.common.security.plain.PlainLoginModule required
        username="a" password="P";
    timeouts: {read: 10s}
`
	var files []string
	for _, password := range []string{markA, markB, "'" + markA + "'", "'" + markA, "\"" + markA + "\\q\"", "*" + markA, "&" + markA + " " + markB, "!" + markA + " x",
		"@" + markA, "%" + markA, "`" + markA, "{" + markA, "[" + markA, "[" + markA + ", " + markB + "]", "{" + markA + ": " + markB + "}", markA + ": " + markB,
		markA + "\n" + markB + ": x", "|\n" + markA, ">" + markA, "- " + markA, "? " + markA, "\t" + markA, markA + "\x00", markA + "\xff", markA + " # " + markB,
		"12" + markA, "\n      " + markA + ": x\n      " + markA + ": x", "\n    " + markA + ": x", "\n  " + markA + "\n", "\n" + markA + "\n", markedPassword} {
		text := strings.ReplaceAll(base, "P\n", password+"\n")
		files = append(files, text)
		lines := strings.SplitAfter(text, "\n")
		for i := range lines {
			with := func(line string) string {
				changed := append([]string(nil), lines...)
				changed[i] = line
				return strings.Join(changed, "")
			}
			files = append(files, with(lines[i]+lines[i]), with("\t"+lines[i]), with(" "+lines[i]), with(strings.TrimPrefix(lines[i], "  ")), with("x"+lines[i]), with(strings.TrimLeft(lines[i], " ")))
		}
	}
	marked := strings.ReplaceAll(base, "P\n", markA+"\n")
	for i := range marked {
		files = append(files, marked[:i], marked[:i]+":"+marked[i:], marked[:i]+"'"+marked[i:])
	}
	failed := 0
	path := writeConfig(t, "")
	for _, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Load(path)
		var texts []string
		if err == nil {
			texts = append(texts, f.Notes...)
			for _, e := range f.Environments {
				c, connectErr := e.Connection(context.Background())
				if err = connectErr; err == nil {
					texts = append(texts, append(c.Notes, c.Prompt)...)
				}
			}
		}
		if err != nil {
			failed++
			texts = append(texts, err.Error(), fmt.Sprintf("%+v %#v", err, err))
			for e := errors.Unwrap(err); e != nil; e = errors.Unwrap(e) {
				texts = append(texts, e.Error())
			}
		}
		for _, shown := range texts {
			assertNoMark(t, "message", shown)
		}
	}
	if failed < len(files)/2 {
		t.Errorf("only %d of %d files failed, so this test tests little", failed, len(files))
	}
}
