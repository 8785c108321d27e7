package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// tree is the config of another tool. It remembers what was looked at, so that
// the rest can be named. Keys are compared without case, as these tools do.
type tree struct {
	value    any
	children map[string]*tree // by key in small letters, or by place in a list
	names    map[string]string
	used     bool
}

func newTree(value any) *tree {
	t := &tree{value: value}
	switch v := value.(type) {
	case map[string]any:
		t.children, t.names = map[string]*tree{}, map[string]string{}
		for key, inner := range v {
			lower := strings.ToLower(key)
			t.children[lower], t.names[lower] = newTree(inner), key
		}
	case []any:
		t.children = map[string]*tree{}
		for i, inner := range v {
			t.children[fmt.Sprintf("%08d", i)] = newTree(inner)
		}
	}
	return t
}

// get follows keys; what is not there is an empty tree.
func (t *tree) get(keys ...string) *tree {
	for _, key := range keys {
		next := t.children[strings.ToLower(key)]
		if next == nil {
			return &tree{}
		}
		t = next
	}
	return t
}

func (t *tree) has(key string) bool { return t.children[strings.ToLower(key)] != nil }

// entries are the trees of a list, or of a mapping in the order of its keys.
func (t *tree) entries() []*tree {
	var out []*tree
	for _, key := range slices.Sorted(maps.Keys(t.children)) {
		out = append(out, t.children[key])
	}
	return out
}

// nameOf is the key of an entry as the file spells it.
func (t *tree) nameOf(entry *tree) string {
	for key, inner := range t.children {
		if inner == entry {
			return t.names[key]
		}
	}
	return ""
}

// isList tells a list from a mapping.
func (t *tree) isList() bool {
	_, ok := t.value.([]any)
	return ok
}

// text is a text or a number, "" for what is neither.
func (t *tree) text(keys ...string) string {
	found := t.get(keys...)
	found.used = true
	switch v := found.value.(type) {
	case string:
		return v
	case int, int64, uint64, float64:
		return fmt.Sprint(v)
	}
	return ""
}

func (t *tree) flag(keys ...string) bool {
	found := t.get(keys...)
	found.used = true
	b, ok := found.value.(bool)
	return ok && b
}

// words are the texts of a list, or the one text.
func (t *tree) words(keys ...string) []string {
	found := t.get(keys...)
	found.used = true
	if s, ok := found.value.(string); ok {
		return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
	}
	var out []string
	for _, item := range found.entries() {
		if s := item.text(); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// unused names what nobody has looked at and that says something. Keys are
// shown when they look like keys.
func (t *tree) unused(prefix string) []string {
	if t.used || t.empty() {
		return nil
	}
	if !t.touched() {
		return []string{prefix}
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(t.children)) {
		name := t.names[key]
		if name == "" || len(name) > 40 || !madeOf(name, "_-.") {
			name = "…"
		}
		out = append(out, t.children[key].unused(strings.TrimPrefix(prefix+"."+name, "."))...)
	}
	return slices.Compact(out)
}

func (t *tree) touched() bool {
	return t.used || slices.ContainsFunc(t.entries(), (*tree).touched)
}

// empty reports values that say nothing: absent, false, 0, "" and what holds
// nothing else.
func (t *tree) empty() bool {
	switch v := t.value.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case int, int64, uint64, float64:
		return fmt.Sprint(v) == "0"
	}
	return !slices.ContainsFunc(t.entries(), func(inner *tree) bool { return !inner.empty() })
}
