package ui

import (
	"bytes"

	"dtok/kafka"
)

// tokenIndex holds what a filter looks at, one token behind the other and in
// small letters: with 100 000 tokens the time goes into fetching the pieces
// from all over the memory, and a key must not be felt.
type tokenIndex struct {
	text []byte
	ends []uint32 // of each token's part
}

// indexTokens takes each token's ID, owner, requester and renewers.
func indexTokens(tokens []kafka.Token) *tokenIndex {
	x := &tokenIndex{text: make([]byte, 0, 64*len(tokens)), ends: make([]uint32, len(tokens))}
	for i := range tokens {
		t := &tokens[i]
		x.add(t.ID)
		x.add(t.Owner.Name)
		x.add(t.Requester.Name)
		for r := range t.Renewers {
			x.add(t.Renewers[r].Name)
		}
		x.ends[i] = uint32(len(x.text))
	}
	return x
}

// add appends a name and a byte that no filter can hold, so that nothing is
// found across two names.
func (x *tokenIndex) add(name string) {
	for i := range len(name) {
		x.text = append(x.text, lower(name[i]))
	}
	x.text = append(x.text, 0)
}

// holds reports whether a token's part holds the needle, in small letters.
func (x *tokenIndex) holds(token int32, needle []byte) bool {
	begin := uint32(0)
	if token > 0 {
		begin = x.ends[token-1]
	}
	return bytes.Contains(x.text[begin:x.ends[token]], needle)
}
