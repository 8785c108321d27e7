package e2e

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestEveryWindow: whatever the size, dtok draws within it, and is all there
// again in a window of 80×24.
func TestEveryWindow(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	mine := b.create("ops")
	for name, keys := range map[string][]string{
		"users":  {"\x1b"},
		"tokens": nil,
		"dialog": {"x"},
		"help":   {"?"},
		"card":   {"c", "\t", "\t", "\r"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := withSession(t, b, "ops", how{})
			s.choose(mine)
			s.changes("\x1b") // the filter
			s.quiet()
			for _, key := range keys {
				s.changes(key)
			}
			s.still(60 * time.Millisecond)
			for _, w := range []window{{1, 1}, {2, 1}, {1, 24}, {5, 2}, {20, 5}, {39, 10}, {40, 9}, {40, 10},
				{79, 24}, {80, 23}, {109, 24}, {110, 24}, {132, 43}, {200, 50}, {300, 100}, {80, 24}} {
				from := s.mark()
				s.resize(w.cols, w.rows)
				s.until(fmt.Sprintf("a drawing at %v", w), func(string) bool { return s.mark() > from })
				s.still(40 * time.Millisecond)
				if w.cols >= 40 && w.rows >= 10 {
					s.see("dtok")
				} else if w.cols >= 25 {
					s.see("needs 40x10")
				}
			}
			s.see("127.0.0.1:")
			s.press("\x03")
			s.exits(0)
			s.restored()
		})
	}
}

// TestAStormOfResizes changes the size faster than dtok can draw.
func TestAStormOfResizes(t *testing.T) {
	t.Parallel()
	s := withSession(t, serve(t, "standard"), "ops", how{})
	dice := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		s.resize(1+dice.IntN(300), 1+dice.IntN(100))
		if dice.IntN(10) == 0 {
			s.press("j")
		}
	}
	s.resize(80, 24)
	s.see("Max lifetime ends", "? help")
	s.press("\x03")
	s.exits(0)
	s.restored()
}

// TestLooksWithoutColour: no state is known by colour alone, and no colour is
// sent where it is not wanted.
func TestLooksWithoutColour(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	colour := regexp.MustCompile(`\x1b\[[0-9;]*(3[0-7]|4[0-7]|9[0-7]|10[0-7])m`)
	sgr := regexp.MustCompile(`\x1b\[[0-9;]+m`)
	for env, coloured := range map[string]bool{
		"TERM=xterm-256color":             true,
		"TERM=xterm-256color NO_COLOR=":   true,
		"TERM=linux":                      true,
		"TERM=screen":                     true,
		"TERM=xterm-256color NO_COLOR=1":  false,
		"TERM=xterm-256color CLICOLOR=0":  false,
		"TERM=dumb":                       false,
		"TERM=vt100":                      false,
		"TERM=foo":                        false,
		"TERM=":                           false,
		"TERM=xterm-kitty COLORFGBG=0;15": true,
	} {
		t.Run(env, func(t *testing.T) {
			t.Parallel()
			args := append(b.flags(saslSSL, "ops"), "--user", "alice")
			x := start(t, how{args: args, env: strings.Fields(env)})
			x.see("EXPIRED", "Max lifetime ends")
			// One is about to expire; how soon depends on when this test has its turn.
			x.until("the minutes that a token has left", regexp.MustCompile(`in \dm`).MatchString)
			if got := len(regexp.MustCompile(`(?m)^ ?>`).FindAllString(x.text(), -1)); got != 1 {
				t.Errorf("%d rows carry the marker\n%s", got, x.text())
			}
			x.changes("c")
			x.see("> Renewers")
			x.changes("\x1b")
			out := string(x.stream(0))
			if got := colour.MatchString(out); got && !coloured {
				t.Errorf("colours are sent: %q", colour.FindString(out))
			}
			if coloured && !sgr.MatchString(out) {
				t.Error("nothing is coloured at all")
			}
			x.press("\x03")
			x.exits(0)
			x.restored()
		})
	}
}

// TestNoQueryAndNoMouse looks at all that is sent from start to end: nothing
// that a terminal would answer, and no mouse, which would take selecting away.
func TestNoQueryAndNoMouse(t *testing.T) {
	t.Parallel()
	s := withSession(t, serve(t, "standard"), "ops", how{cols: 120, rows: 40})
	s.openCard()
	s.press("d")
	s.changes("d")
	s.changes("?")
	s.press("\x03")
	s.exits(0)
	out := string(s.stream(0))
	asks := regexp.MustCompile(`\x1b\](4|10|11|12);|\x1b\[[?>=]?[0-9]*(c|n)|\x1b\[\?[0-9;]*\$p|\x1bP[+$]q|\x1b\[[0-9]*t|\x1b\[\?u|\x05`)
	if q := asks.FindString(out); q != "" {
		t.Errorf("the terminal is asked: %q", q)
	}
	for _, mode := range []string{"9", "1000", "1001", "1002", "1003", "1005", "1006", "1015", "1016", "1004"} {
		if strings.Contains(out, "\x1b[?"+mode+"h") {
			t.Errorf("mode ?%s is set", mode)
		}
	}
	if !strings.Contains(out, "\x1b[?1049h") || !strings.Contains(out, "\x1b[?2004h") {
		t.Error("the alternate screen and bracketed paste are not used")
	}
}

// TestBytesOfACursorKey: a cursor key draws the two rows that it changes, and
// an idle screen nothing. Bytes do not depend on how busy the machine is.
func TestBytesOfACursorKey(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	for _, w := range []window{{80, 24}, {200, 50}} {
		for _, list := range []string{"users", "tokens"} {
			t.Run(fmt.Sprintf("%s at %v", list, w), func(t *testing.T) {
				t.Parallel()
				x := start(t, how{args: b.flags(saslSSL, "ops"), cols: w.cols, rows: w.rows})
				x.see("All tokens", "in 24 h")
				x.still(300 * time.Millisecond)
				if list == "tokens" {
					x.changes("t")
				}
				for _, key := range []string{"j", "j", "j", "k", "j"} {
					if got := x.key(key).bytes; got > 500 {
						t.Errorf("the key %s sends %d bytes %q", key, got, x.stream(x.mark()-got))
					}
				}
				from := x.mark()
				x.press("\x00") // a key that means nothing
				<-time.After(300 * time.Millisecond)
				if got := x.mark() - from; got > 0 {
					t.Errorf("a key that changes nothing sends %d bytes: %q", got, x.stream(from))
				}
				x.press("\x03")
				x.exits(0)
			})
		}
	}
}
