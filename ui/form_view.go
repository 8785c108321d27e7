package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// view draws the form in lines of at most width cells.
func (f *form) view(th theme, width int) []string {
	labels := 0
	for _, in := range f.fields {
		labels = max(labels, ansi.StringWidth(in.label))
	}
	var lines []string
	for i, in := range f.fields {
		lines = append(lines, f.fieldLines(th, in, i == f.focus, labels, width)...)
	}
	lines = append(append(lines, ""), f.buttonLines(th)...)
	if f.problem != "" {
		lines = append(lines, "")
		for _, l := range wrap("error: "+f.problem, width) {
			lines = append(lines, th.danger.Render(l))
		}
	}
	return lines
}

func (f *form) fieldLines(th theme, in *field, focused bool, labels, width int) []string {
	marker := "  "
	if focused {
		marker = th.sign.focus
	}
	room := max(width-labels-4, 8)
	label := in.label + strings.Repeat(" ", labels-ansi.StringWidth(in.label))
	if focused {
		label = th.title.Render(label)
	}
	lines := []string{marker + label + "  " + in.shown(th, focused, room)}
	indent := strings.Repeat(" ", labels+4)
	switch {
	case in.problem != "":
		for _, l := range wrap(th.sign.warn+in.problem, room) {
			lines = append(lines, indent+th.danger.Render(l))
		}
	case in.hint != "":
		for _, l := range wrap(in.hint, room) {
			lines = append(lines, indent+th.muted.Render(l))
		}
	}
	return lines
}

// shown is a field's content; the cursor is an underscore or stands before a
// character as a bar, so that it shows without colour.
func (f *field) shown(th theme, focused bool, width int) string {
	if f.kind == secretField {
		if focused {
			return fit("["+f.secret.note()+"]"+th.sign.caretEnd, width)
		}
		return fit("["+f.secret.note()+"]", width)
	}
	if f.kind == passwordField {
		if focused {
			return fit("["+f.password.note()+"]"+th.sign.caretEnd, width)
		}
		return fit("["+f.password.note()+"]", width)
	}
	if f.kind == choiceField {
		return fit(f.choice(th, focused), width)
	}
	items := strings.Join(f.items, ", ")
	text := safeText(f.input.value())
	if items != "" && (focused || text != "") {
		items += ", "
	}
	items = safeText(items)
	if !focused {
		return fit(items+text, width)
	}
	before, after := f.input.parts()
	cursor, room := th.sign.caretBefore(after), width
	if after != "" {
		room = width - 2 // the character at the cursor, too
	}
	// What is typed stays in view: the beginning gives way to it.
	before = items + safeText(before) + cursor
	if w := ansi.StringWidth(before); w > room {
		before = ansi.TruncateLeft(before, w-room+1, "…")
	}
	text = before + safeText(after)
	return fit(text, width)
}

// buttonLines are the buttons in one line, or one in each to be read.
func (f *form) buttonLines(th theme) []string {
	parts := make([]string, len(f.buttons))
	for i, b := range f.buttons {
		text := th.sign.button[0] + b + th.sign.button[1]
		if f.focus == len(f.fields)+i {
			parts[i] = th.sign.focus + th.selected.Render(text)
			continue
		}
		parts[i] = "  " + text
	}
	if th.sign.spoken {
		return parts
	}
	return []string{strings.Join(parts, "  ")}
}
