package ui

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// rereadAfter is how long after a change the list is read again: the brokers
// learn of it a moment after the controller has answered.
const rereadAfter = 2 * time.Second

// rereads bounds the readings after one change while a broker does not show it.
const rereads = 5

// reload reads again what is on the screen.
func (m *Model) reload() tea.Cmd {
	if m.trail != nil {
		return m.readTrail()
	}
	if m.broker == nil {
		return m.dial()
	}
	return m.readLists()
}

// reread reads again what a change may have changed.
func (m *Model) reread() tea.Cmd {
	var cmds []tea.Cmd
	if m.broker != nil {
		cmds = append(cmds, m.readLists())
	}
	if m.trail != nil {
		cmds = append(cmds, m.readTrail())
	}
	return tea.Batch(cmds...)
}

func (m *Model) readLists() tea.Cmd {
	if m.at == onUsers || m.open == nil {
		return m.readUsers()
	}
	return m.readTab()
}

// readBeside reads the users where they stand beside the page and have not been
// read yet.
func (m *Model) readBeside() tea.Cmd {
	if !m.wide() || m.broker == nil || !m.users.read.IsZero() || m.users.loading() || m.users.err != nil {
		return nil
	}
	return m.readUsers()
}

func (m *Model) readUsers() tea.Cmd {
	ctx := m.startReading(&m.users.reading)
	return loadUsers(ctx, m.users.cancel, m.broker, m.users.req)
}

func (m *Model) readTokens(p *tokensPane) tea.Cmd {
	ctx := m.startReading(&p.reading)
	return loadTokens(ctx, p.cancel, m.broker, p.req, p.owner)
}

// reading is the state of a list's readings. The newest one wins; an older one
// is not cancelled, because that would cost the connection it runs on.
type reading struct {
	req     int
	started time.Time
	cancel  context.CancelFunc // set while reading
	err     error              // of the last reading
	read    time.Time          // when the list was last read
}

func (r *reading) loading() bool { return r.cancel != nil }

func (m *Model) startReading(r *reading) context.Context {
	m.lastReq++
	ctx, cancel := context.WithCancel(m.opts.Context)
	r.req, r.started, r.cancel = m.lastReq, m.now, cancel
	return ctx
}

// ended takes the answer to a reading; false means that it is not the newest.
func (r *reading) ended(req int, err error, read time.Time) bool {
	if req != r.req || r.cancel == nil {
		return false
	}
	r.cancel()
	r.cancel = nil
	r.err = err
	if err == nil {
		r.read = read
	}
	return true
}

func (m *Model) usersLoaded(msg usersLoadedMsg) tea.Cmd {
	if !m.users.ended(msg.req, msg.err, msg.list.Read) {
		return nil
	}
	if msg.err != nil {
		return m.tabFailed(&m.users.reading, msg.err)
	}
	h := m.listHeight()
	m.users.set(msg.list, h)
	m.owned = msg.owned
	if err := msg.list.Failed[kafka.FromTokens]; err != nil {
		m.all.err = err
	} else {
		m.all.err, m.all.read = nil, msg.list.Read
		m.setTokens(&m.all, msg.list.Tokens)
	}
	m.openWide()
	return m.afterReading()
}

func (m *Model) tokensLoaded(msg tokensLoadedMsg) tea.Cmd {
	p := &m.page
	if msg.owner.IsZero() {
		p = &m.all
	}
	if p.owner != msg.owner || !p.ended(msg.req, msg.err, msg.list.Read) {
		return nil
	}
	if msg.err != nil {
		var off *kafka.OffError
		if errors.As(msg.err, &off) {
			return nil // the list itself says so
		}
		return m.readingFailed(msg.err)
	}
	if p == &m.all {
		m.owned = msg.owned
	}
	m.setTokens(p, msg.list.Tokens)
	return tea.Batch(m.afterReading(), m.readHidden(p))
}

