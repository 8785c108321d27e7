package ui

import (
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// passwordCap bounds a password in bytes.
const passwordCap = 1024

// passwordInput is a field for a password: unlike the one for an HMAC it keeps
// every character, blanks too, and backspace takes the last one. It shows how
// many there are and nothing else; all copies share one buffer.
type passwordInput struct{ held *heldPassword }

// heldPassword keeps the buffer behind a function, which fmt does not follow.
type heldPassword struct{ with func(func(*passwordBuffer)) }

type passwordBuffer struct {
	bytes   [passwordCap]byte
	n       int
	tooLong bool
}

func newPasswordInput() passwordInput {
	b := &passwordBuffer{}
	return passwordInput{&heldPassword{with: func(f func(*passwordBuffer)) { f(b) }}}
}

func (p *passwordInput) buffer(f func(*passwordBuffer)) {
	if p.held != nil {
		p.held.with(f)
	}
}

// handle takes a key and reports whether it was the field's. A line end that
// was pasted with the password is dropped.
func (p *passwordInput) handle(msg tea.KeyMsg) (used bool) {
	p.buffer(func(b *passwordBuffer) {
		switch {
		case msg.Type == tea.KeyRunes && !msg.Alt:
			for _, r := range msg.Runes {
				b.add(r, msg.Paste)
			}
			clear(msg.Runes)
			used = true
		case msg.Type == tea.KeySpace && !msg.Alt:
			b.add(' ', false)
			used = true
		case msg.Type == tea.KeyBackspace:
			if b.n > 0 {
				_, size := utf8.DecodeLastRune(b.bytes[:b.n])
				clear(b.bytes[b.n-size : b.n])
				b.n -= size
			}
			b.tooLong, used = false, true
		case msg.Type == tea.KeyCtrlU:
			b.wipe()
			used = true
		}
	})
	return used
}

func (b *passwordBuffer) add(r rune, pasted bool) {
	switch {
	case b.tooLong, pasted && (r == '\n' || r == '\r'):
	case b.n+utf8.RuneLen(r) > len(b.bytes):
		b.wipe()
		b.tooLong = true
	default:
		b.n += utf8.EncodeRune(b.bytes[b.n:], r)
	}
}

func (b *passwordBuffer) wipe() {
	clear(b.bytes[:])
	b.n, b.tooLong = 0, false
}

// note says how much the field holds.
func (p *passwordInput) note() string {
	note := "empty"
	p.buffer(func(b *passwordBuffer) {
		switch n := utf8.RuneCount(b.bytes[:b.n]); {
		case b.tooLong:
			note = "too long: nothing kept"
		case n == 1:
			note = "1 character"
		case n > 1:
			note = strconv.Itoa(n) + " characters"
		}
	})
	return note
}

// take gives the password to the caller, who destroys it, and wipes the field.
func (p *passwordInput) take() *kafka.Secret {
	var secret *kafka.Secret
	p.buffer(func(b *passwordBuffer) {
		secret = kafka.NewSecret(b.bytes[:b.n])
		b.wipe()
	})
	return secret
}

// wipe overwrites what the field and all its copies hold.
func (p *passwordInput) wipe() { p.buffer((*passwordBuffer).wipe) }

// Format prints a fixed word for every verb.
func (p passwordInput) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[password field]") }
