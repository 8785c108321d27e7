package ui

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// withColours turns the sixteen colours on where termenv knows the terminal
// only by the name with 256color in it: tmux and screen call themselves
// "screen" unless they are told otherwise.
func withColours(r *lipgloss.Renderer, getenv func(string) string) *lipgloss.Renderer {
	off := getenv("NO_COLOR") != "" || getenv("CLICOLOR") == "0"
	if r.ColorProfile() == termenv.Ascii && !off && hasColours(getenv("TERM")) {
		r.SetColorProfile(termenv.ANSI)
	}
	return r
}

// hasColours reports whether terminals of this name and its variants, such as
// screen.xterm, draw the sixteen colours.
func hasColours(name string) bool {
	for _, known := range []string{"screen", "tmux", "xterm", "rxvt", "putty", "st", "foot", "konsole", "gnome", "vte", "cygwin"} {
		rest, ok := strings.CutPrefix(name, known)
		// "-m" and "-mono" are the same terminals without colours.
		if ok && (rest == "" || strings.ContainsAny(rest[:1], "-.")) && rest != "-m" && rest != "-mono" {
			return true
		}
	}
	return false
}
