package e2e

import (
	"bytes"
	"strings"
	"testing"
)

// cursor is the line of the screen on which the terminal's cursor stands, from
// there on; hidden when it is.
func (t *terminal) cursor() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.screen.CursorPosition()
	line := strings.Split(t.screen.String(), "\n")[at.Y]
	return strings.TrimRight(line[min(at.X, len(line)):], " ") // ASCII in these tests
}

// stands waits until the terminal's cursor stands before a text.
func (t *terminal) stands(before string) {
	t.Helper()
	t.until("the cursor before "+before, func(string) bool { return strings.HasPrefix(t.cursor(), before) })
}

// TestTheCursorForAReader: the terminal's cursor is shown and stands on what has
// the keys.
func TestTheCursorForAReader(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	for name, h := range map[string]how{
		"by the flag":        {args: []string{"--accessible"}},
		"by the environment": {env: []string{"ACCESSIBLE=1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h.cols, h.rows = 160, 45
			h.args = append(b.flags(saslSSL, "ops"), h.args...)
			s := &session{terminal: start(t, h), broker: b}
			s.see("All tokens")
			s.stands("> All tokens")
			s.press("j")
			s.stands("> CN=ledger")
			s.press("k")
			s.stands("> All tokens")
			s.press("/")
			s.see("keep the filter")
			s.press("ali")
			s.until("the end of the filter", func(screen string) bool { return s.cursor() == "" && strings.Contains(screen, "/ali") })
			s.press("\r")
			s.stands("> alice")
			s.press("\r")
			s.see("open tab 1 Tokens")
			s.press("c")
			s.see("Create delegation token")
			s.changes("\t")
			s.changes("\t")
			s.stands("> Create button")
			s.press("\x1b")
			s.gone("Create button")
			s.leaves()
			out := s.stream(0)
			for _, text := range []string{"caret", "│", "↑", "↓", "\x1b[?25l"} {
				if bytes.Contains(out, []byte(text)) {
					t.Errorf("%s was sent to the terminal", text)
				}
			}
		})
	}
}
