package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// secret is something that must not be found, in every form in which it could
// have been written down. It is known by its name; what it is is never printed.
type secret struct {
	name  string
	forms []form
}

// form is one way to write a secret. A long one is looked for in pieces, so
// that half an HMAC, or one broken over two lines, is found as well.
type form struct {
	name   string
	whole  []byte
	pieces [][]byte
}

// pieces are parts of a form of size bytes, every fourth byte: whatever shows
// size+3 bytes of the secret in a row holds one of them.
func pieces(whole []byte, size int) [][]byte {
	if len(whole) <= size {
		return [][]byte{whole}
	}
	var all [][]byte
	for at := 0; at+size <= len(whole); at += 4 {
		all = append(all, whole[at:at+size])
	}
	return all
}

func written(name string, whole []byte, piece int) form {
	return form{name: name, whole: whole, pieces: pieces(whole, piece)}
}

// hmacSecret has the forms of an HMAC.
func hmacSecret(name string, raw []byte) secret {
	text := strings.TrimRight(base64.StdEncoding.EncodeToString(raw), "=")
	url := strings.TrimRight(base64.URLEncoding.EncodeToString(raw), "=")
	s := secret{name: name, forms: []form{
		written("raw bytes", raw, 8),
		written("base64", []byte(text), 12),
		written("hex", []byte(hex.EncodeToString(raw)), 16),
		written("HEX", []byte(strings.ToUpper(hex.EncodeToString(raw))), 16),
		written("bytes in decimal", []byte(strings.Trim(fmt.Sprint(raw), "[]")), 24),
		written("characters of four bytes", utf32(text), 48),
	}}
	// Where neither of the two characters that differ is, it is base64 as well.
	coded := written("base64url", []byte(url), 12)
	coded.pieces = slices.DeleteFunc(coded.pieces, func(p []byte) bool { return !bytes.ContainsAny(p, "-_") })
	if len(coded.pieces) > 0 {
		s.forms = append(s.forms, coded)
	}
	return s.encodedAgain([]byte(text), 16)
}

// textSecret has the forms of a password or of a proof.
func textSecret(name, text string) secret {
	s := secret{name: name, forms: []form{
		written("text", []byte(text), max(len(text), 12)),
		written("hex", []byte(hex.EncodeToString([]byte(text))), 16),
		written("characters of four bytes", utf32(text), 4*min(len(text), 12)),
	}}
	return s.encodedAgain([]byte(text), 12)
}

// encodedAgain adds the base64 of a text, as it stands inside the base64 of a
// longer one: OSC 52, Basic auth and the like. What shares a group of four
// characters with its neighbours is left out.
func (s secret) encodedAgain(text []byte, piece int) secret {
	for shift := range 3 {
		coded := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), text...))
		from := 0
		if shift > 0 {
			from = 4
		}
		coded = coded[from : len(coded)/4*4]
		if len(coded) >= piece {
			s.forms = append(s.forms, written("base64 of the text", []byte(coded), piece))
		}
	}
	return s
}

// utf32 is text as Go keeps runes, which is how Bubble Tea hands keys over.
func utf32(text string) []byte {
	var out []byte
	for _, r := range text {
		out = binary.LittleEndian.AppendUint32(out, uint32(r))
	}
	return out
}

// in tells in which forms the secret is in data.
func (s secret) in(data []byte) []string {
	var found []string
	for _, f := range s.forms {
		if slices.ContainsFunc(f.pieces, func(p []byte) bool { return bytes.Contains(data, p) }) {
			found = append(found, f.name)
		}
	}
	return slices.Compact(found)
}

// secrets are all that one run could give away.
type secrets []secret

// mustNotBeIn reports each secret that is in data, by its name and the form.
func (all secrets) mustNotBeIn(t testing.TB, where string, data []byte) {
	t.Helper()
	for _, s := range all {
		for _, f := range s.in(data) {
			t.Errorf("LEAK: %s is in %s, as %s", s.name, where, f)
		}
	}
}

