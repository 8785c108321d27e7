package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// pictureFolder has the pictures, beside the screens that the tests of ui hold.
const pictureFolder = "../../testdata/screens"

// pictures are the screens of one session with the demo, by file name.
type pictures struct {
	*stage
	drawn map[string]string
}

// aKey is what could be an HMAC, or most of one.
var aKey = regexp.MustCompile(`[A-Za-z0-9+/]{40}`)

// take draws the screen, which must hold what the picture is for.
func (p *pictures) take(name, title string, holds ...string) {
	p.Helper()
	p.sees(holds...)
	terminal := p.terminal()
	svg, err := drawSVG("dtok: "+title, terminal)
	if err != nil {
		p.Fatalf("%s: %v", name, err)
	}
	if _, drawn := textOf(p.T, svg, p.cols, p.rows); !slices.Equal(drawn, rowsOf(terminal)) {
		p.Fatalf("%s differs from the terminal (-terminal +picture):\n%s", name, cmp.Diff(rowsOf(terminal), drawn))
	}
	if found := aKey.FindString(svg); found != "" {
		p.Fatalf("%s holds what may be an HMAC: %s…", name, found[:8])
	}
	p.drawn[name+".svg"] = svg
}

// Tokens of the demo, by what its story says of them.
const (
	laptopToken   = "XqArWl6RomCNUmy9B1cNPg" // alice's laptop
	notebookToken = "QfVy3NPJTJRT7b40Nhxvlg" // alice's notebook, about to expire
	ownToken      = "d5SaDB0IlWG-KEN12n3MLA" // alice's own, which ops may not renew
)

// drawPictures goes through the demo once and takes every picture on the way.
func drawPictures(t *testing.T) map[string]string {
	t.Helper()
	p := &pictures{openStage(t, "standard"), map[string]string{}}
	p.take("users", "the users of a cluster, and how many tokens, ACL rules and quotas each has",
		"demo > Users", "All tokens 20", "team-fraud-scoring")
	p.press("t")
	p.take("all-tokens", "the tokens of all users, the next to expire first",
		"All tokens > 20 tokens", "within 1 h (3)", "in 2m")
	p.press("esc", "o")
	p.write("alice")
	p.press("enter")
	p.resize(122, 22)
	p.take("tokens", "the users, and beside them the tokens of one",
		"demo > alice > 5 tokens", "Max lifetime ends", laptopToken)
	p.resize(80, 24)
	p.press("2")
	p.take("acl-rules", "the ACL rules of a user, and who may make tokens for it",
		"rules on this user (3)", "! User alice")
	p.press("3")
	p.take("quotas", "the quotas of a user, and which of them apply",
		"What applies to alice", "from level 3 of 8: user alice")
	p.makeChanges()
	p.press("A")
	p.take("audit-trail", "the audit trail: what was changed, by whom, and how it ended",
		"demo > Audit trail > 6 records", "refused", "set quota")

	off := &pictures{openStage(t, "no-secret-key"), p.drawn}
	off.press("down", "down", "down", "down", "enter")
	off.take("tokens-off", "why a cluster has no delegation tokens, and what to set",
		"This cluster issues no delegation tokens", "(c create)")
	return p.drawn
}

// makeChanges changes alice's tokens, rules and quotas, for the audit trail to
// have something in it, and takes the pictures of a creation.
func (p *pictures) makeChanges() {
	p.Helper()
	p.press("1", "c")
	p.write("bob")
	p.press("enter", "tab")
	p.write("12")
	p.take("create", "the dialog that creates a delegation token",
		"Create delegation token", "Renewers bob", "> Maximum lifetime (hours) 12_")
	p.button("Create")
	p.take("card", "the card after a creation, with the HMAC blacked out in this picture",
		"Copy this now", newToken, "blacked out in this picture")
	p.press("d", "d")
	p.wait(4 * time.Minute)

	p.choose(laptopToken)
	p.press("w")
	p.pasteHMAC(laptopToken)
	p.button("Renew")
	p.wait(2 * time.Minute)
	p.choose(ownToken)
	p.press("w")
	p.pasteHMAC(ownToken)
	p.button("Renew")
	p.press("esc")
	p.wait(time.Minute)
	p.choose(notebookToken)
	p.press("x", "tab") // Cancel has the focus
	p.pasteHMAC(notebookToken)
	p.press("tab")
	p.write("laptop lost")
	p.button("Expire")
	p.wait(7 * time.Minute)

	p.press("2", "g")
	p.write("bob")
	p.button("Grant")
	p.wait(3 * time.Minute)
	p.press("3", "e")
	p.write("0") // behind what applies now
	p.press("tab")
	p.write("backfill until Monday")
	p.button("Set")
	p.wait(5 * time.Minute)
}

// TestPicturesAreCurrent holds the pictures to the program: what they show is
// what dtok shows now. make screens draws them anew.
func TestPicturesAreCurrent(t *testing.T) {
	drawn := drawPictures(t)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(pictureFolder, "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range kept {
		if _, ok := drawn[filepath.Base(path)]; ok {
			continue
		}
		if !*update {
			t.Errorf("%s is no picture of a screen any more; run make screens", path)
		} else if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(drawn)) {
		if !strings.Contains(string(readme), "testdata/screens/"+name) {
			t.Errorf("the README does not show %s", name)
		}
		path := filepath.Join(pictureFolder, name)
		if *update {
			if err := os.WriteFile(path, []byte(drawn[name]), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		have, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(string(have), drawn[name]); diff != "" {
			t.Errorf("%s is not what dtok shows now; run make screens (-kept +now):\n%s", path, diff)
		}
	}
}
