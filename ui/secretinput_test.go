package ui

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// canaryHMAC is the text of the 64 bytes 00 to 3f.
const canaryHMAC = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw=="

var keyTime = time.Date(2026, 11, 30, 19, 31, 29, 0, time.UTC)

func pasteKey(s string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}
}
func runesKey(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
func plainKey(t tea.KeyType) tea.KeyMsg {
	if t == tea.KeySpace {
		return tea.KeyMsg{Type: t, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: t}
}

// unbracketed is what Bubble Tea makes of a paste without brackets.
func unbracketed(s string) (keys []tea.KeyMsg) {
	special := map[byte]tea.KeyType{' ': tea.KeySpace, '\r': tea.KeyEnter, '\n': tea.KeyCtrlJ, '\t': tea.KeyTab}
	for s != "" {
		i := strings.IndexAny(s, " \r\n\t")
		if i < 0 {
			return append(keys, runesKey(s))
		}
		if i > 0 {
			keys = append(keys, runesKey(s[:i]))
		}
		keys = append(keys, plainKey(special[s[i]]))
		s = s[i+1:]
	}
	return keys
}

func TestSecretInput_note(t *testing.T) {
	jaas := `org.apache.kafka.common.security.scram.ScramLoginModule required username="t-1" password="` +
		canaryHMAC + `" tokenauth="true";`
	for _, c := range []struct {
		name, paste, note string
		ready             bool
	}{
		{"nothing", "", "empty", false},
		{"blanks", " \t\r\n\u00a0", "empty", false},
		{"HMAC", canaryHMAC, "88 characters, can be an HMAC", true},
		{"HMAC with a newline", canaryHMAC + "\n", "88 characters, can be an HMAC", true},
		{"wrapped by a terminal", canaryHMAC[:40] + "\r\n  " + canaryHMAC[40:], "88 characters, can be an HMAC", true},
		{"invisible characters", "\ufeff" + canaryHMAC[:9] + "\u200b" + canaryHMAC[9:], "88 characters, can be an HMAC", true},
		{"without padding", canaryHMAC[:86], "86 characters, can be an HMAC", true},
		{"quoted", `"` + canaryHMAC + `"`, "90 characters, can be an HMAC", true},
		{"JAAS line", jaas, "193 characters, with an HMAC in them", true},
		{"too short", canaryHMAC[:40], "40 characters, an HMAC has 88", false},
		{"one", "A", "1 character, an HMAC has 88", false},
		{"a character lost", canaryHMAC[:50] + canaryHMAC[51:], "87 characters, an HMAC has 88", false},
		{"pasted twice", canaryHMAC + canaryHMAC, "176 characters, an HMAC has 88", false},
		{"not base64", strings.Repeat("?", 88), "88 characters, but not base64 text: no HMAC", false},
		{"wide characters", "日本語", "3 characters, an HMAC has 88", false},
		{"just fits", strings.Repeat("A", 4096), "4096 characters, an HMAC has 88", false},
		{"one more", strings.Repeat("A", 4097), "too long: nothing kept", false},
		{"wide and too long", strings.Repeat("語", 4096), "too long: nothing kept", false},
		{"a megabyte", canaryHMAC + strings.Repeat("A", 1<<20), "too long: nothing kept", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for way, keys := range map[string][]tea.KeyMsg{
				"bracketed": {pasteKey(c.paste)}, "unbracketed": unbracketed(c.paste),
			} {
				s := newSecretInput()
				now := keyTime
				for _, key := range keys {
					s.handle(key, now)
					now = now.Add(time.Millisecond)
				}
				if got := s.note(); got != c.note {
					t.Errorf("%s: note %q, want %q", way, got, c.note)
				}
				if s.ready() != c.ready {
					t.Errorf("%s: ready %v", way, s.ready())
				}
				if s.empty() != (c.note == "empty") {
					t.Errorf("%s: empty %v", way, s.empty())
				}
				hmac, err := s.take()
				if c.ready && (err != nil || hmac.Len() != kafka.HMACSize) {
					t.Errorf("%s: take gives %d bytes, %v", way, hmac.Len(), err)
				}
				if !c.ready && (err == nil || hmac != nil) {
					t.Errorf("%s: take gives an HMAC", way)
				}
				if !s.empty() || s.note() != "empty" {
					t.Errorf("%s: %s after take", way, s.note())
				}
			}
		})
	}
}

func TestSecretInput_keys(t *testing.T) {
	type press struct {
		key  tea.KeyMsg
		gap  time.Duration
		used bool
		note string
	}
	const fast, slow = 5 * time.Millisecond, pasteQuiet
	part := runesKey // each press needs runes of its own: they are overwritten
	for _, c := range []struct {
		name    string
		presses []press
	}{
		{"enter within a paste", []press{
			{part("abc"), 0, true, "3 characters, an HMAC has 88"},
			{plainKey(tea.KeyEnter), fast, true, "3 characters, an HMAC has 88"},
			{plainKey(tea.KeyEnter), fast, true, "3 characters, an HMAC has 88"},
			{part("de"), fast, true, "5 characters, an HMAC has 88"},
			{plainKey(tea.KeyEnter), slow, false, "5 characters, an HMAC has 88"},
		}},
		{"enter after a bracketed paste", []press{
			{pasteKey("abc"), 0, true, "3 characters, an HMAC has 88"},
			{plainKey(tea.KeyEnter), slow - 1, true, "3 characters, an HMAC has 88"},
			{plainKey(tea.KeyEnter), slow, false, "3 characters, an HMAC has 88"},
		}},
		{"the end mark of brackets inside the clipboard", []press{
			{pasteKey("abc"), 0, true, "3 characters, an HMAC has 88"},
			{part("y"), fast, true, "4 characters, an HMAC has 88"},
			{plainKey(tea.KeyEnter), fast, true, "4 characters, an HMAC has 88"},
		}},
		{"tab leaves unless pasted", []press{
			{plainKey(tea.KeyTab), 0, false, "empty"},
			{part("abc"), slow, true, "3 characters, an HMAC has 88"},
			{plainKey(tea.KeyTab), fast, true, "3 characters, an HMAC has 88"},
			{plainKey(tea.KeyTab), slow, false, "3 characters, an HMAC has 88"},
		}},
		{"space counts for nothing", []press{
			{plainKey(tea.KeySpace), 0, true, "empty"},
			{part("abc"), slow, true, "3 characters, an HMAC has 88"},
			{plainKey(tea.KeySpace), slow, true, "3 characters, an HMAC has 88"},
			{plainKey(tea.KeyEnter), fast, true, "3 characters, an HMAC has 88"},
		}},
		{"backspace clears all", []press{
			{part("abc"), 0, true, "3 characters, an HMAC has 88"},
			{plainKey(tea.KeyBackspace), slow, true, "empty"},
			{part("q"), slow, true, "1 character, an HMAC has 88"},
			{plainKey(tea.KeyCtrlU), slow, true, "empty"},
		}},
		{"too long stays until the next paste", []press{
			{part(strings.Repeat("A", 5000)), 0, true, "too long: nothing kept"},
			{part("tail"), fast, true, "too long: nothing kept"},
			{part("abc"), slow, true, "3 characters, an HMAC has 88"},
		}},
		{"too long is cleared by backspace", []press{
			{pasteKey(strings.Repeat("A", 5000)), 0, true, "too long: nothing kept"},
			{plainKey(tea.KeyBackspace), fast, true, "empty"},
		}},
		{"two pieces add up", []press{
			{pasteKey(canaryHMAC[:50]), 0, true, "50 characters, an HMAC has 88"},
			{pasteKey(canaryHMAC[50:]), slow, true, "88 characters, can be an HMAC"},
		}},
		{"other keys are the dialog's", []press{
			{plainKey(tea.KeyEsc), 0, false, "empty"},
			{plainKey(tea.KeyCtrlC), fast, false, "empty"},
			{plainKey(tea.KeyCtrlV), fast, false, "empty"},
			{plainKey(tea.KeyUp), fast, false, "empty"},
			{plainKey(tea.KeyShiftTab), fast, false, "empty"},
			{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x"), Alt: true}, fast, false, "empty"},
			{plainKey(tea.KeyEnter), fast, false, "empty"},
			{plainKey(tea.KeyCtrlJ), fast, false, "empty"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s secretInput // the zero value works
			now := keyTime
			for i, p := range c.presses {
				now = now.Add(p.gap)
				if used := s.handle(p.key, now); used != p.used {
					t.Errorf("key %d: used %v", i, used)
				}
				if got := s.note(); got != p.note {
					t.Errorf("key %d: note %q, want %q", i, got, p.note)
				}
			}
		})
	}
}

// The keys' runes are overwritten, but never the slice that all of Bubble Tea's
// spaces share.
func TestSecretInput_overwritesKeys(t *testing.T) {
	s := newSecretInput()
	for _, key := range []tea.KeyMsg{pasteKey(canaryHMAC), runesKey(canaryHMAC), pasteKey(strings.Repeat("A", 5000))} {
		s.handle(key, keyTime)
		for _, r := range key.Runes {
			if r != 0 {
				t.Fatalf("%q is left in the key", r)
			}
		}
	}
	space := plainKey(tea.KeySpace)
	s.handle(space, keyTime)
	if space.Runes[0] != ' ' {
		t.Error("the space was overwritten")
	}
}

func TestSecretInput_copiesShareTheBuffer(t *testing.T) {
	type model struct{ field secretInput }
	one := model{newSecretInput()}
	two := one
	one.field.handle(pasteKey(canaryHMAC), keyTime)
	if !two.field.ready() || !reflect.DeepEqual(one, two) {
		t.Fatal("the copy differs")
	}
	two.field.wipe()
	if !one.field.empty() {
		t.Error("wiping one left the other")
	}
	one.field.buffer(func(b *pasteBuffer) {
		for i, c := range b.bytes {
			if c != 0 {
				t.Fatalf("byte %d is left", i)
			}
		}
	})
}

func TestSecretInput_takeGivesTheBytes(t *testing.T) {
	s := newSecretInput()
	s.handle(pasteKey(canaryHMAC), keyTime)
	hmac, err := s.take()
	if err != nil {
		t.Fatal(err)
	}
	hmac.Use(func(b []byte) {
		if base64.StdEncoding.EncodeToString(b) != canaryHMAC {
			t.Error("another HMAC came out")
		}
	})
	if _, err := s.take(); err == nil {
		t.Error("taken twice")
	}
	var never secretInput
	if _, err := never.take(); err == nil || !never.empty() || never.ready() || never.note() != "empty" {
		t.Error("the zero field is not empty")
	}
}

// Nothing that prints a model may print what is in the field.
func TestSecretInput_neverPrints(t *testing.T) {
	type model struct {
		hidden  secretInput
		Open    secretInput
		pointer *secretInput
		held    any
	}
	s := newSecretInput()
	s.handle(pasteKey(canaryHMAC), keyTime)
	m := model{s, s, &s, s}
	var printed strings.Builder
	for _, v := range []any{s, &s, m, &m, []secretInput{s}, map[string]secretInput{"a": s}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%c", "%U", "%p"} {
			fmt.Fprintf(&printed, verb+"\n", v)
		}
		slog.New(slog.NewTextHandler(&printed, nil)).Info("key", "field", v)
		slog.New(slog.NewJSONHandler(&printed, nil)).Info("key", "field", v)
		fmt.Fprintln(&printed, fmt.Errorf("dialog %v: %+v", v, v))
	}
	out := printed.String()
	for _, leak := range []string{canaryHMAC, canaryHMAC[4:20], fmt.Sprintf("%x", canaryHMAC[4:20]), "65 65 69 67 65", "0x41, 0x41, 0x45"} {
		if strings.Contains(strings.ToLower(out), strings.ToLower(leak)) {
			t.Errorf("%q was printed in\n%s", leak, out)
		}
	}
}

func FuzzSecretInput(f *testing.F) {
	f.Add(canaryHMAC, true, 10)
	f.Add("password=\""+canaryHMAC+"\"\r\n", false, 300)
	f.Add("\x00\ufeff\xff y\n", false, 40)
	f.Add(strings.Repeat("語 ", 3000), true, 0)
	f.Fuzz(func(t *testing.T, text string, bracketed bool, gap int) {
		s := newSecretInput()
		keys := []tea.KeyMsg{pasteKey(text), runesKey(text)}
		if !bracketed {
			keys = unbracketed(text)
		}
		now := keyTime
		for _, key := range keys {
			s.handle(key, now)
			now = now.Add(time.Duration(gap%1000) * time.Millisecond)
			if s.ready() && s.empty() {
				t.Fatal("ready and empty")
			}
		}
		ready := s.ready()
		hmac, err := s.take()
		if ready != (err == nil) || ready && hmac.Len() != kafka.HMACSize {
			t.Fatalf("ready %v, take: %d bytes, %v", ready, hmac.Len(), err)
		}
		if !s.empty() {
			t.Fatal("not empty after take")
		}
	})
}

// ready reports whether take would give an HMAC.
func (s *secretInput) ready() (ready bool) {
	s.buffer(func(b *pasteBuffer) { ready = b.verdict != notHMAC })
	return ready
}
