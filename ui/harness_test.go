package ui

import (
	"bytes"
	"context"
	"flag"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	"dtok/kafka"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// start is when every driver test begins.
var start = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

// driver runs a Model without a terminal: it sends messages, runs the commands
// that come back in line, and keeps timers until advance lets time pass.
type driver struct {
	t      *testing.T
	m      *Model
	broker *fakeBroker
	now    time.Time
	timers []timer
	quit   bool
	// hold keeps results of commands back, for late answers.
	hold   bool
	held   []tea.Msg
	copies []string
	copyIs error
	// log is what a log for support is told, and entered what it must not hold.
	log     bytes.Buffer
	entered []string
}

type timer struct {
	at  time.Time
	msg tea.Msg
}

func newDriver(t *testing.T, width, height int, change ...func(*Options)) *driver {
	t.Helper()
	d := &driver{t: t, now: start, broker: newFakeBroker()}
	d.broker.now = func() time.Time { return d.now }
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	o := Options{
		Environments: []Environment{{Name: "demo", Connect: func(context.Context, *kafka.Secret) (Broker, error) {
			if d.broker.connectErr != nil {
				return nil, d.broker.connectErr
			}
			return d.broker, nil
		}}},
		Now:      func() time.Time { return d.now },
		Location: time.UTC,
		Renderer: r,
		After: func(wait time.Duration, msg tea.Msg) tea.Cmd {
			return func() tea.Msg {
				d.timers = append(d.timers, timer{d.now.Add(wait), msg})
				return nil
			}
		},
		Copy: func(_ context.Context, text []byte, secret bool) (Copied, error) {
			d.copies = append(d.copies, string(text))
			return traced("copied to the clipboard of this machine", text, secret, Trace{machine: true}), d.copyIs
		},
	}
	o.Log = slog.New(slog.NewJSONHandler(&d.log, nil))
	for _, c := range change {
		c(&o)
	}
	t.Cleanup(func() {
		for _, text := range d.entered {
			if len(text) > 4 && strings.Contains(d.log.String(), text) {
				t.Errorf("the log holds %q, which was entered:\n%s", text, d.log.String())
			}
		}
	})
	d.m = New(o)
	d.run(d.m.Init())
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// send gives the model a message and runs what comes of it.
func (d *driver) send(msg tea.Msg) {
	d.t.Helper()
	_, cmd := d.m.Update(msg)
	d.run(cmd)
	d.check()
}

func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.quit = true
	default:
		if d.hold {
			d.held = append(d.held, msg)
			return
		}
		d.send(msg)
	}
}

// release delivers what was held back.
func (d *driver) release() {
	d.hold = false
	held := d.held
	d.held = nil
	for _, msg := range held {
		d.send(msg)
	}
}

// advance lets time pass and the timers in it fire.
func (d *driver) advance(by time.Duration) {
	until := d.now.Add(by)
	for {
		next := -1
		for i, t := range d.timers {
			if !t.at.After(until) && (next < 0 || t.at.Before(d.timers[next].at)) {
				next = i
			}
		}
		if next < 0 {
			d.now = until
			return
		}
		t := d.timers[next]
		d.timers = append(d.timers[:next], d.timers[next+1:]...)
		if t.at.After(d.now) {
			d.now = t.at
		}
		d.send(t.msg)
	}
}

// keys presses keys, half a second apart, written as Bubble Tea names them.
func (d *driver) keys(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.advance(500 * time.Millisecond)
		d.send(keyMsg(k))
	}
}

// typed types a text character by character.
func (d *driver) typed(text string) {
	d.t.Helper()
	d.entered = append(d.entered, text)
	for _, r := range text {
		d.advance(100 * time.Millisecond)
		if r == ' ' {
			d.send(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}})
			continue
		}
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// paste pastes a text as a terminal with bracketed paste does.
func (d *driver) paste(text string) {
	d.t.Helper()
	d.entered = append(d.entered, text)
	d.advance(500 * time.Millisecond)
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
	d.advance(500 * time.Millisecond)
}

var keyTypes = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "up": tea.KeyUp,
	"down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace, "ctrl+c": tea.KeyCtrlC,
	"ctrl+z": tea.KeyCtrlZ, "ctrl+g": tea.KeyCtrlG, "ctrl+u": tea.KeyCtrlU, "ctrl+d": tea.KeyCtrlD, "f5": tea.KeyF5,
}

func keyMsg(k string) tea.KeyMsg {
	if t, ok := keyTypes[k]; ok {
		return tea.KeyMsg{Type: t}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
}

// check holds what is true of every screen: it fits, a second look shows the
// same, and it holds no HMAC apart from the card.
func (d *driver) check() {
	d.t.Helper()
	view := d.m.View()
	if again := d.m.View(); again != view {
		d.t.Fatalf("two looks differ:\n%s", cmp.Diff(view, again))
	}
	if d.m.opts.Accessible {
		view = d.screen()
	}
	lines := strings.Split(view, "\n")
	if len(lines) > max(d.m.height, 1) {
		d.t.Fatalf("%d lines in a window of %d:\n%s", len(lines), d.m.height, view)
	}
	for _, l := range lines {
		if w := lipgloss.Width(l); w > d.m.width {
			d.t.Fatalf("line of %d cells in a window of %d: %q", w, d.m.width, l)
		}
		if strings.ContainsAny(l, "\x1b\r\x00") {
			d.t.Fatalf("control character in %q", l)
		}
	}
	d.broker.mustNotHold(d.t, "log", d.log.String())
	if d.m.card == nil {
		d.broker.mustNotHold(d.t, "view", view)
	}
}

// screen is the view as it is on a terminal.
func (d *driver) screen() string { return WithoutCaret(d.m.View()) }

// sees fails unless the screen holds each text, line breaks not counted.
func (d *driver) sees(texts ...string) {
	d.t.Helper()
	flat := flatten(d.screen())
	for _, text := range texts {
		if !strings.Contains(flat, flatten(text)) {
			d.t.Fatalf("screen lacks %q:\n%s", text, d.screen())
		}
	}
}

func (d *driver) lacks(texts ...string) {
	d.t.Helper()
	flat := flatten(d.screen())
	for _, text := range texts {
		if strings.Contains(flat, flatten(text)) {
			d.t.Fatalf("screen holds %q:\n%s", text, d.screen())
		}
	}
}

func flatten(s string) string { return strings.Join(strings.Fields(s), " ") }

// golden compares the screen with testdata/screens/name.txt.
func (d *driver) golden(name string) {
	d.t.Helper()
	path := filepath.Join("..", "testdata", "screens", name+".txt")
	got := d.screen() + "\n"
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			d.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			d.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		d.t.Errorf("screen %s differs (-want +got):\n%s", name, diff)
	}
}
