package ui

import "testing"

func TestLook(t *testing.T) {
	d := newDriver(t, 80, 24)
	t.Log("\n" + d.screen())
	d.keys("j", "enter")
	t.Log("\n" + d.screen())
	d.keys("c")
	t.Log("\n" + d.screen())
	d.keys("tab", "tab", "enter")
	t.Log("\n" + d.screen())
	d.keys("y", "d")
	t.Log("\n" + d.screen())
	d.keys("w")
	t.Log("\n" + d.screen())
	d.keys("esc", "x")
	t.Log("\n" + d.screen())
	d.keys("esc", "enter")
	t.Log("\n" + d.screen())
	d.keys("esc", "?")
	t.Log("\n" + d.screen())
	d = newDriver(t, 140, 24)
	t.Log("\n" + d.screen())
}
