package e2e

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestWhatStaysInMemory counts the copies of HMACs in the memory of dtok after
// each step, and prints a table. What dtok holds itself it overwrites, which is
// what is asserted on the listener without TLS. The rest is measured, because
// others hold it:
//   - crypto/tls decrypts an answer where it received it and encrypts a request
//     in a buffer that it keeps: the last answer with tokens in it stays until
//     a later one covers it;
//   - Bubble Tea's reader collects a paste in slices that it outgrows, and its
//     renderer keeps the lines of the last frame: they stay until Go reuses
//     the memory.
func TestWhatStaysInMemory(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	for _, listener := range []string{saslPlaintext, saslSSL} {
		t.Run(listener, func(t *testing.T) {
			t.Parallel()
			mine, other := b.create("ops"), b.create("ops")
			args := append(b.flags(listener, "ops"), "--user", "ops")
			s := &session{terminal: start(t, how{args: args}), broker: b}
			s.see("Max lifetime")
			if os.Geteuid() != 0 {
				t.Skip("dtok forbids others to look into it; only root may")
			}
			m := newMemoryTable(s)
			m.count("another token, listed", other)
			s.choose(mine)
			s.press("w")
			s.see("> HMAC")
			s.pasteHMAC(mine)
			m.count("pasted into the field", mine)
			s.button("Renew")
			s.see("token " + mine.id + " renewed")
			m.count("renewed", mine)
			s.press("x")
			s.see("> [ Cancel ]")
			s.press("\t")
			s.see("> HMAC")
			s.pasteHMAC(mine)
			s.changes("\x1b")
			m.count("pasted again and cancelled", mine)
			s.quiet()
			s.busy()
			m.count("200 keys later", mine)
			s.misplace(mine)
			m.count("refused in a rule and a quota", mine)
			s.busy()
			m.count("200 keys after that", mine)
			s.openCard()
			shown := s.shownToken()
			m.count("a card is open", shown)
			s.press("y")
			s.see("HMAC: ")
			s.press("d")
			s.closeCard()
			m.count("the card is closed", shown)
			s.busy()
			m.count("200 keys after the card", shown)
			t.Log("\n" + m.text.String())

			if m.counts["a card is open"].text == 0 || m.counts["pasted into the field"].text == 0 {
				t.Error("an HMAC that must be in memory is not found, so the counts are worth nothing")
			}
			most := copies{}
			if listener == saslSSL {
				most.raw = 8
			}
			for _, step := range []string{"another token, listed", "renewed", "200 keys later", "200 keys after that", "the card is closed", "200 keys after the card"} {
				allowed := most.raw
				if step == "renewed" {
					// One copy was seen right after the request, once in some fifty
					// runs, and gone later: what lay on a stack that Go has moved.
					allowed = max(allowed, 1)
				}
				if got := m.counts[step]; got.raw > allowed {
					t.Errorf("%s: the bytes of an HMAC are %d times in memory, want %d at most", step, got.raw, allowed)
				}
			}
			if got := m.counts["another token, listed"]; got.text+got.runes > 0 {
				t.Errorf("a listing writes HMACs out: %+v", got)
			}
		})
	}
}

// misplace pastes an HMAC into fields that show what they hold.
func (s *session) misplace(k token) {
	s.Helper()
	for _, keys := range [][]string{{"2", "a", "\t"}, {"3", "e"}} {
		s.tab(keys[0])
		for _, key := range keys[1:] {
			s.changes(key)
		}
		s.paste(k.text())
		s.see("looks like an HMAC")
		s.quiet()
		s.changes("\x1b")
		s.tab("1")
	}
	s.see("Max lifetime")
}

// shownToken is the token on the card.
func (s *session) shownToken() token {
	s.Helper()
	id := s.cardToken()
	for _, k := range s.broker.tokens() {
		if k.id == id {
			return k
		}
	}
	s.Fatalf("the broker does not know token %s", id)
	return token{}
}

// memoryTable collects counts and writes them down.
type memoryTable struct {
	*session
	counts map[string]copies
	text   strings.Builder
}

func newMemoryTable(s *session) *memoryTable {
	m := &memoryTable{session: s, counts: map[string]copies{}}
	fmt.Fprintf(&m.text, "%-30s %5s %7s %6s %9s\n", "copies of one HMAC in memory", "bytes", "base64", "runes", "MiB")
	return m
}

func (m *memoryTable) count(step string, k token) {
	m.Helper()
	c := m.copiesOf(k)
	m.counts[step] = c
	fmt.Fprintf(&m.text, "%-30s %5d %7d %6d %9.1f\n", step, c.raw, c.text, c.runes, float64(c.size)/(1<<20))
}

// busy draws and types a while, as a person who goes on working does.
func (s *session) busy() {
	s.Helper()
	for range 100 {
		s.press("?")
		s.gone("Max lifetime")
		s.press("\x1b")
		s.see("Max lifetime")
	}
}

// copies counts an HMAC's forms in memory of so many bytes.
type copies struct{ raw, text, runes, size int }

func (s *session) copiesOf(k token) copies {
	s.Helper()
	text := []byte(k.text()[:60]) // a card breaks it after 80 characters
	var c copies
	for _, part := range s.memory() {
		c.size += len(part)
		c.raw += bytes.Count(part, k.hmac)
		c.text += bytes.Count(part, text)
		c.runes += bytes.Count(part, utf32(string(text)))
	}
	return c
}

// memory is all that dtok may write to, apart from what it has only reserved.
func (s *session) memory() [][]byte {
	s.Helper()
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", s.cmd.Process.Pid))
	if err != nil {
		s.Fatal(err)
	}
	mem, err := os.Open(fmt.Sprintf("/proc/%d/mem", s.cmd.Process.Pid))
	if err != nil {
		s.Fatal(err)
	}
	defer mem.Close()
	var parts [][]byte
	for _, line := range strings.Split(strings.TrimSpace(string(maps)), "\n") {
		var from, to uint64
		var mode string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); err != nil {
			s.Fatal(err)
		}
		if !strings.HasPrefix(mode, "rw") {
			continue
		}
		part := make([]byte, to-from)
		n, _ := mem.ReadAt(part, int64(from)) // a guard page ends it
		parts = append(parts, part[:n])
	}
	return parts
}
