package audit

import (
	"os"
	"strings"
	"testing"
)

// The kinds that a filter can name are those that the format's description
// lists.
func TestKinds(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "\n//\tkind ")
	text, _, _ = strings.Cut(text, "\n//\tphase ")
	listed := map[string]bool{}
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 1 {
			listed[part] = true
		}
	}
	for _, k := range Kinds() {
		if !listed[string(k)] {
			t.Errorf("%q is not in doc.go", k)
		}
		delete(listed, string(k))
	}
	if len(listed) > 0 {
		t.Errorf("%v are in doc.go alone", listed)
	}
}
