package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"dtok/kafka"
)

// Sizes of the layout, in cells. 80×24 is the size it is designed for.
const (
	wideFrom    = 110 // users and tokens side by side
	leastWidth  = 40
	leastHeight = 10
	chromeLines = 3 // header, breadcrumbs, footer
	statusMost  = 5 // lines of a long error
)

func (m *Model) wide() bool { return m.width >= wideFrom && !m.opts.Accessible }

func (m *Model) tooSmall() bool { return m.width < leastWidth || m.height < leastHeight }

func (m *Model) bodyWidth() int { return max(m.width-2, 1) }

// bodyHeight is what header, breadcrumbs, status and footer leave.
func (m *Model) bodyHeight() int {
	return max(m.height-chromeLines-len(m.statusLines()), 1)
}

// listHeight is the number of rows a list can show.
func (m *Model) listHeight() int {
	overhead := len(m.usersNotes())
	switch {
	case m.trail != nil:
		overhead = len(m.trailNotes())
	case m.inPage():
		overhead = m.tabOverhead()
	}
	return max(m.bodyHeight()-1-overhead-len(m.cardLines()), 1)
}

// View draws the screen. It reads the model and nothing else.
func (m *Model) View() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	if m.tooSmall() {
		return m.tooSmallView()
	}
	var b strings.Builder
	b.WriteString(m.header())
	b.WriteByte('\n')
	b.WriteString(m.breadcrumbs())
	height := m.bodyHeight()
	body := m.body(height)
	body = m.withCaret(body[:min(len(body), height)])
	for i := range height {
		b.WriteByte('\n')
		if i < len(body) {
			b.WriteString(body[i])
		}
	}
	for _, line := range m.statusLines() {
		b.WriteByte('\n')
		b.WriteString(line)
	}
	b.WriteByte('\n')
	b.WriteString(m.footer())
	return b.String()
}

func (m *Model) tooSmallView() string {
	text := fmt.Sprintf("needs %dx%d, have %dx%d", leastWidth, leastHeight, m.width, m.height)
	if len(text) > m.width {
		text = fmt.Sprintf("needs %dx%d", leastWidth, leastHeight)
	}
	lines := make([]string, 0, m.height)
	for range (m.height - 1) / 2 {
		lines = append(lines, "")
	}
	pad := max((m.width-len(text))/2, 0)
	return strings.Join(append(lines, fit(strings.Repeat(" ", pad)+text, m.width)), "\n")
}

// body draws what lies between the breadcrumbs and the status line.
func (m *Model) body(height int) []string {
	width := m.bodyWidth()
	switch {
	case m.running != nil:
		return indent(m.running.lines(m, width))
	case m.dialog != nil:
		return indent(windowOn(m.dialog.lines(m, width), height))
	case m.over != nil:
		lines := m.over.body(m, width)
		top := min(m.over.top, max(len(lines)-height, 0))
		return indent(lines[top:min(top+height, len(lines))])
	case m.trail != nil:
		return m.trailView(height)
	case m.broker == nil:
		return indent(m.connectionLines(width))
	}
	card := m.cardLines()
	if len(card) > height {
		card = card[:height]
	}
	if m.card != nil && m.opts.Accessible {
		return card
	}
	return append(card, m.lists(height-len(card))...)
}

func (m *Model) cardLines() []string {
	if m.card == nil {
		return nil
	}
	return append(m.card.lines(m, m.width), "")
}

// connectionLines say that dtok is connecting, or why it could not.
func (m *Model) connectionLines(width int) []string {
	if m.conn.err == nil && m.conn.cancel != nil {
		return []string{"connecting to " + safeText(m.envs.current().Name) + " …", "", "esc gives up"}
	}
	if m.conn.err == nil {
		return []string{"not connected to " + safeText(m.envs.current().Name), "", "r connects, q quits"}
	}
	var lines []string
	for _, l := range wrap("error: "+sentence(m.conn.err), width) {
		lines = append(lines, m.th.danger.Render(l))
	}
	if m.conn.checking {
		return append(lines, "", "walking the connection …", "", "esc gives up")
	}
	return append(lines, "", "r tries again, d walks the connection step by step, q quits")
}

// lists draws the users and the tokens, side by side where there is room.
func (m *Model) lists(height int) []string {
	if !m.wide() || m.card != nil {
		if m.at == onUsers {
			return m.usersView(height, m.width, true)
		}
		return m.pageView(height, m.width, true)
	}
	left := m.usersWidth()
	users := m.usersView(height, left, m.at == onUsers)
	tokens := m.pageView(height, m.tokensWidth(), m.inPage())
	lines := make([]string, max(len(users), len(tokens)))
	for i := range lines {
		var l, r string
		if i < len(users) {
			l = users[i]
		}
		if i < len(tokens) {
			r = tokens[i]
		}
		lines[i] = l + spaces(left-ansi.StringWidth(l)) + "│"
		if r != "" {
			lines[i] += " " + r
		}
	}
	return lines
}

// usersWidth is the left pane's width in a wide window: a third, or what a page
// does not need to show all its columns, as far as the users have some to show.
func (m *Model) usersWidth() int {
	if !m.wide() {
		return m.width
	}
	const page, all = 88, 100
	return min(max(m.width/3, m.width-page, 40), all)
}

func (m *Model) tokensWidth() int {
	if !m.wide() {
		return m.width
	}
	return m.width - m.usersWidth() - 2
}

// stamp is a moment with date, seconds and zone.
func (m *Model) stamp(t time.Time) string {
	if t.IsZero() {
		return m.th.sign.none
	}
	return stampText(t, m.opts.Location)
}

// renewers are those of a token.
func (m *Model) renewers(t kafka.Token) string {
	if len(t.Renewers) == 0 {
		return m.th.sign.none
	}
	return safeText(renewersText(t.Renewers))
}

// expiryText is how long a token still works.
func (m *Model) expiryText(t kafka.Token) string {
	if t.Expired(m.told) {
		return "EXPIRED " + untilText(t.Expires.Sub(m.told))
	}
	return untilText(t.Expires.Sub(m.told))
}

// windowOn cuts lines to height: blank lines go first, then the part around
// the line with the focus is kept.
func windowOn(lines []string, height int) []string {
	for i := len(lines) - 1; i >= 0 && len(lines) > height; i-- {
		if lines[i] == "" {
			lines = append(lines[:i], lines[i+1:]...)
		}
	}
	if len(lines) <= height {
		return lines
	}
	focus := 0
	for i, l := range lines {
		if l = ansi.Strip(l); strings.HasPrefix(l, focusMarker) || strings.Contains(l, focusMarker+"[") {
			focus = i
		}
	}
	top := min(max(focus-height/2, 0), len(lines)-height)
	return lines[top : top+height]
}

func indent(lines []string) []string {
	for i, l := range lines {
		if l != "" {
			lines[i] = " " + l
		}
	}
	return lines
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
