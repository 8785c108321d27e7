package ui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// TrailRow is a request as the audit trail tells it, or a line that is none.
type TrailRow struct {
	// Time is zero where nothing tells it.
	Time      time.Time
	Kind      string
	Outcome   string // "" for what is no request
	User      string // whom it is about, by name
	Token     string // a token's ID
	Principal string // who the connection acted as
	// Fault is why the row does not verify; "" when it does.
	Fault string
	// Lines are the records as they stand in the trail.
	Lines []TrailLine
}

// TrailLine is a line of the trail's files.
type TrailLine struct {
	File   string
	Number int // from 1
	Text   string
	Fault  string
}

// TrailList is one reading of the trail.
type TrailList struct {
	Path string
	// Rows are in the order of the trail.
	Rows []TrailRow
	// Older counts the requests before those of Rows that were left out.
	Older int
	// Faults are what does not verify in the whole trail, with file and line.
	Faults []string
	// Read is when it was read.
	Read time.Time
	// Mark is what Environment.TrailMark gave before it was read.
	Mark string
}

// trailPane is the list of what the audit trail tells. It lies over the other
// lists until it is closed.
type trailPane struct {
	rows   []TrailRow
	sorted []int32
	list   list
	path   string
	mark   string // of the trail when it was read
	tag    int    // of this pane, for what is looked up later
	older  int
	faults []string
	widths struct{ time, kind, user, principal, token int }

	reading
}

// The columns of the trail, by which it can be sorted.
const (
	byTime = iota
	byKind
	byOutcome
	byAbout
	byActing
	byToken
	trailSorts
)

var _ pane = (*trailPane)(nil)

func (p *trailPane) state() *list   { return &p.list }
func (p *trailPane) last() *reading { return &p.reading }

// key is the row's first record: it stays the same when its file is renamed.
func (p *trailPane) key(row int) string { return p.rows[row].Lines[0].Text }

// openTrail shows the trail, newest first, and reads it.
func (m *Model) openTrail() tea.Cmd {
	m.lastReq++
	m.trail = &trailPane{tag: m.lastReq}
	m.trail.list.reverse = true
	return tea.Batch(m.readTrail(), m.followTrail())
}

func (m *Model) readTrail() tea.Cmd {
	ctx := m.startReading(&m.trail.reading)
	return loadTrail(ctx, m.trail.cancel, m.envs.current(), m.trail.req)
}

// trailLoadedMsg ends a reading of the audit trail.
type trailLoadedMsg struct {
	req  int
	list TrailList
	err  error
}

func loadTrail(ctx context.Context, release func(), env Environment, req int) tea.Cmd {
	return guarded(func() tea.Msg {
		defer release()
		mark := ""
		if env.TrailMark != nil {
			mark = env.TrailMark()
		}
		list, err := env.Trail(ctx)
		list.Mark = mark
		return trailLoadedMsg{req: req, list: list, err: err}
	}, func(err error) tea.Msg { return trailLoadedMsg{req: req, err: err} })
}

func (m *Model) trailLoaded(msg trailLoadedMsg) tea.Cmd {
	p := m.trail
	if p == nil || !p.ended(msg.req, msg.err, msg.list.Read) {
		return nil
	}
	if msg.err != nil {
		if p.read.IsZero() && !errors.Is(msg.err, context.Canceled) {
			return nil // the list itself says so
		}
		return m.readingFailed(msg.err)
	}
	p.set(msg.list, m)
	return nil
}

// set replaces the rows and keeps the cursor on its request.
func (p *trailPane) set(list TrailList, m *Model) {
	p.rows, p.path, p.mark, p.older, p.faults = list.Rows, list.Path, list.Mark, list.Older, list.Faults
	w := &p.widths
	*w = struct{ time, kind, user, principal, token int }{}
	for i := range p.rows {
		r := &p.rows[i]
		w.time = max(w.time, textWidth(m.trailTime(r.Time)))
		w.kind = max(w.kind, textWidth(r.Kind))
		w.user = max(w.user, textWidth(r.User))
		w.principal = max(w.principal, textWidth(principalLabel(r.Principal)))
		w.token = max(w.token, textWidth(r.Token))
	}
	p.sort(m.listHeight())
}

func (p *trailPane) order(reverse bool, height int) {
	p.list.order(reverse, (p.list.sortBy+1)%trailSorts)
	if !reverse {
		p.list.reverse = p.list.sortBy == byTime // what is new comes first
	}
	p.sort(height)
}

func (p *trailPane) sort(height int) {
	p.sorted = slices.Grow(p.sorted[:0], len(p.rows))
	for i := range p.rows {
		p.sorted = append(p.sorted, int32(i))
	}
	by := func(r *TrailRow) string {
		switch p.list.sortBy {
		case byKind:
			return r.Kind
		case byOutcome:
			return r.Outcome
		case byAbout:
			return r.User
		case byActing:
			return r.Principal
		case byToken:
			return r.Token
		}
		return ""
	}
	// The order of the trail is that of the time, and decides between rows
	// that are the same otherwise: the newer first.
	slices.SortFunc(p.sorted, func(i, j int32) int {
		c := cmp.Compare(by(&p.rows[i]), by(&p.rows[j]))
		switch {
		case p.list.sortBy == byTime && p.list.reverse, c == 0 && p.list.sortBy != byTime:
			return cmp.Compare(j, i)
		case p.list.sortBy == byTime:
			return cmp.Compare(i, j)
		case p.list.reverse:
			return -c
		}
		return c
	})
	p.filter(p.list.filter, height)
}

// filter shows the requests of which any record holds the text.
func (p *trailPane) filter(text string, height int) {
	needle := foldNeedle(text)
	p.list.filter = text
	p.list.shown = make([]int32, 0, len(p.sorted))
	for _, i := range p.sorted {
		if needle == "" || p.rows[i].holds(needle) {
			p.list.shown = append(p.list.shown, i)
		}
	}
	p.list.settle(height, p.key)
}

func (r *TrailRow) holds(needle string) bool {
	return containsFold(r.Outcome, needle) || containsFold(r.Kind, needle) ||
		slices.ContainsFunc(r.Lines, func(l TrailLine) bool { return containsFold(l.Text, needle) })
}

// current is the row under the cursor.
func (p *trailPane) current() (TrailRow, bool) {
	if len(p.list.shown) == 0 {
		return TrailRow{}, false
	}
	return p.rows[p.list.shown[p.list.cursor]], true
}

// leaveTrail is esc in the trail: it gives up a reading, clears the filter,
// closes the list.
func (m *Model) leaveTrail() {
	switch {
	case m.cancelReading():
	case m.trail.list.filter != "":
		m.applyFilter("")
	default:
		if m.trail.cancel != nil {
			m.trail.cancel()
		}
		m.trail = nil
	}
}

// openRecord shows the records of the row under the cursor.
func (m *Model) openRecord() {
	if r, ok := m.trail.current(); ok {
		m.over = &textPage{title: "Record", body: r.recordLines()}
	}
}
