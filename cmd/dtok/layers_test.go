package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestDependenciesPointOneWay holds the layers: cmd uses ui, audit, config and
// kafka; ui and audit use kafka; kafka and config use nothing of ours above
// them.
func TestDependenciesPointOneWay(t *testing.T) {
	// allowed is what a package may need besides itself and its subfolders.
	allowed := map[string][]string{
		"dtok/config":   nil,
		"dtok/kafka":    nil,
		"dtok/audit":    {"dtok/kafka"},
		"dtok/ui":       {"dtok/kafka"},
		"dtok/cmd/dtok": {"dtok/ui", "dtok/audit", "dtok/config", "dtok/kafka"},
	}
	// A terminal library is for ui and cmd alone.
	const terminal = "github.com/charmbracelet/"

	for top, may := range allowed {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-f",
			`{{$p := .ImportPath}}{{range .Deps}}{{$p}} {{.}}{{"\n"}}{{end}}`, top+"/...").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		seen := 0
		for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
			pkg, dep, ok := strings.Cut(line, " ")
			if !ok {
				continue
			}
			seen++
			if strings.HasPrefix(dep, terminal) && top != "dtok/ui" && top != "dtok/cmd/dtok" {
				t.Errorf("%s needs %s", pkg, dep)
			}
			if strings.HasPrefix(dep, "dtok/") && !under(dep, top) && !anyUnder(dep, may) {
				t.Errorf("%s needs %s", pkg, dep)
			}
			if top == "dtok/ui" && under(dep, "dtok/kafka/demo") {
				t.Errorf("%s needs %s; the demo is wired in cmd", pkg, dep)
			}
			if pkg == "dtok/kafka" && strings.HasPrefix(dep, "dtok/kafka/") && dep != "dtok/kafka/wire" {
				t.Errorf("%s needs %s", pkg, dep)
			}
		}
		if seen == 0 {
			t.Errorf("%s has no dependencies at all; is it still there?", top)
		}
	}
}

func under(pkg, top string) bool { return pkg == top || strings.HasPrefix(pkg, top+"/") }

func anyUnder(pkg string, tops []string) bool {
	for _, top := range tops {
		if under(pkg, top) {
			return true
		}
	}
	return false
}
