package main

import "testing"

func TestAskedAccessible(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "false": false, "1": true, "true": true, "yes": true, "please": true} {
		got := askedAccessible(func(name string) string {
			if name != "ACCESSIBLE" {
				t.Errorf("asked for %s", name)
			}
			return value
		})
		if got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
}
