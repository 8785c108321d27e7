package ui

import (
	"errors"
	"time"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// statusKind says how a status is marked: by a word first, by colour besides.
type statusKind int

const (
	statusNone statusKind = iota
	statusInfo
	statusDone
	statusWarn
	statusError
)

// status is the sentence above the footer.
type status struct {
	kind statusKind
	text string
	tag  int
	// number counts the messages.
	number int
}

// lasting is how long a good result stays. Errors stay until the next action.
const lasting = 8 * time.Second

// setStatus replaces the status line; the command takes a good result off
// again.
func (m *Model) setStatus(kind statusKind, text string) tea.Cmd {
	m.status = status{kind: kind, text: text, tag: m.status.tag + 1, number: m.status.number + 1}
	if m.opts.Accessible {
		return nil // one reads it when one can
	}
	if kind == statusInfo || kind == statusDone {
		return m.opts.After(lasting, statusDueMsg{tag: m.status.tag})
	}
	return nil
}

func (m *Model) clearStatus() { m.status = status{tag: m.status.tag + 1, number: m.status.number} }

// setError shows an error as a sentence, with what to do where the error knows.
func (m *Model) setError(err error) tea.Cmd {
	return m.setStatus(statusError, sentence(err))
}

// hinter is an error that knows what to do next.
type hinter interface{ Hint() string }

// sentence is the text of an error for people: what failed, and what to do.
func sentence(err error) string {
	text := safeText(err.Error())
	var h hinter
	if errors.As(err, &h) && h.Hint() != "" {
		if last := text[len(text)-1]; last != '.' && last != '?' && last != '!' {
			text += "."
		}
		// Hints begin small where they can follow a word of their own.
		hint := []rune(safeText(h.Hint()))
		hint[0] = unicode.ToUpper(hint[0])
		text += " " + string(hint)
	}
	return text
}
