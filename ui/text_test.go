package ui

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestSafeText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "User:alice", "User:alice"},
		{"distinguished name", "User:CN=alice,OU=x y", "User:CN=alice,OU=x y"},
		{"windows name keeps its backslash", `CORP\alice`, `CORP\alice`},
		{"CJK", "日本語ユーザー", "日本語ユーザー"},
		{"Arabic", "أليس", "أليس"},
		{"composed", "José", "José"},
		{"combining", "Jose\u0301", "Jose\u0301"},
		{"Thai with two marks", "ก็้", "ก็้"},
		{"emoji", "👩", "👩"},
		{"family", "👨\u200d👩\u200d👧", `👨\u200d👩\u200d👧`},
		{"flag", "🇫🇷", "🇫🇷"},
		{"colour sequence", "\x1b[31mred", `\x1b[31mred`},
		{"clipboard sequence", "a\x1b]52;c;AAAA\x07b", `a\x1b]52;c;AAAA\x07b`},
		{"C1 CSI", "a\u009b31m", `a\u009b31m`},
		{"raw C1 byte", "a\x9b31m", `a\x9b31m`},
		{"invalid UTF-8", "a\xff\xc3(", `a\xff\xc3(`},
		{"cut in the middle of a rune", "日本"[:4], `日\xe6`},
		{"surrogate", "\xed\xa0\x80", `\xed\xa0\x80`},
		{"real replacement character", "a\ufffdb", "a\ufffdb"},
		{"lines", "a\r\nb\tc\vd", `a\r\nb\tc\x0bd`},
		{"NUL and DEL", "a\x00b\x7f", `a\x00b\x7f`},
		{"line separators", "a\u2028b\u2029c\u0085d", `a\u2028b\u2029c\u0085d`},
		{"right-to-left override", "alice\u202egnp", `alice\u202egnp`},
		{"isolates", "\u2066a\u2069", `\u2066a\u2069`},
		{"zero-width space", "ali\u200bce", `ali\u200bce`},
		{"byte order mark", "\ufeffalice", `\ufeffalice`},
		{"soft hyphen", "ali\u00adce", `ali\u00adce`},
		{"no-break space", "alice\u00a0", `alice\u00a0`},
		{"ideographic space", "a\u3000b", `a\u3000b`},
		{"Hangul filler", "a\u3164", `a\u3164`},
		{"empty Braille", "a\u2800", `a\u2800`},
		{"variation selector", "a\ufe0f", `a\ufe0f`},
		{"grapheme joiner", "a\u034fb", `a\u034fb`},
		{"tag characters", "a\U000e0041", `a\U000e0041`},
		{"private use", "a\ue0b0", `a\ue0b0`},
		{"mark without a character", "\u0301a", `\u0301a`},
		{"mark after an escape", "a\n\u0301", `a\n\u0301`},
		{"pile of marks", "e" + strings.Repeat("\u0301", 6), "e" + strings.Repeat("\u0301", 4) + `\u0301\u0301`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := safeText(c.in); got != c.want {
				t.Errorf("safeText(%+q) = %+q, want %+q", c.in, got, c.want)
			}
		})
	}
}

func TestSafeText_noAllocation(t *testing.T) {
	for _, s := range []string{"User:alice", "日本語ユーザー", "Jose\u0301", "👩"} {
		if n := testing.AllocsPerRun(100, func() { _ = safeText(s) }); n != 0 {
			t.Errorf("safeText(%q) allocates %v times", s, n)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"alice", 5, "alice"},
		{"alice", 9, "alice"},
		{"alice", 4, "ali…"},
		{"alice", 1, "…"},
		{"alice", 0, ""},
		{"alice", -3, ""},
		{"", 4, ""},
		{"日本語", 6, "日本語"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"}, // half of 本 would fit: it is left out
		{"日本語", 2, "…"},
		{"aJose\u0301b", 6, "aJose\u0301b"},
		{"aJose\u0301bc", 6, "aJose\u0301…"},
		{"👩👩👩", 5, "👩👩…"},
		{"\x1b[31mexpired\x1b[0m", 4, "\x1b[31mexp…\x1b[0m"},
		{"\x1b[31mexpired\x1b[0m", 7, "\x1b[31mexpired\x1b[0m"},
	} {
		if got := fit(c.in, c.width); got != c.want {
			t.Errorf("fit(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

// checkSafe states what a terminal may rely on.
func checkSafe(t *testing.T, in, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("safeText(%+q) = %+q: not UTF-8", in, out)
	}
	for _, r := range out {
		if !unicode.IsPrint(r) {
			t.Errorf("safeText(%+q) lets %U through", in, r)
		}
	}
	if again := safeText(out); again != out {
		t.Errorf("safeText(%+q) = %+q, but of that it makes %+q", in, out, again)
	}
	if stripped := ansi.Strip(out); stripped != out {
		t.Errorf("safeText(%+q) = %+q holds a sequence", in, out)
	}
}

var hostileNames = []string{
	"", "alice", "\x1b[31m\x1b]52;c;AAAA\x07", "\x1bP1;2q\x1b\\", "\u009d11;?\x9c", "alice\u202e\u2066x",
	"日本語ユーザー", "👨\u200d👩\u200d👧\u200d👦", "e\u0301\u0301\u0301\u0301\u0301\u0301", "\u0301", "\xff\xfe\xed\xa0\x80",
	"a\u2028b\u0085c\r\nd", "1\ufe0f\u20e3", "🇫🇷🇩🇪🇫", "👩🏽", "한국어", "ᄀ" + "\u1161\u11a8", "\x00\x7f", "नमस्ते",
}

func FuzzSafeText(f *testing.F) {
	for _, s := range hostileNames {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		safe := safeText(s)
		checkSafe(t, s, safe)
		cut := fit(safe, width)
		if w := ansi.StringWidth(cut); w > max(width, 0) {
			t.Errorf("fit(%+q, %d) = %+q takes %d cells", safe, width, cut, w)
		}
		if textWidth(safe) <= width && cut != safe {
			t.Errorf("fit(%+q, %d) = %+q cuts what fits", safe, width, cut)
		}
		checkSafe(t, safe, cut)
	})
}
