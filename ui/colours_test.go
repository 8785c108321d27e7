package ui

import (
	"io"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func TestColoursByTerminal(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want termenv.Profile
	}{
		{map[string]string{"TERM": "screen"}, termenv.ANSI},
		{map[string]string{"TERM": "screen.xterm"}, termenv.ANSI},
		{map[string]string{"TERM": "tmux"}, termenv.ANSI},
		{map[string]string{"TERM": "rxvt-unicode"}, termenv.ANSI},
		{map[string]string{"TERM": "screen", "NO_COLOR": "1"}, termenv.Ascii},
		{map[string]string{"TERM": "screen", "NO_COLOR": ""}, termenv.ANSI},
		{map[string]string{"TERM": "screen", "CLICOLOR": "0"}, termenv.Ascii},
		{map[string]string{"TERM": "dumb"}, termenv.Ascii},
		{map[string]string{"TERM": "vt100"}, termenv.Ascii},
		{map[string]string{"TERM": "xterm-mono"}, termenv.Ascii},
		{map[string]string{"TERM": "rxvt-m"}, termenv.Ascii},
		{map[string]string{"TERM": "stone"}, termenv.Ascii},
		{map[string]string{"TERM": "foo"}, termenv.Ascii},
		{map[string]string{}, termenv.Ascii},
	} {
		r := lipgloss.NewRenderer(io.Discard)
		r.SetColorProfile(termenv.Ascii)
		got := withColours(r, func(name string) string { return c.env[name] }).ColorProfile()
		if got != c.want {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
}
