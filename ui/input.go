package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// handleKey gives a key to whatever has the screen: what runs, a dialog, the
// card, a text over the lists, the filter line, the lists. Keys are never
// logged: a pasted HMAC is one of them.
func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch m.keys.lookup(msg, everywhere) {
	case actAbort:
		return m.abort()
	case actSuspend:
		if m.dialog != nil {
			m.dialog.wipe()
		}
		m.opts.Log.Info("suspended")
		return tea.Suspend
	}
	switch {
	case m.running != nil:
		if m.keys.lookup(msg, onLists) == actBack {
			m.giveUp()
		}
		return nil
	case m.dialog != nil:
		return m.dialogKey(msg)
	case m.over != nil:
		return m.overKey(msg)
	case m.filter.active:
		return m.filterKey(msg)
	}
	if m.strayPaste(msg) {
		return m.setStatus(statusWarn, "pasted text was ignored: there is no field open for it")
	}
	if m.card != nil {
		return m.cardKey(m.keys.lookup(msg, onCard))
	}
	times := 1
	if msg.Type == tea.KeyRunes && len(msg.Runes) > 1 {
		times, msg.Runes = len(msg.Runes), msg.Runes[:1]
	}
	cmd := m.act(m.keys.lookup(msg, m.where()), times)
	if m.dialog != nil {
		m.dialog.openedBy(msg, m.now)
	}
	return cmd
}

// strayPaste recognises text that was pasted where no field is open: keys of a
// paste are no commands. A paste that is not bracketed arrives as several
// characters in one read, and its rest may follow in further reads; several
// times the same one is a key that was held down.
func (m *Model) strayPaste(msg tea.KeyMsg) bool {
	held := true
	for _, r := range msg.Runes {
		held = held && r == msg.Runes[0]
	}
	pasted := msg.Paste || msg.Type == tea.KeyRunes && !held
	follows := !m.lastStray.IsZero() && m.now.Sub(m.lastStray) < pasteQuiet &&
		(msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace || msg.Type == tea.KeyEnter || msg.Type == tea.KeyTab)
	if !pasted && !follows {
		return false
	}
	m.lastStray = m.now
	if msg.Type == tea.KeyRunes {
		clear(msg.Runes)
	}
	return true
}

// abort is ctrl+c. A change that was sent gets one warning.
func (m *Model) abort() tea.Cmd {
	if m.running != nil && m.running.risky() && !m.running.warned {
		m.running.warned = true
		return nil
	}
	if m.running != nil {
		m.running.cancel()
	}
	return m.quit()
}

func (m *Model) quit() tea.Cmd {
	m.wipe()
	m.dialog = nil
	return tea.Quit
}

// dialogKey drives the open dialog.
func (m *Model) dialogKey(msg tea.KeyMsg) tea.Cmd {
	d := m.dialog
	switch d.handle(msg, m.now) {
	case formCancelled:
		if d.pasting(m.now) {
			// A control character in a paste closed it: the rest of the paste
			// is not for the list.
			m.lastStray = m.now
		}
		d.wipe()
		m.dialog = nil
	case formPressed:
		return m.submit(d)
	}
	return nil
}

// filterKey edits the filter; the list follows every key.
func (m *Model) filterKey(msg tea.KeyMsg) tea.Cmd {
	switch keyName(msg) {
	case "enter":
		m.filter.active = false
		return nil
	case "esc", "ctrl+g":
		m.filter.active = false
		m.applyFilter("")
		return nil
	case "up", "down", "pgup", "pgdown":
		return m.act(m.keys.lookup(msg, m.where()), 1)
	}
	refused := m.filter.input.handle(msg, m.now)
	m.applyFilter(m.filter.input.value())
	if refused {
		return m.setStatus(statusWarn, misplacedText)
	}
	return nil
}

func (m *Model) applyFilter(text string) {
	m.focused().filter(text, m.listHeight())
}

func (m *Model) startFilter() {
	m.filter.active = true
	m.filter.input.set(m.focused().state().filter)
}

// overKey scrolls or closes a text over the lists.
func (m *Model) overKey(msg tea.KeyMsg) tea.Cmd {
	act := m.keys.lookup(msg, m.where())
	if act == actQuit {
		m.over = nil
		if m.card != nil { // it asks before its HMAC is lost
			return m.cardKey(act)
		}
		return m.quit()
	}
	total := len(m.over.body(m, m.bodyWidth()))
	if !m.over.handle(act, m.bodyHeight(), total) {
		m.over = nil
	}
	return nil
}

// cardKey is for the keys of the card. Leaving before a copy asks once.
func (m *Model) cardKey(act action) tea.Cmd {
	c := m.card
	leaving := c.leaving
	c.leaving = false
	switch act {
	case actCopyHMAC:
		return m.copyHMAC()
	case actCopyConfig:
		m.dialog = newWorkerDialog()
	case actSignIn:
		return m.startSignIn(c.token, c.hmac.Clone(), nil)
	case actClearClipboard:
		return m.clearClipboard(true)
	case actHelp:
		m.over = &textPage{title: "Help", body: helpLines}
	case actDone, actBack:
		if c.copied || leaving {
			m.closeCard()
			return nil
		}
		c.leaving = true
	case actQuit:
		if c.copied || leaving {
			return m.quit()
		}
		c.leaving = true
	}
	return nil
}

func (m *Model) closeCard() {
	m.card.close()
	m.card = nil
	m.clearStatus()
}
