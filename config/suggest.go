package config

import (
	"maps"
	"slices"
	"strings"
)

// nearest is the known key that name probably stands for, or "": one within
// two edits (three for long names), or what follows a prefix such as
// "producer.". Ties go to the alphabet.
func nearest(table map[string]keyRule, name string) string {
	if len(name) > 80 {
		return ""
	}
	best, limit := "", 2
	if len(name) >= 20 {
		limit = 3
	}
	lower := strings.ToLower(name)
	for _, key := range slices.Sorted(maps.Keys(table)) {
		// A short word is near to everything.
		if len(key) < 8 {
			continue
		}
		if strings.HasSuffix(lower, "."+key) {
			return key
		}
		if abs := max(len(lower)-len(key), len(key)-len(lower)); abs > limit {
			continue
		}
		d := edits(lower, key)
		if d < limit || (d == limit && best == "") {
			best, limit = key, d
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
func showable(table map[string]keyRule, name string) bool {
	if len(name) > 80 {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(isDigit(rune(c)) || c == '.' || c == '-' || c == '_')) {
			return false
		}
	}
	if nearest(table, name) != "" {
		return true
	}
	family, _, dotted := strings.Cut(name, ".")
	if !dotted {
		return false
	}
	for key := range table {
		if strings.HasPrefix(key, family+".") {
			return true
		}
	}
	return false
}
