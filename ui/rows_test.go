package ui

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"
)

func testRowStyles(profile termenv.Profile) rowStyles {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(true)
	colour := func(c string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(c)) }
	return newRowStyles(rowMarker, r.NewStyle().Bold(true), r.NewStyle().Reverse(true),
		r.NewStyle().Faint(true), colour("3"), colour("1"), colour("2"))
}

// sgrSequence is the only kind of escape sequence a row may hold.
var sgrSequence = regexp.MustCompile(`\x1b\[[0-9;]*m`)

var tokenColumns = []column{
	{title: "Token ID ^", min: 8, max: 12},
	{title: "Renewers", min: 8, max: 10, grow: true},
	{title: "Expires", min: 7},
	{title: "N", min: 2, right: true},
}

var tokenCells = [][]cell{
	{{text: "Zm9vYmFyYmF6cXV4MTIz", mark: markPlain}, {text: "–", mark: markMuted}, {text: "EXPIRED", mark: markDanger}, {text: "7", mark: markPlain}},
	{{text: "t-2", mark: markPlain}, {text: "User:日本語ユーザー, User:bob", mark: markPlain}, {text: "in 42m", mark: markWarn}, {text: "12", mark: markPlain}},
	{{text: "t-3", mark: markPlain}, {text: "alice", mark: markPlain}, {text: "", mark: markPlain}, {text: "", mark: markPlain}},
}

func drawTokens(t rowStyles, width, cursor int) string {
	widths := layoutColumns(tokenColumns, func(col int) int {
		w := 0
		for _, row := range tokenCells {
			w = max(w, textWidth(row[col].text))
		}
		return w
	}, width)
	var b strings.Builder
	drawRows(&b, t, tokenColumns, widths, 0, len(tokenCells), cursor,
		func(row, col int) cell { return tokenCells[row][col] })
	return b.String()
}

