package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// ReasonLimit is how many characters of a reason are recorded.
const ReasonLimit = 500

// problemLimit bounds the text of an error, which may quote a broker.
const problemLimit = 2000

// line is the record as one line of JSON with its newline. Whatever the names
// and the reason hold, the line has no other control character, so that
// showing the file with cat or tail cannot drive a terminal.
func (r Record) line() ([]byte, error) {
	r.Reason = shorten(withoutHMAC(r.Reason), ReasonLimit)
	if r.Problem != nil {
		p := *r.Problem
		p.Text = shorten(withoutHMAC(p.Text), problemLimit)
		r.Problem = &p
	}
	r.Token.Owner = unlessHMAC(r.Token.Owner)
	r.Token.Renewers = slices.Clone(r.Token.Renewers)
	for i, name := range r.Token.Renewers {
		r.Token.Renewers[i] = unlessHMAC(name)
	}
	r.Rules, r.Quota = withoutHMACs(r.Rules), r.Quota.withoutHMAC()
	if r.Read != nil {
		read := *r.Read
		read.Owner = unlessHMAC(read.Owner)
		read.Tokens = slices.Clone(read.Tokens)
		for i := range read.Tokens {
			read.Tokens[i] = read.Tokens[i].withoutHMAC()
		}
		r.Read = &read
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, err
	}
	return escapeUnprintable(buf.Bytes()), nil
}

const leftOut = "[left out: it may be an HMAC]"

// hmacLike is a run of base64 or hexadecimal characters that is long enough to
// be an HMAC of 64 bytes; hmacName is a name that is nothing but such a text.
// (A name may hold a long run and still be one: a SPIFFE id.) They are compiled
// when they are needed, because commands that only read are to start fast.
var (
	hmacLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9+/_-]{86,}={0,2}`) })
	hmacName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(User:)?[A-Za-z0-9+/_-]{86}={0,2}$`) })
)

// withoutHMAC takes out of a free text what may be an HMAC that was pasted
// into the wrong field.
func withoutHMAC(s string) string {
	return hmacLike().ReplaceAllString(s, leftOut)
}

// unlessHMAC is the same for a name that a person typed.
func unlessHMAC(name string) string {
	if hmacName().MatchString(name) {
		return leftOut
	}
	return name
}

func (t ReadToken) withoutHMAC() ReadToken {
	t.Owner, t.Requester = unlessHMAC(t.Owner), unlessHMAC(t.Requester)
	t.Renewers = slices.Clone(t.Renewers)
	for i, name := range t.Renewers {
		t.Renewers[i] = unlessHMAC(name)
	}
	return t
}

// shorten cuts s to limit characters and says so.
func shorten(s string, limit int) string {
	n := utf8.RuneCountInString(s)
	if n <= limit {
		return s
	}
	runes := []rune(s)
	return fmt.Sprintf("%s… (cut, %d characters)", string(runes[:limit]), n)
}

// escapeUnprintable writes every character that JSON allows but a terminal may
// act on (DEL, the C1 controls, bidirectional marks) as \u escapes. Outside of
// strings JSON has ASCII only, so the meaning stays the same.
func escapeUnprintable(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	var out strings.Builder
	out.Grow(len(line) + 1)
	for _, r := range string(line) {
		switch {
		case unicode.IsPrint(r):
			out.WriteRune(r)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	out.WriteByte('\n')
	return []byte(out.String())
}
