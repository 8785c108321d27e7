package ui

// order is how the rows of a table are sorted by a column.
type order uint8

const (
	unsorted order = iota
	ascending
	descending
)

// arrow shows an order beside a title.
func (o order) arrow() string { return [...]string{"", "↑", "↓"}[o] }

// column is a column of a table.
type column struct {
	title string
	// order is how the rows are sorted by it. Its arrow stands in the gap before
	// the title, which is never cut or moved for it.
	order order
	// min is the least width at which the column is worth showing; below 1
	// counts as 1.
	min int
	// max is what the column gets at most before growing ones get more;
	// 0 is no limit.
	max int
	// grow lets the column pass max, up to its content, in a wide window.
	grow bool
	// right aligns the cells to the right, for numbers.
	right bool
}

// layoutColumns gives each column its width in a window of so many cells, 0 to
// those that are not shown. content is the widest cell of a column.
//
// Columns leave from the right when not all of them fit at their least width;
// the first one always stays, cut as needed. What is left goes to the columns
// from left to right, first to those that do not grow.
func layoutColumns(cols []column, content func(col int) int, width int) []int {
	widths := make([]int, len(cols))
	spare := width - rowMarkerWidth
	shown := 0
	for i, c := range cols {
		need := max(c.min, 1)
		if i > 0 {
			need += columnGap
		}
		if need > spare {
			break
		}
		widths[i] = max(c.min, 1)
		spare -= need
		shown++
	}
	if shown == 0 {
		if len(cols) > 0 {
			widths[0] = max(spare, 0)
		}
		return widths
	}
	widen := func(i, want int) {
		more := min(max(want-widths[i], 0), spare)
		widths[i] += more
		spare -= more
	}
	wants := func(i int) int { return max(content(i), textWidth(cols[i].title)) }
	limited := func(i int) int {
		if cols[i].max > 0 {
			return min(wants(i), cols[i].max)
		}
		return wants(i)
	}
	for _, growing := range []bool{false, true} {
		for i := range shown {
			if cols[i].grow == growing {
				widen(i, limited(i))
			}
		}
	}
	for i := range shown {
		if cols[i].grow {
			widen(i, wants(i))
		}
	}
	return widths
}
