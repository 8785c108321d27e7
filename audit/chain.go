package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// Every record ends in the hash of the record before it and in its own. The
// hashes stand at fixed places at the end of the line, so that a dtok that does
// not know a newer schema's fields can follow its chain all the same:
//
//	{"schema":2,…,"prev":"<64 hex digits or none>","hash":"<64 hex digits>"}
const (
	prevMark = `,"prev":"`
	hashMark = `","hash":"`
	lineEnd  = `"}`
	hashSize = 2 * sha256.Size
)

// link is a record's place in the chain.
type link struct {
	prev, hash string
	// sum is the hash that the line really has.
	sum string
}

// holds tells that the line is as it was written.
func (l link) holds() bool { return l.hash == l.sum }

// chained turns a record's line into a link of the chain after prev.
func chained(line []byte, prev string) (text []byte, hash string) {
	line = bytes.TrimSuffix(line, []byte("}\n"))
	text = append(text, line...)
	text = append(text, prevMark...)
	text = append(text, prev...)
	text = append(text, '"')
	hash = digest(text)
	text = append(text, hashMark[1:]...)
	text = append(text, hash...)
	return append(text, lineEnd+"\n"...), hash
}

// linkOf reads a line's place in the chain; false when it has none. The line
// comes without its newline.
func linkOf(line []byte) (link, bool) {
	rest, ok := bytes.CutSuffix(line, []byte(lineEnd))
	if !ok {
		return link{}, false
	}
	rest, hash, ok := cutHash(rest)
	if !ok {
		return link{}, false
	}
	rest, ok = bytes.CutSuffix(rest, []byte(hashMark))
	if !ok {
		return link{}, false
	}
	covered := line[:len(rest)+1]
	var prev string
	if !bytes.HasSuffix(rest, []byte(prevMark)) {
		rest, prev, ok = cutHash(rest)
		if !ok || !bytes.HasSuffix(rest, []byte(prevMark)) {
			return link{}, false
		}
	}
	if !json.Valid(line) {
		return link{}, false
	}
	return link{prev: prev, hash: hash, sum: digest(covered)}, true
}

// cutHash takes a hash off the end of text.
func cutHash(text []byte) (rest []byte, hash string, ok bool) {
	if len(text) < hashSize {
		return nil, "", false
	}
	rest, last := text[:len(text)-hashSize], text[len(text)-hashSize:]
	if !isHash(string(last)) {
		return nil, "", false
	}
	return rest, string(last), true
}

// isHash reports whether s is a hash as records hold it: lower-case digits
// only, so that one value has one spelling.
func isHash(s string) bool {
	if len(s) != hashSize {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// ParseHash reads a hash that somebody kept.
func ParseHash(s string) (string, error) {
	h := strings.ToLower(strings.TrimSpace(s))
	if !isHash(h) {
		return "", fmt.Errorf("a hash has %d hexadecimal digits", hashSize)
	}
	return h, nil
}
