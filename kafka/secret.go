package kafka

import (
	"fmt"
	"io"
	"sync"
)

// Secret holds an HMAC or a password. The bytes live in a closure, so that no
// %v, %+v, log, panic text or diff of any value that contains a Secret can
// print them: fmt does not follow functions, while it does print the bytes of
// an unexported field. A nil *Secret is an empty one.
type Secret struct {
	use  func(func([]byte))
	wipe func()
}

const redacted = "[secret]"

// NewSecret copies b and clears it.
func NewSecret(b []byte) *Secret {
	held := append([]byte(nil), b...)
	clear(b)
	var mu sync.Mutex
	return &Secret{
		use: func(f func([]byte)) {
			mu.Lock()
			defer mu.Unlock()
			f(held)
		},
		wipe: func() {
			mu.Lock()
			defer mu.Unlock()
			clear(held)
			held = nil
		},
	}
}

// Use calls f with the bytes, which f must neither keep nor change. After
// Destroy, and for a nil Secret, f gets none.
func (s *Secret) Use(f func([]byte)) {
	if s == nil || s.use == nil {
		f(nil)
		return
	}
	s.use(f)
}

// Len is the number of bytes held.
func (s *Secret) Len() int {
	n := 0
	s.Use(func(b []byte) { n = len(b) })
	return n
}

// Clone returns a Secret of its own with the same bytes: what one side
// destroys, the other keeps.
func (s *Secret) Clone() *Secret {
	var c []byte
	s.Use(func(b []byte) { c = append(c, b...) })
	return NewSecret(c)
}

// Destroy overwrites the bytes. It may be called more than once.
func (s *Secret) Destroy() {
	if s != nil && s.wipe != nil {
		s.wipe()
	}
}

// Format prints a fixed word for every verb.
func (s *Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// String is a fixed word.
func (s *Secret) String() string { return redacted }

// GoString is a fixed word.
func (s *Secret) GoString() string { return redacted }

// MarshalText gives encoders a fixed word.
func (s *Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
