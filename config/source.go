package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
)

// The keys of an environment that say how to sign in, among the settings.
const (
	ownUser     = "user"
	ownPassword = "password"
)

// source is where a password comes from; at most one of its fields is used.
type source struct {
	key     string // the key that was given, "" when none was
	line    int
	inline  *Secret
	file    string
	command []string
	prompt  bool
}

// fields are the four keys with a prefix of an environment, or the two that a
// single setting may have.
func (s *source) fields(y yamlFile, prefix string) fields {
	only := func(key string, read func(ast.Node) error) func(ast.Node) error {
		return func(n ast.Node) error {
			if s.key != "" {
				return y.fail(lineOf(n), "%s stands beside %s: keep one", key, s.key)
			}
			s.key, s.line = key, lineOf(n)
			return read(n)
		}
	}
	if prefix == "" {
		return fields{
			"file":    only("file", y.location("file", &s.file)),
			"command": only("command", y.words("command", &s.command)),
		}
	}
	file, command, prompt := prefix+"_file", prefix+"_command", prefix+"_prompt"
	return fields{
		prefix: only(prefix, func(n ast.Node) error {
			var text string
			if err := y.word(prefix, &text)(n); err != nil {
				return err
			}
			// A block (|) ends with a line end that nobody means.
			s.inline = newSecret([]byte(strings.TrimSuffix(text, "\n")))
			return nil
		}),
		file:    only(file, y.location(file, &s.file)),
		command: only(command, y.words(command, &s.command)),
		prompt: only(prompt, func(n ast.Node) error {
			if err := y.flag(prompt, &s.prompt)(n); err != nil {
				return err
			}
			if !s.prompt {
				s.key = ""
			}
			return nil
		}),
	}
}

// get returns the password of a file or a command; the caller wipes it.
func (s *source) get(ctx context.Context, e *Environment) ([]byte, error) {
	if s.inline != nil {
		var out []byte
		s.inline.Use(func(b []byte) { out = bytes.Clone(b) })
		return out, nil
	}
	var out []byte
	var err error
	what := "the file"
	if s.file != "" {
		out, err = readInTime(ctx, s.file, e.asking)
	} else {
		what = "the command"
		run := CommandRun{Setting: s.key}
		out, err = runForPassword(ctx, s.command, e.asking, &run)
		if e.Ran != nil {
			e.Ran(run)
		}
	}
	if err == nil {
		out, err = onePassword(out, what)
	}
	if err != nil {
		clear(out)
		return nil, e.file.because(s.line, err, s.key)
	}
	return out, nil
}

// readInTime reads a file that may never answer: a pipe that nobody writes to, a
// file system that is gone. Nothing can end such a read, so it is left behind,
// and what it still gives is wiped.
func readInTime(ctx context.Context, path string, limit time.Duration) ([]byte, error) {
	if limit == 0 {
		limit = askingTime
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type answer struct {
		data []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		data, _, err := readFile(path)
		answers <- answer{data, err}
	}()
	select {
	case a := <-answers:
		return a.data, a.err
	case <-ctx.Done():
		go func() { clear((<-answers).data) }()
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, problem(fmt.Sprintf("the file could not be read within %v", limit))
	}
	return nil, problem("reading the file was cancelled")
}

// onePassword takes one line end off, as editors and commands put it there.
// Blanks are part of a password.
func onePassword(out []byte, what string) ([]byte, error) {
	if cut, ok := bytes.CutSuffix(out, []byte("\n")); ok {
		out, _ = bytes.CutSuffix(cut, []byte("\r"))
	}
	switch {
	case len(out) == 0:
		return out, problem(what + " gives no password")
	case bytes.ContainsAny(out, "\r\n"):
		return out, problem(what + " gives more than one line, where there must be the password alone")
	case bytes.HasPrefix(out, []byte("\ufeff")):
		return out, problem(what + " gives a byte order mark before the password: save it as UTF-8 without BOM")
	case !utf8.Valid(out):
		return out, problem(what + " gives no text in UTF-8")
	}
	return out, nil
}

// problem is an error that is known to hold nothing of a secret.
type problem string

func (p problem) Error() string { return string(p) }
