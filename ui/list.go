package ui

import (
	"strings"
	"unicode/utf8"
)

// headingRow is the first of the row numbers that stand for a heading: it and
// the numbers below are never under the cursor.
const headingRow = -2

// list is what every list on the screen has: the rows shown, the cursor, the
// filter and the order. Rows are numbers into the data they come from;
// negative ones are rows of the list's own.
type list struct {
	shown   []int32
	cursor  int
	offset  int
	key     string // identity of the row under the cursor
	filter  string
	sortBy  int
	reverse bool
}

// order turns the rows around, or sorts them by the next column, upwards.
func (l *list) order(reverse bool, next int) {
	if reverse {
		l.reverse = !l.reverse
		return
	}
	l.sortBy, l.reverse = next, false
}

// sorting is the order in which the rows are, for the title of their column.
func (l *list) sorting() order {
	if l.reverse {
		return descending
	}
	return ascending
}

// move puts the cursor delta rows further and keeps it in view.
func (l *list) move(delta, height int, key func(row int) string) {
	l.moveTo(l.cursor+delta, height, key)
}

// moveTo puts the cursor on a row and keeps it in view.
func (l *list) moveTo(cursor, height int, key func(row int) string) {
	n := len(l.shown)
	if n == 0 {
		l.cursor, l.offset, l.key = 0, 0, ""
		return
	}
	to := min(max(cursor, 0), n-1)
	l.cursor = l.offHeading(to, cursor < l.cursor)
	l.key = key(int(l.shown[l.cursor]))
	l.offset = scrollTo(l.offset, l.cursor, height, n)
	// A heading comes with the first row below it where there is room for both.
	if l.offset > 0 && l.shown[l.offset-1] <= headingRow && l.cursor < l.offset-1+height {
		l.offset--
	}
}

// offHeading is the nearest row to i that is no heading, looked for upwards or
// downwards first.
func (l *list) offHeading(i int, upwards bool) int {
	step := 1
	if upwards {
		step = -1
	}
	for _, by := range []int{step, -step} {
		for at := i; at >= 0 && at < len(l.shown); at += by {
			if l.shown[at] > headingRow {
				return at
			}
		}
	}
	return i
}

// settle finds the cursor's row again after the rows have changed: the same
// token or user where it is still shown, else the row at the same place.
func (l *list) settle(height int, key func(row int) string) {
	if l.key != "" {
		for i, row := range l.shown {
			if row > headingRow && key(int(row)) == l.key {
				l.moveTo(i, height, key)
				return
			}
		}
	}
	l.moveTo(l.cursor, height, key)
}

// window are the rows on the screen.
func (l *list) window(height int) []int32 {
	from := min(l.offset, len(l.shown))
	return l.shown[from:min(from+max(height, 0), len(l.shown))]
}

// containsFold reports whether s holds the lower-case needle, letters of ASCII
// compared without case. It does not allocate: a filter runs over every row at
// every key.
func containsFold(s, needle string) bool {
	n := len(needle)
	if n == 0 {
		return true
	}
	first := needle[0]
	for i := 0; i+n <= len(s); i++ {
		if lower(s[i]) != first {
			continue
		}
		j := 1
		for j < n && lower(s[i+j]) == needle[j] {
			j++
		}
		if j == n {
			return true
		}
	}
	return false
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// foldNeedle prepares a filter for containsFold.
func foldNeedle(filter string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return rune(lower(byte(r)))
		}
		return r
	}, filter)
}
