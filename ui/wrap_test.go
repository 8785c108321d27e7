package ui

import (
	"slices"
	"testing"
)

func TestWrapLast(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"ok       TCP               1.0 ms  one two three", 80, []string{"ok       TCP               1.0 ms  one two three"}},
		{"ok       TCP               1.0 ms  one two three four five six", 56, []string{
			"ok       TCP               1.0 ms  one two three four", "                                   five six"}},
		{"skipped  look up                   a: b", 80, []string{"skipped  look up                   a: b"}},
		{"        a hint that is long", 28, []string{"        a hint that is long"}},
		{"        a hint that is long", 30, []string{"        a hint that is long"}},
		{"ok       TCP               1.0 ms  one two three", 30, []string{"ok TCP 1.0 ms one two three"}},
		{"plain text", 80, []string{"plain text"}},
		{"", 80, []string{""}},
	} {
		if got := wrapLast(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d: %q", c.text, c.width, got)
		}
	}
}
