package config

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error says why settings cannot be used. Its text names the file, the line,
// the key and the reason, and holds no value but the path of a file to be
// opened.
type Error struct {
	File string // as it was given, "~/" resolved
	Line int    // 0 when no single line is at fault
	// Problem is a clause for people that begins with the key, if one is at
	// fault.
	Problem string
	// cause is what the operating system said of a file, if it was that.
	cause error
}

// Unwrap lets errors.Is find fs.ErrNotExist and fs.ErrPermission.
func (e *Error) Unwrap() error { return e.cause }

func (e *Error) Error() string {
	text := e.File + ": " + e.Problem
	if e.Line > 0 {
		text = fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
	}
	return strings.Map(shownRune, text)
}

// shownRune keeps control characters from terminals; paths can hold anything.
func shownRune(r rune) rune {
	if !unicode.IsPrint(r) {
		return unicode.ReplacementChar
	}
	return r
}

// settings are the keys of one file after sorting: what counts of each known
// key, and what is to be told about the others.
type settings struct {
	file    string
	values  map[string]property // trimmed, by the key in Kafka's spelling
	unknown []property
	notes   []string
	props   []property // as they were read
	// prompt says that a person gives the password. It and the keys user and
	// password among the values are of an environment.
	prompt bool
}

// wipe overwrites what was read.
func (s *settings) wipe() {
	wipeProperties(s.props)
	for _, p := range s.values {
		clear(p.value)
	}
}

