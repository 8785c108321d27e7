package faults

import (
	"fmt"
	"strings"
	"sync"
)

// table counts what the client said in the runs.
type table struct {
	mu     sync.Mutex
	cells  map[cellName]map[claim]int
	broken int // runs that failed
	missed int // runs whose fault had no occasion
}

type cellName struct {
	operation string
	kind      kind
}

func newTable() *table { return &table{cells: map[cellName]map[claim]int{}} }

func (t *table) note(r run, e *ended, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.broken++
	}
	if e == nil || e.claim == "" {
		return
	}
	select {
	case <-e.proxy.struck:
	default:
		t.missed++
	}
	for _, name := range []cellName{{r.operation, r.kind}, {"all", r.kind}} {
		if t.cells[name] == nil {
			t.cells[name] = map[claim]int{}
		}
		t.cells[name][e.claim]++
	}
}

func (t *table) failures() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.broken
}

// String has a line for each operation and a column for each fault. A cell
// counts the claims by their first letters: d6 f2 u4 are 6 done, 2 failed and 4
// unknown.
func (t *table) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	names := make([]string, 0, len(operations)+1)
	for _, o := range operations {
		names = append(names, o.name)
	}
	rows := [][]string{append([]string{""}, words(kinds[1:])...)}
	for _, name := range append(names, "all") {
		row := []string{name}
		for _, k := range kinds[1:] {
			var cell []string
			for _, c := range claims {
				if n := t.cells[cellName{name, k}][c]; n > 0 {
					cell = append(cell, fmt.Sprintf("%c%d", c[0], n))
				}
			}
			row = append(row, strings.Join(cell, " "))
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	b.WriteString("(done, partial: some sources, other: not as asked, refused, failed: nothing was sent, unknown)\n")
	for _, row := range rows {
		for i, cell := range row {
			width := 0
			for _, r := range rows {
				width = max(width, len(r[i]))
			}
			fmt.Fprintf(&b, "%-*s  ", width, cell)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%d runs failed, %d ended before their fault\n", t.broken, t.missed)
	return b.String()
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}
