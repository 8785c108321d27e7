package config

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Color is one of the sixteen ANSI colours, from 0 to 15, or NoColor.
type Color int

// NoColor leaves the choice to the screen.
const NoColor Color = -1

// colorNames are in the order of their numbers; the bright ones follow with
// the prefix "bright-".
func colorNames() []string {
	return []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}
}

func parseColor(text string) (Color, bool) {
	if n, err := strconv.Atoi(text); err == nil {
		return Color(n), n >= 0 && n <= 15
	}
	name, bright := strings.CutPrefix(strings.ToLower(text), "bright-")
	if name == "gray" || name == "grey" {
		return 8, !bright
	}
	for i, n := range colorNames() {
		if n == name {
			if bright {
				i += 8
			}
			return Color(i), true
		}
	}
	return NoColor, false
}

// defaultColor is red for production, as far as a name can tell.
func defaultColor(name string) Color {
	lower := strings.ToLower(name)
	for _, safe := range []string{"nonprod", "non-prod", "non_prod", "non prod"} {
		lower = strings.ReplaceAll(lower, safe, "")
	}
	if strings.Contains(lower, "prod") {
		return 1
	}
	return NoColor
}

func (y yamlFile) color(key string, into *Color) func(ast.Node) error {
	return func(n ast.Node) error {
		text := ""
		switch n := n.(type) {
		case *ast.StringNode:
			text = n.Value
		case *ast.IntegerNode:
			text = n.Token.Value
		}
		c, ok := parseColor(text)
		if !ok {
			return y.fail(lineOf(n), "%s must be a number from 0 to 15, or one of %s, with bright- before it or not", key, strings.Join(colorNames(), ", "))
		}
		*into = c
		return nil
	}
}
