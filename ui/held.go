package ui

import (
	"context"
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// held is what a clipboard may still hold of an HMAC. It has fingerprints and no
// secret, so it may outlive the card.
type held struct {
	what   string // "the HMAC of token …"
	traces []Trace
	// after is when it is cleared without being asked, counted from the last
	// copy; 0 for never.
	after    time.Duration
	tag      int // of the time that runs
	clearing bool
}

// hold notes a copy of an HMAC and begins the time after which it is cleared.
func (m *Model) hold(tokenID string, t Trace) tea.Cmd {
	h := held{what: "the HMAC of token " + safeText(tokenID), traces: []Trace{t}, after: m.envs.current().ClipboardClear, tag: m.lastReq + 1}
	m.lastReq++
	if m.held != nil {
		// tmux keeps the buffer of every copy.
		h.traces = append(m.held.traces, t)
		if h.what != m.held.what {
			h.what = "HMACs of more than one token"
		}
		h.clearing = m.held.clearing
	}
	m.held = &h
	if h.after == 0 {
		return nil
	}
	return m.opts.After(h.after, clipboardDueMsg{tag: h.tag})
}

// clearClipboard takes a copied HMAC off the clipboard.
func (m *Model) clearClipboard(asked bool) tea.Cmd {
	h := m.held
	switch {
	case h == nil:
		return m.setStatus(statusInfo, "dtok has put no HMAC on the clipboard, or has taken it off")
	case h.clearing:
		return nil
	}
	h.clearing = true
	traces, tag, opts := append([]Trace(nil), h.traces...), h.tag, m.opts
	return guarded(func() tea.Msg {
		if opts.Clear == nil {
			return clearedMsg{tag: tag, err: errors.New("no clipboard here")}
		}
		cleared, err := opts.Clear(opts.Context, traces, asked)
		return clearedMsg{tag: tag, cleared: cleared, err: err}
	}, func(err error) tea.Msg { return clearedMsg{tag: tag, err: err} })
}

// cleared tells what became of it. What was copied meanwhile is still held.
func (m *Model) cleared(msg clearedMsg) tea.Cmd {
	if m.held == nil {
		return nil
	}
	m.held.clearing = false
	switch {
	case msg.err != nil:
		return m.setStatus(statusError, "the clipboard was not cleared: "+safeText(msg.err.Error()))
	case msg.cleared.Left:
		return m.setStatus(statusWarn, "clipboard: "+safeText(msg.cleared.Note))
	}
	if m.held.tag == msg.tag {
		m.held = nil
	}
	return m.setStatus(statusDone, "clipboard: "+safeText(msg.cleared.Note))
}

// clearingText says, after a copy, how it is taken off again.
func (m *Model) clearingText(t *Trace) string {
	after := m.envs.current().ClipboardClear
	switch {
	case t == nil:
		return ""
	case after == 0 && t.unseen():
		return "; Y overwrites it"
	case after == 0:
		return "; Y clears it"
	case t.unseen() && !t.tmux:
		return "; Y overwrites it, and nothing else does: dtok cannot look what a terminal's clipboard holds"
	case t.unseen():
		return "; Y clears it, and the tmux buffer is deleted in " + hoursText(after)
	}
	return "; Y clears it, and so does dtok in " + hoursText(after)
}

// keepingText is what the card says beforehand.
func (m *Model) keepingText() string {
	if after := m.envs.current().ClipboardClear; after > 0 {
		return "A copy is cleared from the clipboard after " + hoursText(after) + ", or when dtok ends, where dtok can see that it is still there; Y does it at once."
	}
	return "A copy stays on the clipboard until Y clears it."
}

// LeaveClipboard is for the end of the program. It clears the clipboard where a
// time was set, because later nobody would, and says what is, or may be, left on
// it; "" when there is nothing to say.
func (m *Model) LeaveClipboard(ctx context.Context) string {
	h := m.held
	switch {
	case h == nil:
		return ""
	case h.after == 0 || m.opts.Clear == nil:
		return "the clipboard may still hold " + h.what
	}
	cleared, err := m.opts.Clear(ctx, h.traces, false)
	switch {
	case err != nil:
		return "the clipboard was not cleared and may still hold " + h.what + ": " + err.Error()
	case cleared.Left:
		return "the terminal's clipboard may still hold " + h.what
	}
	return h.what + " on the clipboard: " + cleared.Note
}
