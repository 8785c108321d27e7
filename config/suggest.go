package config

import (
	"slices"
	"strings"
)

// nearest is the known key that name probably stands for, or "": one within
// two edits (three for long names), or what follows a prefix such as
// "producer.". Ties go to the alphabet.
func nearest(name string) string {
	lower, limit := strings.ToLower(name), 2
	if len(name) >= 20 {
		limit = 3
	}
	// A short word is near to everything.
	keys := slices.DeleteFunc(keyNames(), func(key string) bool { return len(key) < 8 })
	for _, key := range keys {
		if strings.HasSuffix(lower, "."+key) && len(name) <= maxName {
			return key
		}
	}
	return closest(keys, lower, limit)
}

// maxName is the length of the longest name that is looked at.
const maxName = 80

// closest is the first of the names with the fewest edits from name, "" when
// all have more than limit, or so many that little of name is left.
func closest(names []string, name string, limit int) string {
	if len(name) > maxName {
		return ""
	}
	best := ""
	limit = min(limit, len(name)/2)
	for _, candidate := range names {
		if max(len(name)-len(candidate), len(candidate)-len(name)) > limit {
			continue
		}
		d := edits(name, candidate)
		if d < limit || (d == limit && best == "") {
			best, limit = candidate, d
		}
	}
	return best
}

// edits counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b (optimal string alignment).
func edits(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// showable reports whether an unknown key may be shown. After a broken
// continuation a line of a password or of a private key stands where a key
// should be, so only a name in the spelling of keys is shown, and only when it
// is near a known one or in the same family as one.
func showable(name string) bool {
	if len(name) > maxName {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(isDigit(rune(c)) || c == '.' || c == '-' || c == '_')) {
			return false
		}
	}
	if nearest(name) != "" {
		return true
	}
	family, _, dotted := strings.Cut(name, ".")
	if !dotted {
		return false
	}
	for _, key := range keyNames() {
		if strings.HasPrefix(key, family+".") {
			return true
		}
	}
	return false
}
