package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// trailEvery is how often an open trail is looked at for records of others. A
// look is no reading: only a changed trail is read, and nothing is drawn
// otherwise.
const trailEvery = 2 * time.Second

// trailDueMsg is the moment of the next look; one of a trail that was closed
// meanwhile has another tag.
type trailDueMsg struct{ tag int }

// trailMarkMsg is what a look found.
type trailMarkMsg struct {
	tag  int
	mark string
}

// followTrail waits for the next look at the open trail.
func (m *Model) followTrail() tea.Cmd {
	if m.envs.current().TrailMark == nil {
		return nil
	}
	return m.opts.After(trailEvery, trailDueMsg{tag: m.trail.tag})
}

// lookAtTrail asks for the trail's mark, which can wait for a disk.
func (m *Model) lookAtTrail(msg trailDueMsg) tea.Cmd {
	if m.trail == nil || m.trail.tag != msg.tag {
		return nil
	}
	mark := m.envs.current().TrailMark
	return func() tea.Msg { return trailMarkMsg{tag: msg.tag, mark: mark()} }
}

// trailMarked reads the trail again where it is no longer the one that is shown.
// A list without a mark could not be read: r reads that.
func (m *Model) trailMarked(msg trailMarkMsg) tea.Cmd {
	p := m.trail
	if p == nil || p.tag != msg.tag {
		return nil
	}
	if p.loading() || p.read.IsZero() || msg.mark == p.mark {
		return m.followTrail()
	}
	return tea.Batch(m.readTrail(), m.followTrail())
}
