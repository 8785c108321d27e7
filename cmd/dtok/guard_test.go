package main

import (
	"errors"
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// brittle panics where the test says.
type brittle struct {
	where string
	value any
}

type poke struct{}

func (b brittle) Init() tea.Cmd {
	b.at("init")
	return func() tea.Msg {
		b.at("command")
		return tea.BatchMsg{func() tea.Msg { b.at("batch"); return poke{} }}
	}
}

func (b brittle) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(poke); ok {
		b.at("update")
		b.where += " later"
	}
	return b, nil
}

func (b brittle) View() string {
	b.at("view")
	b.at("view later")
	return ""
}

func (b brittle) at(where string) {
	if b.where == where {
		if b.value == nil {
			var none []int
			_ = none[len(where)]
		}
		panic(b.value)
	}
}

func TestAPanicEndsTheProgramAndTellsNoSecret(t *testing.T) {
	const secret = "hunter2-secret"
	for _, where := range []string{"init", "command", "batch", "update", "view"} {
		for _, value := range []any{secret, errors.New(secret), nil} {
			g := &guard{screen: brittle{where, value}}
			p := tea.NewProgram(g, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler())
			g.kill = p.Kill
			_, err := p.Run()
			got := howItEnded(err, g.crash, nil)
			var c *crash
			if !errors.As(got, &c) {
				t.Fatalf("%s: got %v, want a crash", where, got)
			}
			var text strings.Builder
			if status := report(&text, got); status != statusFailed {
				t.Errorf("%s: status %d", where, status)
			}
			if strings.Contains(text.String(), secret) {
				t.Errorf("%s: the panic's value is told: %s", where, text.String())
			}
			if value == nil && !strings.Contains(text.String(), "index out of range") {
				t.Errorf("%s: the runtime's own message is missing: %s", where, text.String())
			}
			if !strings.Contains(text.String(), "brittle.at (guard_test.go:") {
				t.Errorf("%s: the place is missing: %s", where, text.String())
			}
		}
	}
}
