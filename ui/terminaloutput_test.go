package ui

import (
	"bytes"
	"context"
	"io"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// slowFile writes byte by byte, as a terminal may take a long frame.
type slowFile struct {
	term.File
	got []byte
}

func (f *slowFile) Write(p []byte) (int, error) {
	for i := range p {
		f.got = append(f.got, p[i:i+1]...)
	}
	return len(p), nil
}

func TestTerminalOutput_writesAreWhole(t *testing.T) {
	file := &slowFile{}
	out := NewTerminalOutput(file)
	var writers sync.WaitGroup
	for _, c := range []byte("abcdefgh") {
		writers.Go(func() {
			for range 50 {
				if _, err := out.Write(bytes.Repeat([]byte{c}, 64)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	if len(file.got) != 8*50*64 {
		t.Fatalf("%d bytes arrived", len(file.got))
	}
	for i := 0; i < len(file.got); i += 64 {
		if part := file.got[i : i+64]; !bytes.Equal(part, bytes.Repeat(part[:1], 64)) {
			t.Fatalf("writes are mixed: %s", part)
		}
	}
}

// sizeModel quits at the first size it is told.
type sizeModel struct{ width, height int }

func (m sizeModel) Init() tea.Cmd { return nil }
func (m sizeModel) View() string  { return "" }
func (m sizeModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		return sizeModel{size.Width, size.Height}, tea.Quit
	}
	return m, nil
}

// Bubble Tea finds the terminal and its size behind the shared output.
func TestTerminalOutput_isATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a pty")
	}
	outer, inner, err := pty.Open()
	if err != nil {
		t.Skip("no pty here: ", err)
	}
	defer inner.Close()
	defer outer.Close()
	if err := pty.Setsize(outer, &pty.Winsize{Cols: 93, Rows: 31}); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, outer) }()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	final, err := tea.NewProgram(sizeModel{}, tea.WithContext(ctx), tea.WithInput(inner),
		tea.WithOutput(NewTerminalOutput(inner)), tea.WithoutSignalHandler()).Run()
	if err != nil {
		t.Fatal(err)
	}
	if final != (sizeModel{93, 31}) {
		t.Errorf("the size is %v", final)
	}
}