func TestDrawRows(t *testing.T) {
	for _, c := range []struct {
		name    string
		profile termenv.Profile
		width   int
		want    []string
	}{
		{"room for all", termenv.Ascii, 80, []string{
			"  Token ID ^    Renewers                       Expires   N",
			"  Zm9vYmFyYmF…  –                              EXPIRED   7",
			"> t-2           User:日本語ユーザー, User:bob  in 42m   12",
			"  t-3           alice",
		}},
		{"design width of a pane", termenv.Ascii, 42, []string{
			"  Token ID ^    Renewers       Expires   N",
			"  Zm9vYmFyYmF…  –              EXPIRED   7",
			"> t-2           User:日本語…   in 42m   12",
			"  t-3           alice",
		}},
		{"the last column leaves", termenv.Ascii, 30, []string{
			"  Token ID…  Renewers  Expires",
			"  Zm9vYmFy…  –         EXPIRED",
			"> t-2        User:日…  in 42m",
			"  t-3        alice",
		}},
		{"the first column is cut", termenv.Ascii, 7, []string{
			"  Toke…",
			"  Zm9v…",
			"> t-2",
			"  t-3",
		}},
		{"colours", termenv.ANSI, 80, []string{
			"\x1b[1m  Token ID ^    Renewers                       Expires   N\x1b[0m",
			"  Zm9vYmFyYmF…  \x1b[2m–\x1b[0m                              \x1b[31mEXPIRED\x1b[0m   7",
			"\x1b[7m> t-2           User:日本語ユーザー, User:bob  \x1b[0m\x1b[7;33min 42m\x1b[0m\x1b[7m   12\x1b[0m",
			"  t-3           alice",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Split(drawTokens(testRowStyles(c.profile), c.width, 1), "\n")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestDrawRows_sorted: the arrow of the sorted column takes no room of its title,
// nor of another one.
func TestDrawRows_sorted(t *testing.T) {
	for at, want := range []string{"↑ID  Tokens  Expires", "  ID ↓Tokens  Expires", "  ID  Tokens ↑Expires"} {
		cols := []column{{title: "ID"}, {title: "Tokens", right: true}, {title: "Expires"}}
		cols[at].order = ascending
		if at == 1 {
			cols[at].order = descending
		}
		want = strings.Replace(want, "↑ID", " ↑ID", 1)
		var b strings.Builder
		drawRows(&b, testRowStyles(termenv.Ascii), cols, []int{2, 6, 7}, 0, 1, -1, func(int, int) cell { return cell{text: "x"} })
		head, row, _ := strings.Cut(b.String(), "\n")
		if head != want || row != "  x        x  x" {
			t.Errorf("got  %q\nwant %q; row %q", head, want, row)
		}
	}
	// A column without room leaves its arrow to nobody.
	var b strings.Builder
	cols := []column{{title: "ID"}, {title: "Expires", order: ascending}}
	drawRows(&b, testRowStyles(termenv.Ascii), cols, []int{2, 0}, 0, 1, -1, func(int, int) cell { return cell{text: "x"} })
	if b.String() != "  ID\n  x" {
		t.Errorf("%q", b.String())
	}
}

// Exactly one row is marked without colours, whatever the window.
func TestDrawRows_anyWindow(t *testing.T) {
	styles := testRowStyles(termenv.ANSI)
	for width := -1; width <= 200; width++ {
		lines := strings.Split(drawTokens(styles, width, 2), "\n")
		if len(lines) != len(tokenCells)+1 {
			t.Fatalf("width %d: %d lines", width, len(lines))
		}
		marked := 0
		for _, line := range lines {
			if w := ansi.StringWidth(line); w > max(width, 0) {
				t.Errorf("width %d: %q takes %d cells", width, line, w)
			}
			plain := ansi.Strip(line)
			if strings.TrimRight(plain, " ") != plain {
				t.Errorf("width %d: %q is padded", width, line)
			}
			if strings.HasPrefix(plain, ">") {
				marked++
			}
		}
		if want := min(max(width-rowMarkerWidth, 0), 1); marked != want {
			t.Errorf("width %d: %d rows are marked", width, marked)
		}
	}
}

func TestLayoutColumns(t *testing.T) {
	for _, c := range []struct {
		name    string
		cols    []column
		content []int
		width   int
		want    []int
	}{
		{"none", nil, nil, 80, []int{}},
		{"content", []column{{title: "ab", min: 1}, {title: "c", min: 1}}, []int{5, 9}, 80, []int{5, 9}},
		{"the title counts as content", []column{{title: "Renewers"}}, []int{2}, 80, []int{8}},
		{"max holds", []column{{min: 1, max: 4}, {min: 1}}, []int{9, 9}, 80, []int{4, 9}},
		{"growing passes max", []column{{min: 1, max: 4, grow: true}, {min: 1}}, []int{9, 9}, 80, []int{9, 9}},
		{"growing comes last", []column{{min: 2, max: 4, grow: true}, {min: 2}}, []int{9, 9}, 15, []int{2, 9}},
		{"left before right", []column{{min: 2}, {min: 2}}, []int{9, 9}, 15, []int{9, 2}},
		{"nothing grows past its content", []column{{min: 1, grow: true}}, []int{5}, 80, []int{5}},
		{"dropped from the right", []column{{min: 5}, {min: 5}, {min: 1}}, []int{5, 5, 1}, 16, []int{5, 5, 0}},
		{"no later column jumps in", []column{{min: 5}, {min: 9}, {min: 1}}, []int{5, 9, 1}, 12, []int{5, 0, 0}},
		{"first is cut", []column{{min: 5}, {min: 1}}, []int{5, 1}, 5, []int{3, 0}},
		{"no room", []column{{min: 5}, {min: 1}}, []int{5, 1}, 2, []int{0, 0}},
		{"negative", []column{{min: 5}}, []int{5}, -9, []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := layoutColumns(c.cols, func(i int) int { return c.content[i] }, c.width)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestScrollTo(t *testing.T) {
	for _, c := range []struct{ offset, cursor, height, count, want int }{
		{0, 0, 10, 100, 0},
		{0, 9, 10, 100, 0},
		{0, 10, 10, 100, 6},    // past the lower edge: about half a page
		{6, 15, 10, 100, 6},    // then nothing moves until the next edge
		{50, 49, 10, 100, 44},  // past the upper edge
		{50, 0, 10, 100, 0},    // home
		{50, 99, 10, 100, 90},  // end
		{95, 97, 10, 100, 90},  // no blank rows after the last one
		{95, 5, 10, 8, 0},      // the list became shorter
		{0, 1, 1, 3, 1},        // one row at a time
		{5, 3, 0, 100, 0},      // no room
		{5, 3, 10, 0, 0},       // no rows
		{-4, 2, 10, 100, 0},    // nonsense in, sense out
		{0, 1000, 10, 100, 90}, // cursor past the end
	} {
		if got := scrollTo(c.offset, c.cursor, c.height, c.count); got != c.want {
			t.Errorf("scrollTo(%d, %d, %d, %d) = %d, want %d", c.offset, c.cursor, c.height, c.count, got, c.want)
		}
	}
}

// From any state the cursor comes into view, and holding a key down moves the
// rows seldom.
func TestScrollTo_cursorInView(t *testing.T) {
	for height := 1; height < 12; height++ {
		for count := 1; count < 30; count++ {
			for offset := range count {
				for cursor := range count {
					got := scrollTo(offset, cursor, height, count)
					if cursor < got || cursor >= got+height || got < 0 || got > max(count-height, 0) {
						t.Fatalf("scrollTo(%d, %d, %d, %d) = %d", offset, cursor, height, count, got)
					}
				}
			}
		}
	}
	moves, offset := 0, 0
	for cursor := range 1000 {
		if next := scrollTo(offset, cursor, 40, 1000); next != offset {
			moves, offset = moves+1, next
		}
	}
	if moves > 1000/20 {
		t.Errorf("the rows moved %d times", moves)
	}
}

func FuzzDrawRows(f *testing.F) {
	for i, name := range hostileNames {
		f.Add(name, "EXPIRED", 10*i, 3, i%4, 1)
	}
	styles := testRowStyles(termenv.ANSI)
	f.Fuzz(func(t *testing.T, a, b string, width, least, count, cursor int) {
		width, count, least = width%300, max(count%50, 0), least%20
		a, b = safeText(a), safeText(b)
		cols := []column{
			{title: a, min: least, grow: true, max: least},
			{title: b, min: least, right: true},
			{title: "x", min: 1},
		}
		field := func(_, col int) cell {
			return cell{text: []string{a, b, a + b}[col], mark: mark(col + 1)}
		}
		widths := layoutColumns(cols, func(col int) int { return textWidth(field(0, col).text) }, width)
		var out strings.Builder
		drawRows(&out, styles, cols, widths, 0, count, cursor, field)
		lines := strings.Split(out.String(), "\n")
		if len(lines) != count+1 {
			t.Fatalf("%d lines for %d rows", len(lines), count)
		}
		for _, line := range lines {
			if w := ansi.StringWidth(line); w > max(width, 0) {
				t.Errorf("width %d: %q takes %d cells", width, line, w)
			}
			if rest := sgrSequence.ReplaceAllString(line, ""); safeText(rest) != rest {
				t.Errorf("width %d: %q", width, line)
			}
		}
	})
}

func BenchmarkDrawRows(b *testing.B) {
	const height, width = 45, 200
	cols := []column{
		{title: "Token ID", min: 10, max: 24}, {title: "Renewers", min: 8, max: 30, grow: true},
		{title: "Issued", min: 8}, {title: "Expires v", min: 8}, {title: "Max lifetime ends", min: 8},
	}
	cells := make([][]cell, height)
	for i := range cells {
		cells[i] = []cell{
			{text: fmt.Sprintf("Zm9vYmFyYmF6cXV4MT%04d", i)}, {text: "User:alice, User:spark-history", mark: markMuted},
			{text: "Nov 30 19:31"}, {text: "in 5h 12m", mark: markWarn}, {text: "in 6d 23h", mark: markPlain},
		}
	}
	at := func(row, col int) cell { return cells[row][col] }
	content := func(col int) int { return textWidth(cells[0][col].text) }
	for name, profile := range map[string]termenv.Profile{"colour": termenv.ANSI, "plain": termenv.Ascii} {
		styles := testRowStyles(profile)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var out strings.Builder
				drawRows(&out, styles, cols, layoutColumns(cols, content, width), 0, height, 7, at)
			}
		})
	}
}