// without leaves a secret out, where it is meant to be seen.
func (all secrets) without(name string) secrets {
	return slices.DeleteFunc(slices.Clone(all), func(s secret) bool { return s.name == name })
}

// mustNotBeShown looks through terminal output: as it is, and as text without
// sequences, line ends and blanks, so that what is broken over lines is whole.
func (all secrets) mustNotBeShown(t testing.TB, where string, output []byte) {
	t.Helper()
	all.mustNotBeIn(t, where, output)
	text := strings.Join(strings.Fields(ansi.Strip(string(output))), "")
	all.mustNotBeIn(t, where+" (joined)", []byte(text))
}

// osc52 takes what programs sent to the terminal's clipboard out of a stream:
// the rest, and the texts decoded.
func osc52(t testing.TB, stream []byte) (rest []byte, texts [][]byte) {
	t.Helper()
	sequence := regexp.MustCompile(`\x1b\]52;c;([A-Za-z0-9+/=]*)(\x07|\x1b\\)`)
	for _, m := range sequence.FindAllSubmatch(stream, -1) {
		text, err := base64.StdEncoding.DecodeString(string(m[1]))
		if err != nil {
			t.Errorf("what was sent to the clipboard is not base64: %v", err)
		}
		texts = append(texts, text)
	}
	return sequence.ReplaceAll(stream, nil), texts
}

// TestTheScanFinds guards the scan itself: a search that finds nothing proves
// nothing unless it would have.
func TestTheScanFinds(t *testing.T) {
	raw := make([]byte, 64)
	for i := range raw {
		raw[i] = byte(i*37 + 251)
	}
	text := base64.StdEncoding.EncodeToString(raw)
	s := hmacSecret("the HMAC", raw)
	password := textSecret("the password", "ops-secret")
	hits := map[string]string{
		"base64":                   "x" + text,
		"base64url":                strings.NewReplacer("+", "-", "/", "_").Replace(text),
		"half of it":               text[:44],
		"the other half":           text[44:],
		"hex":                      hex.EncodeToString(raw),
		"upper hex":                strings.ToUpper(hex.EncodeToString(raw)),
		"raw":                      "abc" + string(raw) + "def",
		"half of the raw bytes":    string(raw[32:]),
		"%v of the bytes":          fmt.Sprint(raw),
		"clipboard":                base64.StdEncoding.EncodeToString([]byte(text)),
		"in a config, clipboard":   base64.StdEncoding.EncodeToString([]byte(`x password="` + text + `";`)),
		"in a config, clipboard 2": base64.StdEncoding.EncodeToString([]byte(`xy password="` + text + `";`)),
		"in a config, clipboard 3": base64.StdEncoding.EncodeToString([]byte(`xyz password="` + text + `";`)),
		"runes":                    string(utf32(text)),
	}
	for name, data := range hits {
		if len(s.in([]byte(data))) == 0 {
			t.Errorf("%s is not found", name)
		}
	}
	if got := s.in([]byte("nothing of it, " + text[:8] + " is too little")); got != nil {
		t.Errorf("found as %v where it is not", got)
	}
	broken := "\x1b[2;1H" + text[:7] + "\x1b[K\r\n\x1b[7m" + text[7:14] + "\x1b[0m  \r\n" + text[14:21]
	if len(s.in([]byte(broken))) != 0 {
		t.Error("the broken text must be found by joining only")
	}
	joined := strings.Join(strings.Fields(ansi.Strip(broken)), "")
	if len(s.in([]byte(joined))) == 0 {
		t.Error("what is broken over lines is not found")
	}
	for _, data := range []string{"user ops-secret!", base64.StdEncoding.EncodeToString([]byte("\x00ops\x00ops-secret"))} {
		if len(password.in([]byte(data))) == 0 {
			t.Errorf("the password is not found in %q", data)
		}
	}
}
