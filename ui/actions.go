package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// act does what a key asks for on the lists. times counts how often a held key
// arrived in one read.
func (m *Model) act(act action, times int) tea.Cmd {
	if act == actNone {
		return nil
	}
	if reason := m.disabled(act); reason != "" {
		return m.setStatus(statusWarn, reason)
	}
	if m.status.kind == statusError || m.status.kind == statusWarn || m.opts.Accessible {
		m.clearStatus()
	}
	page := max(m.listHeight()-1, 1)
	switch act {
	case actDown:
		m.moveCursor(max(times, 1))
	case actUp:
		m.moveCursor(-max(times, 1))
	case actPageDown:
		m.moveCursor(page)
	case actPageUp:
		m.moveCursor(-page)
	case actTop:
		m.moveCursor(-1 << 30)
	case actBottom:
		m.moveCursor(1 << 30)
	case actFilter:
		m.startFilter()
	case actSort, actReverse:
		m.focused().order(act == actReverse, m.listHeight())
	case actNext, actPrev:
		return m.otherPane(act == actPrev)
	case actTab1:
		return m.showTab(onTokens)
	case actTab2:
		return m.showTab(onRules)
	case actTab3:
		return m.showTab(onQuotas)
	case actReload:
		return m.reload()
	case actDiagnose:
		return m.diagnose()
	case actEnvironments:
		return m.askEnvironment()
	case actClearClipboard:
		return m.clearClipboard(true)
	case actHelp:
		m.over = &textPage{title: "Help", body: helpLines}
	case actQuit:
		return m.quit()
	case actBack:
		return m.back()
	default:
		return m.actOnRow(act)
	}
	return nil
}

// actOnRow does what concerns a user or a token.
func (m *Model) actOnRow(act action) tea.Cmd {
	switch act {
	case actOpen:
		if who, ok := m.users.current(); ok {
			return m.openTokens(who)
		}
	case actOpenName:
		m.dialog = newOpenDialog()
	case actAllTokens:
		return m.openTokens(kafka.Principal{})
	case actTrail:
		return m.openTrail()
	case actRecord:
		m.openRecord()
		return nil
	case actCreate:
		m.dialog = newCreateDialog(m.ownerForCreate(), m.session())
		return m.readRights()
	}
	if m.at == onRules || m.at == onQuotas {
		m.actOnPage(act)
		return nil
	}
	t, ok := m.currentToken()
	if !ok {
		return nil
	}
	switch act {
	case actRenew:
		m.dialog = newRenewDialog(t)
	case actExpire:
		m.dialog = newExpireDialog(t)
	case actSignIn:
		m.dialog = newSignInDialog(t)
	case actCopyID:
		return copyText(m.opts, "token ID", []byte(t.ID), "")
	case actDetails:
		if m.open.forAll() {
			cmd := m.openTokens(t.Owner)
			m.fromAll = true
			m.page.list.key = t.ID
			m.page.list.settle(m.listHeight(), m.page.key)
			return cmd
		}
		id := t.ID
		m.over = &textPage{title: "Token", body: func(m *Model, width int) []string {
			if now, ok := m.findToken(id); ok {
				return detailLines(m, width, now)
			}
			return detailLines(m, width, t)
		}}
	}
	return nil
}

// readRights reads the ACL rules that say whether the connection may create
// tokens for the page's user, for the dialog to show.
func (m *Model) readRights() tea.Cmd {
	if m.open == nil || m.open.forAll() || m.rules.loading() || m.page.owner == m.session().Principal {
		return nil
	}
	return m.readRules()
}

// ownerForCreate is the page's user, and on the list of all tokens the owner
// of the token under the cursor.
func (m *Model) ownerForCreate() kafka.Principal {
	if m.open != nil && !m.open.forAll() {
		return m.open.owner
	}
	t, _ := m.currentToken()
	return t.Owner
}

func (m *Model) currentToken() (kafka.Token, bool) {
	if m.open == nil {
		return kafka.Token{}, false
	}
	return m.open.current()
}

func (m *Model) findToken(id string) (kafka.Token, bool) {
	if m.open != nil {
		for _, t := range m.open.tokens {
			if t.ID == id {
				return t, true
			}
		}
	}
	return kafka.Token{}, false
}

