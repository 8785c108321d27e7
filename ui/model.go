package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// Model is the whole screen. Update changes it and starts commands; View only
// reads it.
type Model struct {
	opts *Options
	th   theme
	rows rowStyles
	keys keyMap

	now           time.Time
	told          time.Time // the moment that the texts about time are made for
	width, height int

	envs   environments
	broker Broker
	conn   connection

	users usersPane
	all   tokensPane // the tokens of everyone
	page  tokensPane // the tokens of one user
	open  *tokensPane
	// fromAll is set while the page shows the owner of a token that was opened
	// on the list of all tokens: esc goes back there.
	fromAll bool
	// rules and quotas are the other tabs of the user's page.
	rules  rulesPane
	quotas quotasPane
	tab    place // the tab that is shown: onTokens, onRules or onQuotas
	at     place // the list that has the keys: onUsers or the tab
	// trail is the audit trail while it is open, over the other lists.
	trail *trailPane
	// owned finds an owner's tokens in all.tokens.
	owned map[kafka.Principal][]int32

	filter  filterInput
	dialog  dialog
	running *running
	card    *card
	over    *textPage

	pending  pendingChanges
	onPage   pendingPage
	lost     *lostCreation
	suspects map[string]bool

	held   *held // nil when no copied HMAC can be on the clipboard
	status status
	// trouble is what the audit trail could not write so far.
	trouble   string
	lastStray time.Time // of the last paste where no field was open
	refresh   refresh
	clock     clock
	lastReq   int
}

// connection is the state of the dialling.
type connection struct {
	req    int
	cancel context.CancelFunc // set while dialling
	err    error
	// checking is set while a connection that failed is walked.
	checking bool
}

// filterInput is the line that a filter is typed on.
type filterInput struct {
	active bool
	input  lineInput
}

// refresh is the reading that follows a change.
type refresh struct {
	tag  int
	due  bool
	left int // readings still to come while a change is not shown
}

// clock wakes the screen when a shown text changes.
type clock struct {
	tag int
	due time.Time
}

// lostCreation remembers a creation whose answer was lost, to mark the token
// that it may have left behind.
type lostCreation struct {
	owner kafka.Principal
	known map[string]bool
}

// New returns the screen before it has a size or a connection.
func New(o Options) *Model {
	opts := o.withDefaults()
	envs := environments{all: opts.Environments, passwords: map[int]*kafka.Secret{}}
	th := newTheme(opts.Renderer, envs.current().Colour, opts.signs())
	m := &Model{
		opts:     opts,
		envs:     envs,
		th:       th,
		rows:     newRowStyles(th.sign.row, th.muted, th.selected, th.muted, th.warn, th.danger, th.ok),
		keys:     newKeyMap(),
		now:      opts.Now(),
		at:       onUsers,
		tab:      onTokens,
		all:      newTokensPane(kafka.Principal{}),
		pending:  pendingChanges{},
		onPage:   newPendingPage(),
		suspects: map[string]bool{},
	}
	m.filter.input = newLineInput("", 100)
	return m
}

// Init dials.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.dial()}
	if len(m.opts.Notes) > 0 {
		cmds = append(cmds, m.setStatus(statusWarn, joinNotes(m.opts.Notes)))
	}
	return tea.Batch(cmds...)
}

// Update takes one message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.opts.Now()
	if m.tells(msg) {
		m.told = m.now
	}
	before := m.screen()
	cmd := m.handle(msg)
	m.observe(msg, before)
	if m.opts.AuditTrouble != nil {
		m.trouble = m.opts.AuditTrouble()
	}
	return m, tea.Batch(cmd, m.keepTime())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width == 0 && msg.Height == 0 {
			msg.Width, msg.Height = 80, 24 // a serial line knows no size
		}
		m.resize(msg.Width, msg.Height)
		return m.readBeside()
	case tea.KeyMsg:
		return m.handleKey(msg)
	case tea.ResumeMsg:
		return nil
	case connectedMsg:
		return m.connected(msg)
	case diagnosedMsg:
		return m.diagnosed(msg)
	case usersLoadedMsg:
		return m.usersLoaded(msg)
	case tokensLoadedMsg:
		return m.tokensLoaded(msg)
	case rulesLoadedMsg:
		return m.rulesLoaded(msg)
	case quotasLoadedMsg:
		return m.quotasLoaded(msg)
	case rulesChangedMsg:
		return m.rulesChanged(msg)
	case ruleReplacedMsg:
		return m.ruleReplaced(msg)
	case quotaChangedMsg:
		return m.quotaChanged(msg)
	case trailLoadedMsg:
		return m.trailLoaded(msg)
	case trailDueMsg:
		return m.lookAtTrail(msg)
	case trailMarkMsg:
		return m.trailMarked(msg)
	case createdMsg:
		return m.created(msg)
	case renewedMsg:
		return m.renewed(msg)
	case expiredMsg:
		return m.expired(msg)
	case signedInMsg:
		return m.signedIn(msg)
	case copiedMsg:
		return m.copied(msg)
	case clearedMsg:
		return m.cleared(msg)
	case clipboardDueMsg:
		if m.held != nil && msg.tag == m.held.tag {
			return m.clearClipboard(false)
		}
	case refreshDueMsg:
		if msg.tag == m.refresh.tag && m.refresh.due {
			m.refresh.due = false
			return m.reread()
		}
	case statusDueMsg:
		if msg.tag == m.status.tag {
			m.clearStatus()
		}
	case clockMsg:
		if msg.tag == m.clock.tag {
			m.clock.due = time.Time{}
			m.all.regroup(m.now, m.listHeight())
			m.all.soon = m.all.endingSoon()
		}
	}
	return nil
}

// session is what is known of the connection; empty before there is one.
func (m *Model) session() kafka.Session {
	if m.broker == nil {
		return kafka.Session{}
	}
	return m.broker.Session()
}

// Close overwrites every secret on the screen and gives the connection up.
func (m *Model) Close() {
	m.wipe()
	for _, p := range m.envs.passwords {
		p.Destroy()
	}
	if m.broker != nil {
		m.broker.Close()
	}
}

// wipe overwrites every secret on the screen.
func (m *Model) wipe() {
	if m.dialog != nil {
		m.dialog.wipe()
	}
	if m.running != nil && m.running.dialog != nil {
		m.running.dialog.wipe()
	}
	if m.card != nil {
		m.card.close()
		m.card = nil
	}
}

// resize takes the window's size. A window too small to show a dialog does not
// keep what was pasted into it.
func (m *Model) resize(width, height int) {
	m.width, m.height = width, height
	if m.tooSmall() && m.dialog != nil {
		m.dialog.wipe()
	}
	m.openWide()
	h := m.listHeight()
	m.users.list.settle(h, m.users.key)
	m.all.list.settle(h, m.all.key)
	m.page.list.settle(h, m.page.key)
	m.rules.list.settle(h, m.rules.key)
	m.quotas.list.settle(h, m.quotas.key)
	if m.trail != nil {
		m.trail.list.settle(h, m.trail.key)
	}
}

// openWide gives the right pane something to show: all tokens.
func (m *Model) openWide() {
	if m.wide() && m.open == nil && !m.users.read.IsZero() {
		m.open = &m.all
	}
}
