package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dtok/audit"
)

// trails are the audit trails of the environments, one for each file.
type trails struct {
	make   func(path string) *audit.Trail
	byPath map[string]*audit.Trail
}

// at is the trail in a file, "" for the default one.
func (t *trails) at(path string) *audit.Trail {
	if t.byPath[path] == nil {
		if t.byPath == nil {
			t.byPath = map[string]*audit.Trail{}
		}
		t.byPath[path] = t.make(path)
	}
	return t.byPath[path]
}

// trouble is what could not be written so far; "" when all is well.
func (t *trails) trouble() string {
	var all []string
	for _, trail := range t.byPath {
		if text := trail.Trouble(); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ")
}

// late tells of each change that outlived the screens how it ended.
func (t *trails) late() []string {
	var all []string
	for _, trail := range t.byPath {
		for _, r := range trail.Late() {
			what := string(r.Kind)
			if r.Token.ID != "" {
				what += " " + r.Token.ID
			}
			all = append(all, fmt.Sprintf("%s was under way when dtok was told to end; its outcome: %s (dtok audit has the record)", what, r.Outcome))
		}
	}
	return all
}

// close waits for running changes and writes what is still owed.
func (t *trails) close(ctx context.Context) error {
	var all []error
	for _, trail := range t.byPath {
		all = append(all, trail.Close(ctx))
	}
	return errors.Join(all...)
}