func (m *Model) moveCursor(by int) {
	p := m.focused()
	p.state().move(by, m.listHeight(), p.key)
}

// openTokens shows an owner's tokens, or all, and reads them. What is known
// from the user list is shown until the answer comes.
func (m *Model) openTokens(owner kafka.Principal) tea.Cmd {
	m.showTokens(owner)
	m.tab, m.at = onTokens, onTokens
	if m.broker == nil {
		return nil
	}
	if m.open.forAll() && !m.open.read.IsZero() && m.now.Sub(m.open.read) < rereadAfter {
		return nil // read with the users a moment ago
	}
	return m.readTokens(m.open)
}

func (m *Model) showTokens(owner kafka.Principal) {
	m.fromAll = false
	if owner.IsZero() {
		m.open = &m.all
		return
	}
	if m.page.owner != owner {
		if m.page.cancel != nil {
			m.page.cancel = nil // its answer is for another user now
		}
		m.page = newTokensPane(owner)
		m.rules, m.quotas = rulesPane{owner: owner}, quotasPane{owner: owner}
		m.onPage = newPendingPage()
		if rows := m.owned[owner]; len(rows) > 0 {
			tokens := make([]kafka.Token, len(rows))
			for i, row := range rows {
				tokens[i] = m.all.tokens[row]
			}
			m.page.set(tokens, m.now, m.listHeight())
		}
	}
	m.open = &m.page
}

// back goes one step: it cancels a reading that one waits for, clears the
// filter, leaves the pane. It never quits.
func (m *Model) back() tea.Cmd {
	if m.trail != nil {
		m.leaveTrail()
		return nil
	}
	if m.conn.cancel != nil {
		m.conn.cancel()
		return nil
	}
	if m.cancelReading() {
		return nil
	}
	if m.focused().state().filter != "" {
		m.applyFilter("")
		return nil
	}
	switch {
	case m.inPage() && m.fromAll:
		m.showTokens(kafka.Principal{})
		m.tab, m.at = onTokens, onTokens
	case m.inPage():
		return m.toUsers()
	}
	return nil
}

// toUsers gives the keys to the user list.
func (m *Model) toUsers() tea.Cmd {
	m.at = onUsers
	if m.users.read.IsZero() && !m.users.loading() && m.broker != nil {
		return m.readUsers()
	}
	return nil
}

// cancelReading ends a reading that has taken a while already. One that has
// just begun is no reason to keep esc from going back.
func (m *Model) cancelReading() bool {
	r := m.focused().last()
	if !r.loading() || m.now.Sub(r.started) < time.Second {
		return false
	}
	r.cancel()
	return true
}

// otherPane is tab: from the users to the page, and on a page to its next tab.
func (m *Model) otherPane(back bool) tea.Cmd {
	switch {
	case m.inPage() && m.open.forAll():
		return m.toUsers()
	case m.inPage():
		return m.nextTab(back)
	case m.open == nil:
		return m.openTokens(kafka.Principal{})
	}
	m.at = m.shownTab()
	return nil
}

// actOnPage opens the dialogs of the ACL rules and quotas tabs.
func (m *Model) actOnPage(act action) {
	owner := m.page.owner
	rule, _ := m.rules.current()
	switch act {
	case actAddRule:
		m.dialog = newRuleDialog(owner, m.ruleTypes())
	case actGrant, actRevoke:
		m.dialog = newRightsDialog(owner, act == actRevoke, rule)
	case actDeleteRule:
		m.dialog = newDeleteRuleDialog(rule)
	case actFixRule:
		m.dialog = newReplaceRuleDialog(rule)
	case actDetails:
		m.over = &textPage{title: "ACL rule", body: func(m *Model, width int) []string { return ruleLines(m, width, rule) }}
	case actSetQuota:
		if row, ok := m.quotas.current(); ok {
			m.dialog = newQuotaDialog(owner, &row)
			return
		}
		m.dialog = newQuotaDialog(owner, nil)
	case actRemoveQuota:
		row, _ := m.quotas.current()
		m.dialog = newRemoveQuotaDialog(row)
	}
}
