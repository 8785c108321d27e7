package ui

import (
	"strconv"
	"testing"
)

// A list that was opened in a window of one row has its first row at the top.
// When the window grows, the heading above it must not stay out of sight.
func TestHeadingComesWithItsFirstRow(t *testing.T) {
	l := list{shown: []int32{groupExpired.heading(), 0, 1, groupHour.heading(), 2, 3, 4, 5, 6, 7}}
	key := func(row int) string { return strconv.Itoa(row) }
	l.moveTo(0, 1, key)
	if l.offset != 1 || l.cursor != 1 {
		t.Fatalf("offset %d, cursor %d", l.offset, l.cursor)
	}
	l.settle(4, key)
	if l.offset != 0 || l.cursor != 1 {
		t.Errorf("grown: offset %d, cursor %d", l.offset, l.cursor)
	}
	l.moveTo(8, 4, key)
	for range 3 { // up to the first row of the second group
		l.moveTo(l.cursor-1, 4, key)
	}
	if window := l.window(4); l.key != "3" && l.key != "2" || l.shown[l.cursor] <= headingRow || len(window) != 4 {
		t.Errorf("key %s, window %v", l.key, window)
	}
}
