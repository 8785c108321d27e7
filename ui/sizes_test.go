package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// Every screen fits every window; driver.check looks.
func TestSizes(t *testing.T) {
	screens := map[string][]string{
		"users": nil, "all": {"t"}, "page": {"j", "enter"}, "details": {"j", "enter", "enter"}, "help": {"?"},
		"create": {"j", "enter", "c"}, "renew": {"j", "enter", "w"}, "expire": {"j", "enter", "x"},
		"card": {"j", "enter", "c", "tab", "tab", "enter"}, "open": {"o"}, "filter": {"/", "a"},
	}
	for name, keys := range screens {
		t.Run(name, func(t *testing.T) {
			d := newDriver(t, 80, 24)
			d.keys(keys...)
			for w := 0; w <= 220; w += 1 + w/20 {
				for h := 0; h <= 60; h += 1 + h/10 {
					d.send(tea.WindowSizeMsg{Width: w, Height: h})
				}
			}
			d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		})
	}
}

// At the design size every dialog shows its buttons.
func TestDialogs_showButtons(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 10}} {
		for key, button := range map[string]string{"c": createLabel, "w": renewLabel, "x": expireLabel, "v": signInLabel} {
			d := onPage(t)
			d.broker.session.Principal = bob
			d.broker.session.Protocol = kafka.SASLPlaintext
			d.keys(key)
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			for range 5 {
				if strings.Contains(d.screen(), "> [ "+button) {
					break
				}
				d.keys("tab")
			}
			d.sees("> [ " + button + " ]")
		}
	}
}
