package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// option is one of the values of a choice field.
type option struct {
	label string
	// odd marks a value that can be chosen and means nothing here.
	odd bool
}

// newChoiceField offers options; left and right, or a letter, choose.
func newChoiceField(label string, options []option) *field {
	return &field{label: label, kind: choiceField, options: options}
}

// choose moves to the next option, the one before, or the next one that begins
// with a letter.
func (f *field) choose(msg tea.KeyMsg) {
	n := len(f.options)
	if n == 0 {
		return
	}
	switch keyName(msg) {
	case "right", " ":
		f.chosen = (f.chosen + 1) % n
	case "left":
		f.chosen = (f.chosen + n - 1) % n
	default:
		if msg.Type != tea.KeyRunes || len(msg.Runes) != 1 {
			return
		}
		for i := 1; i <= n; i++ {
			at := (f.chosen + i) % n
			if label := f.options[at].label; label != "" && lower(label[0]) == lower(byte(msg.Runes[0]&0x7f)) {
				f.chosen = at
				return
			}
		}
	}
}

// setOptions replaces the options and keeps the choice where it is still one.
func (f *field) setOptions(options []option) {
	label := ""
	if f.chosen < len(f.options) {
		label = f.options[f.chosen].label
	}
	f.options, f.chosen = options, 0
	for i, o := range options {
		if o.label == label {
			f.chosen = i
		}
	}
}

// choice draws a choice field.
func (f *field) choice(th theme, focused bool) string {
	o := f.options[f.chosen]
	text := o.label
	if o.odd {
		text += " (means nothing here)"
	}
	if focused {
		if th.sign.spoken {
			text += fmt.Sprintf(", %d of %d", f.chosen+1, len(f.options))
		}
		return th.sign.choice[0] + text + th.sign.choice[1]
	}
	return text
}
