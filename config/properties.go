package config

import (
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// property is one "key = value" of a file. The value is UTF-8 and not trimmed.
type property struct {
	key   string
	value []byte
	place
	yaml bool // it is of an environment and not of a properties file
}

// place is where a key stands. file is empty until it is known, line is from
// 1, and 0 when it is none of a line.
type place struct {
	file string
	line int
}

// syntaxError is a fault of a file at a line; its text holds nothing of the
// file's content.
type syntaxError struct {
	line    int
	problem string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.problem) }

var errUnicodeEscape = errors.New(`a backslash followed by u must be followed by four hexadecimal digits;` +
	` write a backslash as two (C:\\users)`)

// parseProperties reads the format of java.util.Properties.load(InputStream):
// ISO-8859-1, all keys in the order of the file, a key that stands twice
// twice. The only error is a malformed \uXXXX, as in Java.
func parseProperties(data []byte) ([]property, error) {
	var out []property
	lines := logicalLines{data: data, line: 1}
	for lines.next() {
		key, value := splitProperty(lines.text)
		k, err := unescape(key)
		if err == nil {
			value, err = unescape(value)
		}
		if err != nil {
			wipeProperties(out)
			clear(lines.text)
			return nil, &syntaxError{lines.start, err.Error()}
		}
		out = append(out, property{key: string(k), value: value, place: place{line: lines.start}})
	}
	clear(lines.text)
	return out, nil
}

func wipeProperties(props []property) {
	for _, p := range props {
		clear(p.value)
	}
}

// logicalLines joins continued lines and leaves out blank and comment lines.
// It follows the LineReader of JDK 17, whose corners are observable: leading
// blanks of a continuing line go, a comment sign there is text unless nothing
// came before it, and a backslash that ends the file is dropped.
type logicalLines struct {
	data  []byte
	pos   int
	line  int // of data[pos]
	text  []byte
	start int // line of the first byte of text
}

func (l *logicalLines) next() bool {
	clear(l.text)
	l.text = l.text[:0]
	skipBlanks, continued, escaped := true, false, false
	for l.pos < len(l.data) {
		c := l.read()
		eol := c == '\n' || c == '\r'
		if skipBlanks {
			if isBlank(c) || (eol && !continued) {
				continue
			}
			skipBlanks, continued = false, false
		}
		if len(l.text) == 0 && (c == '#' || c == '!') {
			for !eol && l.pos < len(l.data) {
				c = l.read()
				eol = c == '\n' || c == '\r'
			}
			skipBlanks = true
			continue
		}
		switch {
		case !eol:
			if len(l.text) == 0 {
				l.start = l.line
			}
			l.text = append(l.text, c)
			escaped = c == '\\' && !escaped
		case len(l.text) == 0:
			skipBlanks = true
		case escaped:
			l.text = l.text[:len(l.text)-1]
			if l.pos == len(l.data) {
				return true
			}
			skipBlanks, continued, escaped = true, true, false
			if c == '\r' && l.pos < len(l.data) && l.data[l.pos] == '\n' {
				l.read()
			}
		default:
			return true
		}
	}
	if escaped {
		l.text = l.text[:len(l.text)-1]
		return true
	}
	return len(l.text) > 0
}

// read takes one byte and counts lines: LF, CR or CRLF end one.
func (l *logicalLines) read() byte {
	c := l.data[l.pos]
	if l.pos > 0 {
		last := l.data[l.pos-1]
		if last == '\n' || (last == '\r' && c != '\n') {
			l.line++
		}
	}
	l.pos++
	return c
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\f' }

// splitProperty cuts a logical line at the first '=', ':' or blank that no
// backslash precedes. Around that sign blanks go, and after a blank one '='
// or ':' goes as well.
func splitProperty(text []byte) (key, value []byte) {
	end, escaped, separated := 0, false, false
	for end < len(text) {
		c := text[end]
		if !escaped && (c == '=' || c == ':' || isBlank(c)) {
			separated = !isBlank(c)
			break
		}
		escaped = c == '\\' && !escaped
		end++
	}
	if end == len(text) {
		return text, nil
	}
	from := end + 1
	for from < len(text) {
		c := text[from]
		if !isBlank(c) {
			if separated || (c != '=' && c != ':') {
				break
			}
			separated = true
		}
		from++
	}
	return text[:end], text[from:]
}

// unescape resolves backslashes and turns ISO-8859-1 into UTF-8. A half of a
// surrogate pair that stands alone becomes '?', which is what Java sends for
// it as soon as the text is encoded.
func unescape(text []byte) ([]byte, error) {
	out := make([]byte, 0, len(text))
	high := rune(-1) // a high surrogate that waits for its low one
	put := func(r rune) {
		if high >= 0 {
			pair := utf16.DecodeRune(high, r)
			high = -1
			if pair != utf8.RuneError {
				out = utf8.AppendRune(out, pair)
				return
			}
			out = append(out, '?')
		}
		switch {
		case r >= 0xd800 && r < 0xdc00:
			high = r
		case r >= 0xdc00 && r < 0xe000:
			out = append(out, '?')
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' || i+1 == len(text) {
			put(rune(c))
			continue
		}
		i++
		switch text[i] {
		case 'u':
			if i+4 >= len(text) {
				clear(out)
				return nil, errUnicodeEscape
			}
			r := rune(0)
			for _, h := range text[i+1 : i+5] {
				d, ok := hexDigit(h)
				if !ok {
					clear(out)
					return nil, errUnicodeEscape
				}
				r = r<<4 | d
			}
			i += 4
			put(r)
		case 't':
			put('\t')
		case 'r':
			put('\r')
		case 'n':
			put('\n')
		case 'f':
			put('\f')
		default:
			put(rune(text[i]))
		}
	}
	if high >= 0 {
		out = append(out, '?')
	}
	return out, nil
}

func hexDigit(c byte) (rune, bool) {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0'), true
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10, true
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10, true
	}
	return 0, false
}
