package ui

import "github.com/charmbracelet/lipgloss"

// theme holds the styles of all views. Only ANSI colours 0 to 15 are used:
// they follow the terminal's own palette on light and dark grounds, and nobody
// has to ask the terminal for its background.
type theme struct {
	title    lipgloss.Style // names of screens and dialogs
	muted    lipgloss.Style // what is only said beside
	ok       lipgloss.Style
	warn     lipgloss.Style
	danger   lipgloss.Style
	selected lipgloss.Style
	key      lipgloss.Style // keys in the footer
	env      lipgloss.Style // the environment's own colour
	sign     signs
}

func newTheme(r *lipgloss.Renderer, colour string, sign signs) theme {
	ansi := func(c string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(c)) }
	t := theme{
		title:    r.NewStyle().Bold(true),
		muted:    r.NewStyle().Faint(true), // colour 8 is the ground of some palettes
		ok:       ansi("2"),
		warn:     ansi("3"),
		danger:   ansi("1").Bold(true),
		selected: r.NewStyle().Reverse(true),
		key:      ansi("6"),
		env:      r.NewStyle().Bold(true),
		sign:     sign,
	}
	if colour != "" {
		t.env = t.env.Foreground(lipgloss.Color(colour))
	}
	return t
}