// readHidden reads the ACL rules of an owner without tokens, once: they say
// whether tokens can be hidden from this connection.
func (m *Model) readHidden(p *tokensPane) tea.Cmd {
	if p != &m.page || m.open != p || len(p.tokens) > 0 || !m.rules.read.IsZero() || m.hiddenText(p.owner) == "" {
		return nil
	}
	return m.readRights()
}

// setTokens puts a reading on the screen, with the changes that it does not
// show yet, and marks what a lost creation may have left behind.
func (m *Model) setTokens(p *tokensPane, tokens []kafka.Token) {
	n := len(tokens)
	tokens = m.pending.merge(tokens, p.owner)
	if p == &m.all && len(tokens) != n {
		m.owned = indexByOwner(tokens)
	}
	m.markSuspects(tokens)
	p.now = m.now
	p.set(tokens, m.now, m.listHeight())
	if p == &m.all {
		m.users.total = len(tokens)
	} else {
		m.recount(p.owner, tokens)
	}
}

// recount keeps the user list in step with an owner's tokens.
func (m *Model) recount(owner kafka.Principal, tokens []kafka.Token) {
	for i := range m.users.users {
		u := &m.users.users[i]
		if u.Principal != owner {
			continue
		}
		u.Tokens, u.NextExpiry = len(tokens), time.Time{}
		for _, t := range tokens {
			u.NextExpiry = kafka.NextExpiry(u.NextExpiry, t.Expires, m.now)
		}
	}
}

func (m *Model) markSuspects(tokens []kafka.Token) {
	if m.lost == nil {
		return
	}
	before := len(m.suspects)
	for _, t := range tokens {
		if t.Owner == m.lost.owner && !m.lost.known[t.ID] {
			m.suspects[t.ID] = true
		}
	}
	if len(m.suspects) > before {
		m.lost = nil
	}
}

// readingFailed keeps the rows and says that they are old.
func (m *Model) readingFailed(err error) tea.Cmd {
	if errors.Is(err, context.Canceled) {
		return m.setStatus(statusInfo, "reading cancelled")
	}
	return m.setError(err)
}

// afterReading reads again while a change is not shown yet.
func (m *Model) afterReading() tea.Cmd {
	if cmd := m.readBeside(); cmd != nil {
		return cmd
	}
	if m.refresh.due {
		return nil
	}
	if len(m.pending) == 0 && m.onPage.empty() && m.lost == nil || m.refresh.left <= 0 {
		m.lost = nil
		return nil
	}
	m.refresh.left--
	return m.refreshLater()
}

// changed shows a change at once and asks for the reading that follows it.
func (m *Model) changed(kind changeKind, token kafka.Token, before time.Time) tea.Cmd {
	m.pending.add(kind, token, before)
	h := m.listHeight()
	change := m.pending[token.ID]
	change.kind = kind
	if kind == wasCreated {
		m.page.list.key = keyIf(m.page.owner == token.Owner, token.ID, m.page.list.key)
	}
	if m.page.owner == token.Owner {
		m.page.set(change.apply(m.page.tokens), m.now, h)
		m.recount(token.Owner, m.page.tokens)
	}
	if !m.all.read.IsZero() {
		m.all.set(change.apply(m.all.tokens), m.now, h)
		m.owned = indexByOwner(m.all.tokens)
		m.users.total = len(m.all.tokens)
	}
	return m.refreshSoon()
}

func keyIf(yes bool, key, otherwise string) string {
	if yes {
		return key
	}
	return otherwise
}

// refreshSoon asks for the readings that follow a change.
func (m *Model) refreshSoon() tea.Cmd {
	m.refresh.left = rereads
	return m.refreshLater()
}

func (m *Model) refreshLater() tea.Cmd {
	m.refresh.tag++
	m.refresh.due = true
	return m.opts.After(rereadAfter, refreshDueMsg{tag: m.refresh.tag})
}

func joinNotes(notes []string) string { return safeText(strings.Join(notes, " · ")) }
