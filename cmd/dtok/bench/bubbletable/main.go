// Command bubbletable is the usual way to show a long list with Bubble Tea: a
// bubbles/table of all rows. It is the yardstick for what a key costs in dtok.
//
//	bubbletable ROWS
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/charmbracelet/bubbles/table"
	tea "github.com/charmbracelet/bubbletea"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bubbletable:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: bubbletable ROWS")
	}
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	rows := make([]table.Row, n)
	for i := range rows {
		rows[i] = table.Row{fmt.Sprintf("token%017d", i), "job-00001", "bob", "2026-11-30 12:00", "in 23 h 59 min"}
	}
	columns := []table.Column{{Title: "Token ID", Width: 24}, {Title: "Owner", Width: 30}, {Title: "Renewers", Width: 40},
		{Title: "Issued", Width: 20}, {Title: "Expires", Width: 30}}
	m := model{table.New(table.WithColumns(columns), table.WithRows(rows), table.WithFocused(true), table.WithHeight(45))}
	_, err = tea.NewProgram(m, tea.WithAltScreen()).Run()
	return err
}

type model struct{ table table.Model }

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if key, ok := msg.(tea.KeyMsg); ok && key.String() == "ctrl+c" {
		return m, tea.Quit
	}
	var cmd tea.Cmd
	m.table, cmd = m.table.Update(msg)
	return m, cmd
}

func (m model) View() string { return m.table.View() }
