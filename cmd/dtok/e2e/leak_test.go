package e2e

import (
	"bytes"
	"testing"
)

// TestNoSecretLeaves drives every dialog in every way out of it and looks
// through all that dtok leaves behind.
func TestNoSecretLeaves(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	for name, drive := range map[string]func(*testing.T, *broker){
		"create":       leakCreate,
		"renew":        leakRenew,
		"expire":       leakExpire,
		"test sign-in": leakSignIn,
		"refused":      leakRefused,
		"fields":       leakFields,
		"wrong fields": leakWrongFields,
		"lists":        leakLists,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			drive(t, b)
		})
	}
}

// overSSH makes dtok use the terminal's clipboard, whatever this machine has.
func overSSH() how { return how{env: []string{"SSH_CONNECTION=192.0.2.1 1 192.0.2.2 22"}} }

func leakCreate(t *testing.T, b *broker) {
	s := withSession(t, b, "ops", overSSH())
	s.press("c")
	s.see("Create delegation token")
	s.press("\x1b")
	s.gone("Create delegation token")
	s.press("c")
	s.see("Create delegation token")
	s.button("Cancel")
	s.gone("Create delegation token")
	s.press("c")
	s.see("> Renewers")
	s.press("bob\r")
	s.see("bob, _")
	s.press("\tnever")
	s.see("never_")
	s.button("Create")
	s.see("! ")
	s.press("\x15") // ctrl+u
	s.gone("never")
	s.press("\x1b")
	s.gone("Create delegation token")

	s.openCard()
	s.press("?")
	s.gone("Copy this now")
	s.press("\x1b")
	s.see("Copy this now")
	s.press("y")
	s.see("HMAC: sent to the terminal")
	s.press("p")
	s.see("Client configuration for a worker", "> [ Go ]")
	s.press("\x1b")
	s.gone("> [ Go ]")
	s.press("p")
	s.see("> [ Go ]")
	s.press("\r")
	s.see("client configuration: sent to the terminal")
	s.press("v")
	s.see("sign-in works")
	s.resize(30, 5)
	s.see("needs 40x10")
	s.resize(120, 40)
	s.see("Copy this now")
	s.scanProcess()
	s.press("d")
	s.closeCard()

	s.openCard()
	s.press("q")
	s.see("has not been copied")
	s.press("k")
	s.gone("has not been copied")
	s.press("\x1b")
	s.see("has not been copied")
	s.press("\x1b")
	s.closeCard()

	s.openCard() // and quit with it open
	s.leaves()
	s.audited(`"outcome":"done"`)
	sent := s.sentToClipboard()
	if len(sent) != 2 || len(sent[0]) != 88 || !bytes.Contains(sent[1], sent[0]) || !bytes.Contains(sent[1], []byte("ScramLoginModule")) {
		t.Errorf("the clipboard got %d texts, want the HMAC and a configuration with it", len(sent))
	}
}

func (s *session) sentToClipboard() [][]byte {
	_, texts := osc52(s, s.stream(0))
	return texts
}

func leakRenew(t *testing.T, b *broker) {
	mine, other := b.create("ops"), b.create("ops")
	s := withSession(t, b, "ops", how{})
	s.choose(mine)
	s.press("w")
	s.see("Renew token")
	s.pasteHMAC(other)
	s.scanProcess()
	s.button("Renew")
	s.see("The HMAC given is not the HMAC of token "+mine.id, "> HMAC", "[empty]_")
	s.pasteHMAC(mine)
	s.press("\tsoon")
	s.see("soon_")
	s.button("Renew")
	s.see("! ")
	s.press("\x15")
	s.gone("soon")
	s.press("12")
	s.see("12_")
	s.button("Renew")
	s.see("token "+mine.id+" renewed: expires", "earlier than before")
	s.press("w")
	s.see("Renew token")
	s.pasteHMAC(mine)
	s.button("Cancel")
	s.gone("Renew token")
	s.leaves()
	s.audited(`"kind":"renew token"`, `"outcome":"done"`, "is not the HMAC of token")
}

func leakExpire(t *testing.T, b *broker) {
	mine, other := b.create("ops"), b.create("ops")
	s := withSession(t, b, "ops", how{})
	s.choose(mine)
	s.press("x")
	s.see("Expire token "+mine.id+"?", "> [ Cancel ]")
	s.button("Cancel")
	s.gone("Expire token " + mine.id + "?")
	s.press("x")
	s.see("> [ Cancel ]")
	s.press("\t")
	s.see("> HMAC")
	s.pasteHMAC(other)
	s.button("Expire")
	s.see("say why the token is expired")
	s.press("a lost laptop")
	s.see("a lost laptop_")
	s.button("Expire")
	s.see("The HMAC given is not the HMAC of token "+mine.id, "> HMAC", "[empty]_")
	s.pasteHMAC(mine)
	s.button("Expire")
	s.see("done: token " + mine.id + " expired at")
	s.leaves()
	s.audited(`"kind":"expire token"`, `"outcome":"done"`, `"reason":"a lost laptop"`)
	b.awaitGone(mine.id)
	if !b.has(other.id) {
		t.Error("the wrong token was expired")
	}
}

func leakSignIn(t *testing.T, b *broker) {
	mine, other := b.create("ops"), b.create("ops")
	s := withSession(t, b, "ops", how{})
	s.choose(mine)
	s.press("v")
	s.see("Test sign-in")
	s.pasteHMAC(other)
	s.button("Test sign-in")
	s.see("error: ")
	s.changes("\x1b")
	s.press("v")
	s.see("> HMAC", "[empty]_")
	s.pasteHMAC(mine)
	s.button("Test sign-in")
	s.see("sign-in works")
	s.leaves()
}

// leakRefused is a change that the cluster refuses: carol may see bob's token
// by no right at all, so the token is alice's, with carol as nobody.
func leakRefused(t *testing.T, b *broker) {
	mine := b.create("alice")
	state := t.TempDir()
	h := how{state: state, args: append(b.flags(saslSSL, "ops"), "--user", "alice", "--debug", debugLog(state))}
	s := &session{terminal: start(t, h), broker: b}
	s.see("Max lifetime")
	s.choose(mine)
	for _, key := range []string{"w", "x"} {
		s.press(key)
		s.see("the cluster will refuse")
		if key == "x" {
			s.press("\t")
			s.see("> HMAC")
			s.pasteHMAC(mine)
			s.press("\treason")
			s.see("reason_")
			s.button("Expire")
		} else {
			s.pasteHMAC(mine)
			s.button("Renew")
		}
		s.see("error: ", "[empty]")
		s.press("\x1b")
		s.gone("error: ")
	}
	s.leaves()
	s.audited(`"outcome":"refused"`)
	if !b.has(mine.id) {
		t.Error("the token is gone")
	}
}
