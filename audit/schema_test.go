package audit

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fields are the JSON fields of a type as the package documentation names them.
func fields(t reflect.Type, prefix string) []string {
	var out []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		name = prefix + name
		of := f.Type
		if of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct {
			name, of = name+"[]", of.Elem()
		}
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct && of != reflect.TypeFor[Time]() {
			out = append(out, fields(of, name+".")...)
			continue
		}
		out = append(out, name)
	}
	return out
}

// TestTheFormatIsDocumented holds the table in the package documentation to
// the records, in their order.
func TestTheFormatIsDocumented(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, format, _ := strings.Cut(string(text), "# The format")
	format, versions, _ := strings.Cut(format, "# The chain")
	var documented []string
	for _, m := range regexp.MustCompile(`(?m)^//\t([a-z]\S*) +\S`).FindAllStringSubmatch(format, -1) {
		documented = append(documented, m[1])
	}
	want := fields(reflect.TypeFor[Record](), "")
	if got := strings.Join(documented, "\n"); !slices.Equal(documented, want) {
		t.Errorf("documented are\n%s\n\nthe records have\n%s", got, strings.Join(want, "\n"))
	}
	newest := regexp.MustCompile(`(?m)^//\t(\d+)  `).FindAllStringSubmatch(versions, -1)
	if n := len(newest); n != Schema {
		t.Errorf("%d versions are documented, the newest is %d", n, Schema)
	}
}
