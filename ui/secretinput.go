package ui

import (
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

const (
	// secretCap bounds what the field holds, in bytes: room for a JAAS line
	// or a properties file around an HMAC.
	secretCap = 4096
	// pasteQuiet is how long no key may have come before one counts as the
	// person's own again and not as part of a paste. Over SSH a paste comes in
	// pieces.
	pasteQuiet = 300 * time.Millisecond
)

// secretInput is the field an HMAC is pasted into. A lineInput will not do: it
// shows what it holds, and cuts what is too long without a word.
//
// It shows only how many characters it holds and whether they can be an HMAC.
// White space and invisible characters are dropped. All copies of a
// secretInput share one buffer, so wiping one wipes all. It prints as a fixed
// word with every verb.
type secretInput struct{ held *heldPaste }

// heldPaste keeps the buffer behind a function, which fmt does not follow.
type heldPaste struct{ with func(func(*pasteBuffer)) }

// pasteBuffer never moves, so nothing is left behind in an outgrown slice.
type pasteBuffer struct {
	bytes   [secretCap]byte
	n       int
	runes   int
	tooLong bool
	verdict pasteVerdict
	lastKey time.Time
	// bracketed: the last text came in bracketed paste, whose end is marked.
	bracketed bool
}

// pasteVerdict is what the characters held can be.
type pasteVerdict uint8

const (
	notHMAC pasteVerdict = iota
	isHMAC
	// wrapsHMAC: an HMAC with more around it, such as a JAAS line.
	wrapsHMAC
)

func newSecretInput() secretInput {
	b := &pasteBuffer{}
	return secretInput{&heldPaste{with: func(f func(*pasteBuffer)) { f(b) }}}
}

// buffer calls f with the buffer; not at all for the zero secretInput.
func (s *secretInput) buffer(f func(*pasteBuffer)) {
	if s.held != nil {
		s.held.with(f)
	}
}

// handle takes a key that came at now and reports whether it was the field's.
// Enter, tab and line feed are used only within a paste, so that pasted lines
// never submit or leave the dialog; backspace and ctrl+u empty the field. The
// runes of a key that is used are overwritten.
func (s *secretInput) handle(msg tea.KeyMsg, now time.Time) (used bool) {
	if s.held == nil {
		*s = newSecretInput()
	}
	s.buffer(func(b *pasteBuffer) {
		within := !b.lastKey.IsZero() && now.Sub(b.lastKey) < pasteQuiet
		switch {
		case msg.Type == tea.KeyRunes && (msg.Paste || !msg.Alt):
			if b.tooLong && !within {
				b.wipe()
			}
			b.add(msg.Runes)
			clear(msg.Runes)
			b.lastKey, b.bracketed, used = now, msg.Paste, true
		// The runes of KeySpace are one slice that all of Bubble Tea's spaces
		// share: it must not be overwritten.
		case msg.Type == tea.KeySpace && !msg.Alt:
			b.lastKey, used = now, true
		case msg.Type == tea.KeyTab && b.bracketed: // its end was marked, so this is the person's
		case msg.Type == tea.KeyEnter, msg.Type == tea.KeyCtrlJ, msg.Type == tea.KeyTab:
			if within && !msg.Alt {
				b.lastKey, used = now, true
			}
		case msg.Type == tea.KeyBackspace, msg.Type == tea.KeyCtrlU:
			b.wipe()
			used = true
		}
	})
	return used
}

// add appends the visible runes, or forgets everything when they do not fit.
func (b *pasteBuffer) add(runes []rune) {
	for _, r := range runes {
		if b.tooLong {
			return
		}
		if !unicode.IsPrint(r) || unicode.IsSpace(r) {
			continue
		}
		if b.n+utf8.RuneLen(r) > len(b.bytes) {
			b.wipe()
			b.tooLong = true
			return
		}
		b.n += utf8.EncodeRune(b.bytes[b.n:], r)
		b.runes++
	}
	b.judge()
}

// judge asks the one parser there is, with a copy, because it clears its input.
func (b *pasteBuffer) judge() {
	b.verdict = notHMAC
	if b.n < kafka.HMACTextSize-len("==") {
		return
	}
	var copied [secretCap]byte
	defer clear(copied[:])
	hmac, err := kafka.ParseHMAC(copied[:copy(copied[:], b.bytes[:b.n])])
	hmac.Destroy()
	switch {
	case err != nil:
	case b.runes <= kafka.HMACTextSize+len(`""`):
		b.verdict = isHMAC
	default:
		b.verdict = wrapsHMAC
	}
}

func (b *pasteBuffer) wipe() {
	clear(b.bytes[:])
	b.n, b.runes, b.tooLong, b.verdict = 0, 0, false, notHMAC
}

// note says what the field holds, and nothing of the content.
func (s *secretInput) note() string {
	note := "empty"
	s.buffer(func(b *pasteBuffer) {
		held := counted(int64(b.runes), "character")
		switch {
		case b.tooLong:
			note = "too long: nothing kept"
		case b.runes == 0:
		case b.verdict == isHMAC:
			note = held + ", can be an HMAC"
		case b.verdict == wrapsHMAC:
			note = held + ", with an HMAC in them"
		case b.runes == kafka.HMACTextSize:
			note = held + ", but not base64 text: no HMAC"
		default:
			note = held + ", an HMAC has " + strconv.Itoa(kafka.HMACTextSize)
		}
	})
	return note
}

// empty reports whether nothing was entered. A paste that was too long is not
// nothing.
func (s *secretInput) empty() bool {
	empty := true
	s.buffer(func(b *pasteBuffer) { empty = b.runes == 0 && !b.tooLong })
	return empty
}

// take gives the HMAC to the caller, who destroys it, and wipes the field
// whether it held one or not.
func (s *secretInput) take() (hmac *kafka.Secret, err error) {
	if s.held == nil {
		return kafka.ParseHMAC(nil)
	}
	s.buffer(func(b *pasteBuffer) {
		defer b.wipe()
		if b.tooLong {
			err = fmt.Errorf("too long for an HMAC: %d base64 characters expected", kafka.HMACTextSize)
			return
		}
		hmac, err = kafka.ParseHMAC(b.bytes[:b.n])
	})
	return hmac, err
}

// wipe overwrites what the field and all its copies hold.
func (s *secretInput) wipe() {
	s.buffer(func(b *pasteBuffer) { b.wipe() })
}

// Format prints a fixed word for every verb.
func (s secretInput) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[secret field]") }
