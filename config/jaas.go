package config

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// loginModule is one entry of sasl.jaas.config: CLASS FLAG NAME=VALUE … ;
type loginModule struct {
	class   string
	flag    string // required, requisite, sufficient or optional
	options map[string][]byte
}

// option is the value of a named option, nil when there is none.
func (m loginModule) option(name string) []byte { return m.options[name] }

func (m loginModule) wipe() {
	for _, v := range m.options {
		clear(v)
	}
}

// The faults of a sasl.jaas.config. None says what stood there: a quote in a
// password makes the rest of the password look like a name.
var (
	errJaasEmpty = errors.New("names no login module")
	errJaasFlag  = errors.New("needs required, requisite, sufficient or optional after the name of the login module" +
		" (and no quotes around the whole value)")
	errJaasClass = errors.New("must begin with the name of a login module")
	errJaasValue = errors.New(`has an option without a value: write name="value" with the value in quotes;` +
		` a quote inside the value is written \\" and a backslash \\\\`)
	errJaasEnd = errors.New(`must end with a semicolon outside quotes: put every value in quotes` +
		` (outside quotes a slash starts a comment), and a backslash that continues a line must be the last character of the line`)
)

// parseJAAS reads the value of sasl.jaas.config as Kafka's JaasConfig does. As
// there, an option whose name is not a word is accepted; it can belong to no
// module and gets the name "". The order is that of the text; the options must
// be wiped by the caller.
func parseJAAS(text []byte) ([]loginModule, error) {
	t := &tokens{text: text, ahead: needChar}
	var modules []loginModule
	fail := func(err error) ([]loginModule, error) {
		for _, m := range modules {
			m.wipe()
		}
		return nil, err
	}
	for t.next() != tokenEnd {
		m, err := parseLoginModule(t)
		modules = append(modules, m)
		if err != nil {
			return fail(err)
		}
	}
	if len(modules) == 0 {
		return fail(errJaasEmpty)
	}
	return modules, nil
}

// parseLoginModule reads one entry; its first token is already read.
func parseLoginModule(t *tokens) (loginModule, error) {
	m := loginModule{class: string(t.value), options: map[string][]byte{}}
	if t.next() == tokenEnd {
		return m, errJaasFlag
	}
	switch flag := strings.ToUpper(string(t.value)); flag {
	case "REQUIRED", "REQUISITE", "SUFFICIENT", "OPTIONAL":
		m.flag = strings.ToLower(flag)
	default:
		return m, errJaasFlag
	}
	for t.next() != tokenEnd && t.kind != ';' {
		name := string(t.value)
		if t.next() != '=' || t.next() == tokenEnd || t.value == nil {
			return m, errJaasValue
		}
		if old, ok := m.options[name]; ok {
			clear(old)
		}
		m.options[name] = t.value
	}
	if t.kind != ';' {
		return m, errJaasEnd
	}
	if m.class == "" {
		return m, errJaasClass
	}
	return m, nil
}

// The kinds of token that are no character of their own.
const (
	tokenEnd    rune = -1
	tokenNumber rune = -2
	tokenWord   rune = -3
	needChar    rune = -4
)

// tokens cuts a text as java.io.StreamTokenizer does when set up by Kafka:
// words of letters, digits, dots and _ - $; numbers, which are never a value;
// strings in " or ' with C-like escapes, ended by a line end too; comments
// from / (also //) to the end of the line and between /* and */.
type tokens struct {
	text  []byte
	pos   int
	ahead rune // a character read too far, or needChar
	kind  rune // of the last token; the quote for a string
	value []byte
}

func (t *tokens) read() rune {
	if t.pos >= len(t.text) {
		return tokenEnd
	}
	r, n := utf8.DecodeRune(t.text[t.pos:])
	t.pos += n
	return r
}

func isSpace(r rune) bool { return r >= 0 && r <= ' ' }
func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// startsNumber is asked before isLetter, so that a leading '-', '.' or digit
// makes a number and not a word.
func startsNumber(r rune) bool { return isDigit(r) || r == '.' || r == '-' }

// isLetter: from 128 to 159 StreamTokenizer knows no letters.
func isLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 160 || r == '_' || r == '$' || r == '-'
}

// next reads a token, sets value for a word or a string and nil otherwise, and
// returns its kind.
func (t *tokens) next() rune {
	t.kind, t.value = t.scan()
	return t.kind
}

func (t *tokens) scan() (rune, []byte) {
	for {
		c := t.ahead
		t.ahead = needChar
		if c < 0 {
			c = t.read()
		}
		for isSpace(c) {
			c = t.read()
		}
		switch {
		case c < 0:
			return tokenEnd, nil
		case c == '/':
			if !t.skipComment() {
				return tokenEnd, nil
			}
		case startsNumber(c):
			return t.scanNumber(c), nil
		case isLetter(c):
			var word []byte
			for isLetter(c) || startsNumber(c) {
				word = utf8.AppendRune(word, c)
				c = t.read()
			}
			t.ahead = c
			return tokenWord, word
		case c == '"' || c == '\'':
			return c, t.scanString(c)
		default:
			return c, nil
		}
	}
}

func (t *tokens) scanNumber(c rune) rune {
	if c == '-' {
		c = t.read()
		if c != '.' && !isDigit(c) {
			t.ahead = c
			return '-'
		}
	}
	dot := false
	for isDigit(c) || (c == '.' && !dot) {
		dot = dot || c == '.'
		c = t.read()
	}
	t.ahead = c
	return tokenNumber
}

// scanString reads up to the quote. A string that a line end cuts off is a
// value all the same, as in Java; what follows then fails.
func (t *tokens) scanString(quote rune) []byte {
	out := []byte{}
	c := t.read()
	for c >= 0 && c != quote && c != '\n' && c != '\r' {
		r := c
		c = t.read()
		if r == '\\' {
			r, c = t.unescape(c)
		}
		if r >= 0 {
			out = utf8.AppendRune(out, r)
		}
	}
	if c != quote {
		t.ahead = c
	}
	return out
}

// unescape gets the character after a backslash and returns what both mean,
// and the character after them. Octal is \0 to \377.
func (t *tokens) unescape(c rune) (value, after rune) {
	if c < '0' || c > '7' {
		if i := strings.IndexRune("abfnrtv", c); i >= 0 {
			c = rune("\a\b\f\n\r\t\v"[i])
		}
		return c, t.read()
	}
	value = c - '0'
	after = t.read()
	for digits := 1; digits < 3 && after >= '0' && after <= '7' && value < 32; digits++ {
		value = value<<3 + after - '0'
		after = t.read()
	}
	return value, after
}

// skipComment skips what a slash starts; false means that the text ended
// inside. Java does not look at the character after a single slash, nor at the
// one after a line feed inside /* */, which can hide the end of the comment;
// so neither does this.
func (t *tokens) skipComment() bool {
	c := t.read()
	if c != '*' {
		for c = t.read(); c != '\n' && c != '\r' && c >= 0; c = t.read() {
		}
		t.ahead = c
		return c >= 0
	}
	last := rune(0)
	for c = t.read(); c != '/' || last != '*'; c = t.read() {
		switch c {
		case '\r':
			if c = t.read(); c == '\n' {
				c = t.read()
			}
		case '\n':
			c = t.read()
		}
		if c < 0 {
			return false
		}
		last = c
	}
	return true
}
