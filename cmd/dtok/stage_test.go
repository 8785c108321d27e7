package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/vt"
	"github.com/muesli/termenv"

	"dtok/audit"
	"dtok/kafka"
	"dtok/kafka/demo"
	"dtok/ui"
)

// stage is dtok as the demo opens it, signed in over TCP at its broker and with
// its audit trail, but on a clock that moves only when a picture wants it to:
// so the same keys give the same screens on every machine and day.
type stage struct {
	*testing.T
	broker *demo.Broker
	clock  *demo.Clock
	screen *ui.Model
	timers []stageTimer
	cols   int
	rows   int
}

// newToken is the ID of the one token that is made on a stage.
const newToken = "Pq3mZ8vKRt2xWd0yLc5bNg"

type stageTimer struct {
	at  time.Time
	msg tea.Msg
}

// openStage opens a scenario of the demo on a terminal of the design size.
func openStage(t *testing.T, scenario string) *stage {
	t.Helper()
	s := &stage{T: t, clock: demo.NewClock(time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)), cols: 80, rows: 24}
	var err error
	s.broker, err = demo.Start(demo.Options{
		Scenario: scenario, Now: s.clock.Now,
		NewTokenID: func() string { return newToken },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.broker.Close)
	trail := audit.NewTrail(audit.Options{
		Path: filepath.Join(t.TempDir(), "demo-audit.jsonl"), Now: s.clock.Now,
		Who: audit.Who{OSUser: "ann", Host: "bastion"},
	})
	colours := lipgloss.NewRenderer(io.Discard)
	colours.SetColorProfile(termenv.ANSI)
	o := ui.Options{
		Context: t.Context(), Now: s.clock.Now, Location: time.UTC, Renderer: colours, AuditTrouble: trail.Trouble,
		After: func(d time.Duration, msg tea.Msg) tea.Cmd {
			return func() tea.Msg {
				s.timers = append(s.timers, stageTimer{s.clock.Now().Add(d), msg})
				return nil
			}
		},
	}
	for _, target := range demoTargets(s.broker, demo.Presenter, newDebugLog()) {
		settings := target.settings
		target.settings = func(ctx context.Context, password *kafka.Secret) (kafka.Settings, error) {
			out, err := settings(ctx, password)
			out.Now = s.clock.Now
			return out, err
		}
		e := screenFlags{}.environment(target, trail)
		read := e.Trail
		e.Trail = func(ctx context.Context) (ui.TrailList, error) {
			list, err := read(ctx)
			list.Read = s.clock.Now()
			return list, err
		}
		o.Environments = append(o.Environments, e)
	}
	s.screen = ui.New(o)
	t.Cleanup(s.screen.Close)
	s.run(s.screen.Init())
	s.resize(s.cols, s.rows)
	return s
}

func (s *stage) resize(cols, rows int) {
	s.Helper()
	s.cols, s.rows = cols, rows
	s.send(tea.WindowSizeMsg{Width: cols, Height: rows})
}

func (s *stage) send(msg tea.Msg) {
	s.Helper()
	_, cmd := s.screen.Update(msg)
	s.run(cmd)
}

// run runs a command and what comes of it, one after the other.
func (s *stage) run(cmd tea.Cmd) {
	s.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	case tea.QuitMsg:
		s.Fatalf("dtok has quit; the screen was\n%s", s.text())
	default:
		s.send(msg)
	}
}

// wait lets time pass, and what is due in it happen.
func (s *stage) wait(d time.Duration) {
	s.Helper()
	for until := s.clock.Now().Add(d); ; {
		next := -1
		for i, t := range s.timers {
			if !t.at.After(until) && (next < 0 || t.at.Before(s.timers[next].at)) {
				next = i
			}
		}
		if next < 0 {
			s.clock.Advance(until.Sub(s.clock.Now()))
			return
		}
		due := s.timers[next]
		s.timers = append(s.timers[:next], s.timers[next+1:]...)
		s.clock.Advance(max(due.at.Sub(s.clock.Now()), 0))
		s.send(due.msg)
	}
}

var stageKeys = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "down": tea.KeyDown, "space": tea.KeySpace,
}

// press presses keys at a person's pace, written as Bubble Tea names them.
func (s *stage) press(keys ...string) {
	s.Helper()
	for _, k := range keys {
		s.wait(300 * time.Millisecond)
		if kind, ok := stageKeys[k]; ok {
			s.send(tea.KeyMsg{Type: kind})
			continue
		}
		s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
	}
}

func (s *stage) write(text string) {
	s.Helper()
	s.press(strings.Split(text, "")...)
}

// pasteHMAC pastes the HMAC of a token, as its owner would have kept it.
func (s *stage) pasteHMAC(id string) {
	s.Helper()
	hmac, err := s.broker.HMAC(id)
	if err != nil {
		s.Fatal(err)
	}
	defer hmac.Destroy()
	s.wait(time.Second)
	kafka.HMACText(hmac, func(text []byte) {
		s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(string(text)), Paste: true})
	})
	s.wait(time.Second)
}

// button presses a button of the dialog.
func (s *stage) button(label string) {
	s.Helper()
	for range 8 {
		if strings.Contains(s.text(), "> [ "+label+" ]") {
			s.press("enter")
			s.wait(3 * time.Second) // so that the list is read again
			return
		}
		s.press("tab")
	}
	s.Fatalf("there is no button %s:\n%s", label, s.text())
}

// choose puts the cursor on the row that holds a text.
func (s *stage) choose(text string) {
	s.Helper()
	for range 60 {
		for _, row := range strings.Split(s.text(), "\n") {
			if strings.Contains(row, text) && strings.Contains(row, "> ") {
				return
			}
		}
		s.press("down")
	}
	s.Fatalf("there is no row with %q:\n%s", text, s.text())
}

// sees fails unless the screen holds each text, line breaks not counted: a
// picture must show what its title says.
func (s *stage) sees(texts ...string) {
	s.Helper()
	flat := strings.Join(strings.Fields(s.text()), " ")
	for _, text := range texts {
		if !strings.Contains(flat, text) {
			s.Fatalf("the screen lacks %q:\n%s", text, s.text())
		}
	}
}

// text is what the screen says, a line each.
func (s *stage) text() string {
	s.Helper()
	return strings.Join(rowsOf(s.terminal()), "\n")
}

// terminal is a terminal on which the screen has been drawn, with the HMAC of a
// card blacked out: a picture is looked at for years, and no HMAC, not even one
// of the demo, is for that.
func (s *stage) terminal() *vt.Emulator {
	s.Helper()
	lines := strings.Split(s.screen.View(), "\n")
	for i, line := range lines {
		if s.isHMAC(line) {
			says := " blacked out in this picture"
			if len(says) > len(line) {
				says = "" // the rest of the HMAC, on the next line
			}
			lines[i] = fmt.Sprintf("\x1b[7m%-*s\x1b[0m", len(line), says)
		}
	}
	terminal := vt.NewEmulator(s.cols, s.rows)
	_, _ = terminal.WriteString(strings.Join(lines, "\r\n"))
	return terminal
}

// isHMAC reports whether the line is a part of the new token's HMAC, as its card
// shows it.
func (s *stage) isHMAC(line string) bool {
	hmac, err := s.broker.HMAC(newToken)
	if err != nil || line == "" {
		return false
	}
	defer hmac.Destroy()
	is := false
	kafka.HMACText(hmac, func(text []byte) { is = strings.Contains(string(text), line) })
	return is
}
