package config

import (
	"fmt"
	"io"
)

// Secret holds a password. The bytes live in a closure because fmt prints the
// unexported fields of any struct around it, but never what a function has
// captured. A nil *Secret is an empty one.
type Secret struct {
	use func(func([]byte))
}

// newSecret copies b; the caller still owns b and overwrites it.
func newSecret(b []byte) *Secret {
	held := append([]byte(nil), b...)
	return &Secret{use: func(f func([]byte)) { f(held) }}
}

// Use calls f with the bytes in UTF-8. f must neither keep nor change them.
func (s *Secret) Use(f func([]byte)) {
	if s == nil || s.use == nil {
		f(nil)
		return
	}
	s.use(f)
}

// Format prints a fixed word, whatever the verb.
func (s *Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[secret]") }

// MarshalText gives encoders a fixed word.
func (s *Secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }
