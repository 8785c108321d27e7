package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// dialog is a question over the lists. It changes only itself; the model reads
// what was entered when handle says that a button was pressed.
type dialog interface {
	handle(msg tea.KeyMsg, now time.Time) formResult
	// lines draws the dialog for a body of the given size.
	lines(m *Model, width int) []string
	// name is the dialog's place in the breadcrumbs.
	name() string
	// setProblem shows why what was asked failed.
	setProblem(string)
	// wipe overwrites secrets that were entered.
	wipe()
	// openedBy tells of the key that opened it, which may be the first of a paste.
	openedBy(msg tea.KeyMsg, now time.Time)
	// chooses reports whether left and right change the field that has the keys.
	chooses() bool
	// pasting reports whether a key that comes now may be part of a paste.
	pasting(now time.Time) bool
}

// These are the same for every dialog that is a form, and so is wipe.
func (f *form) setProblem(text string) {
	f.problem = text
	for i, in := range f.fields {
		if in.kind == secretField && in.secret.empty() {
			f.focus = i // it was taken with the attempt, and the next one needs it again
			return
		}
	}
}

func (f *form) openedBy(msg tea.KeyMsg, now time.Time) { f.guard.see(msg, now) }
func (f *form) pasting(now time.Time) bool             { return f.guard.refuses(now) }
func (f *form) chooses() bool {
	in := f.focused()
	return in != nil && in.kind == choiceField
}

// factLines draws pairs of a name and a value.
func factLines(th theme, width int, facts ...[2]string) []string {
	labels := 0
	for _, f := range facts {
		labels = max(labels, len([]rune(f[0])))
	}
	var lines []string
	for _, f := range facts {
		rest := wrap(f[1], max(width-labels-2, 10))
		for i, text := range rest {
			label := ""
			if i == 0 {
				label = f[0]
			}
			pad := labels - len([]rune(label)) + 2
			lines = append(lines, th.muted.Render(label)+spaces(pad)+text)
		}
	}
	return lines
}

// mutedLines wraps text that is said beside.
func mutedLines(th theme, width int, text string) []string {
	var lines []string
	for _, l := range wrap(text, width) {
		lines = append(lines, th.muted.Render(l))
	}
	return lines
}

// dangerLines wraps what must not be overlooked.
func dangerLines(th theme, width int, text string) []string {
	var lines []string
	for _, l := range wrap(th.sign.danger+text, width) {
		lines = append(lines, " "+th.danger.Render(l))
	}
	return lines
}

// warnLines wraps a warning; its sign stands for the colour.
func warnLines(th theme, width int, text string) []string {
	var lines []string
	for _, l := range wrap(th.sign.warn+text, width) {
		lines = append(lines, th.warn.Render(l))
	}
	return lines
}