// sortSettings looks up every key. Of a key that stands twice the last counts,
// as in Java. Values are trimmed as ConfigDef does: control characters too.
func sortSettings(file string, props []property) (*settings, error) {
	s := &settings{file: file, values: map[string]property{}, props: props}
	written := map[string]property{} // by the key as it is spelt
	for i := range props {
		props[i].file = cmp.Or(props[i].file, file)
		p := props[i]
		p.value = bytes.TrimFunc(p.value, func(r rune) bool { return r <= ' ' })
		if old, ok := written[p.key]; ok && ruleOf(p.key).treatment != unknownKey {
			s.note(p.place, "%s stands on line %d as well; the last one counts", p.key, old.line)
		}
		written[p.key] = p
	}
	for _, p := range props {
		if written[p.key].place != p.place {
			continue
		}
		p = written[p.key]
		if err := s.sort(p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *settings) sort(p property) error {
	rule := ruleOf(p.key)
	key := p.key
	switch rule.treatment {
	case unknownKey:
		return s.sortUnknown(p)
	case brokerKey:
		return s.fail(p.place, "%s belongs to a broker's own file; dtok needs the file of a client", p.key)
	case otherSpelling:
		key = rule.note
		if !p.yaml {
			s.note(p.place, "%s is librdkafka's spelling and is read as %s", p.key, key)
		}
	}
	// A login module's options are looked at one by one, in sasl.go.
	if key != "sasl.jaas.config" && hasPlaceholder(p.value) {
		return s.fail(p.place, "%s %s", p.key, placeholderProblem)
	}
	if rule.treatment != noMatter && looksUTF8(p.value) {
		s.note(p.place, "%s holds characters outside ASCII in UTF-8; Kafka's tools read the file as ISO-8859-1, "+
			"and so does dtok, so they become others: write them as \\uXXXX", p.key)
	}
	if old, ok := s.values[key]; ok && !bytes.Equal(old.value, p.value) {
		return s.fail(p.place, "%s and %s (line %d) say different things: keep one", p.key, old.key, old.line)
	}
	s.values[key] = p
	return nil
}

// A byte order mark read as ISO-8859-1, which Java takes for a part of the
// first key.
const byteOrderMark = "\u00ef\u00bb\u00bf"

func (s *settings) sortUnknown(p property) error {
	if rest, ok := strings.CutPrefix(p.key, byteOrderMark); ok {
		if ruleOf(rest).treatment != unknownKey {
			return s.fail(p.place, "the file begins with a byte order mark, so Kafka's tools do not see %s: "+
				"save it as UTF-8 without BOM or ISO-8859-1", rest)
		}
		if strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "!") || rest == "" {
			return nil
		}
	}
	s.unknown = append(s.unknown, p)
	s.note(p.place, "%s", describeUnknown(p))
	return nil
}

// describeUnknown names the key where that is safe, and the key that it
// resembles.
func describeUnknown(p property) string {
	if !showable(p.key) {
		return "what stands where a key should be is none that dtok knows" +
			" (not shown: it can be a piece of a value, such as the rest of one that was broken over lines)"
	}
	text := "unknown key " + p.key
	if near := nearest(p.key); near != "" {
		text += ", did you mean " + near + "?"
	}
	return text
}

// refuse fails for the first key that asks for what dtok does not do. The
// handler of a login is judged in oauth.go when it is one for OAUTHBEARER.
func (s *settings) refuse() error {
	var first property
	for key, p := range s.values {
		if key == loginHandler && s.text("sasl.mechanism") == "OAUTHBEARER" {
			continue
		}
		if ruleOf(p.key).treatment == refused && len(p.value) > 0 &&
			(first.line == 0 || p.line < first.line) {
			first = p
		}
	}
	if first.line == 0 {
		return nil
	}
	return s.fail(first.place, "%s %s", first.key, ruleOf(first.key).note)
}

// has reports whether a key stands in the file, be its value empty or not.
func (s *settings) has(key string) bool {
	_, ok := s.values[key]
	return ok
}

// text is the trimmed value of a key that holds no secret, "" when absent.
func (s *settings) text(key string) string { return string(s.values[key].value) }

// list splits a value as ConfigDef does; an empty one has no entries.
func (s *settings) list(key string) []string {
	if s.text(key) == "" {
		return nil
	}
	parts := strings.Split(s.text(key), ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// spelt is the key as the file has it.
func (s *settings) spelt(key string) string {
	if p, ok := s.values[key]; ok {
		return p.key
	}
	return key
}

// note keeps something accepted that the user should know of.
func (s *settings) note(at place, format string, args ...any) {
	s.notes = append(s.notes, s.fail(at, format, args...).Error())
}

// noteKey is a note that begins with a key of the file.
func (s *settings) noteKey(key, format string, args ...any) {
	s.note(s.values[key].place, s.spelt(key)+" "+format, args...)
}

// noteForeign is noteKey for what librdkafka has and Kafka's tools have not. In
// dtok's own config that surprises nobody.
func (s *settings) noteForeign(key, format string, args ...any) {
	if !s.values[key].yaml {
		s.noteKey(key, format, args...)
	}
}

func (s *settings) fail(at place, format string, args ...any) error {
	return &Error{File: cmp.Or(at.file, s.file), Line: at.line, Problem: fmt.Sprintf(format, args...)}
}

// failKey fails with a clause that begins with the key. Where keys are unknown
// they follow, because a misspelt one is the likely reason.
func (s *settings) failKey(key, format string, args ...any) error {
	text := s.spelt(key) + " " + fmt.Sprintf(format, args...)
	for _, p := range s.unknown {
		if showable(p.key) {
			text += fmt.Sprintf(" (line %d: %s)", p.line, describeUnknown(p))
		}
	}
	return s.fail(s.values[key].place, "%s", text)
}

const placeholderProblem = "holds a placeholder ${…}; config providers are not resolved by dtok: write the value itself"

// looksUTF8 reports a value, read as ISO-8859-1, that was written in UTF-8:
// sequences that are valid there by accident are very rare.
func looksUTF8(value []byte) bool {
	if bytes.IndexFunc(value, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return false
	}
	written := make([]byte, 0, len(value))
	defer func() { clear(written) }()
	for _, r := range string(value) {
		if r > unicode.MaxLatin1 {
			return false
		}
		written = append(written, byte(r))
	}
	return utf8.Valid(written)
}

// hasPlaceholder reports a variable in the form that Kafka's ConfigTransformer
// resolves, ${provider:key} or ${provider:path:key}, or a whole value ${NAME},
// as templates leave it behind. A dollar sign elsewhere is text.
func hasPlaceholder(value []byte) bool {
	for rest := value; ; {
		from := bytes.Index(rest, []byte("${"))
		if from < 0 {
			return false
		}
		rest = rest[from+2:]
		end := bytes.IndexByte(rest, '}')
		if end < 0 {
			return false
		}
		whole := from == 0 && end > 0 && end+3 == len(value)
		if whole || bytes.IndexByte(rest[:end], ':') > 0 {
			return true
		}
	}
}
