package e2e

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// TestTheClipboardProgram looks at what dtok starts: the program gets the HMAC
// on its standard input and nowhere else.
func TestTheClipboardProgram(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	bin, seen := t.TempDir(), t.TempDir()
	const program = `#!/bin/sh
cat /proc/$$/cmdline > "$SEEN/cmdline"
cat /proc/$$/environ > "$SEEN/environ"
cat > "$SEEN/copied"
`
	if err := os.WriteFile(filepath.Join(bin, "xclip"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	s := withSession(t, b, "ops", how{env: []string{"DISPLAY=:99", "SEEN=" + seen, "PATH=" + bin + ":" + os.Getenv("PATH")}})
	s.openCard()
	s.press("y")
	s.see("copied to the clipboard of this machine; clipboard managers may keep it")
	s.press("d")
	s.closeCard()
	s.leaves()
	copied, err := os.ReadFile(filepath.Join(seen, "copied"))
	if err != nil {
		t.Fatal(err)
	}
	if len(copied) != 88 || !strings.HasSuffix(string(copied), "==") {
		t.Errorf("the program got %d bytes", len(copied))
	}
	for _, file := range []string{"cmdline", "environ"} {
		data, err := os.ReadFile(filepath.Join(seen, file))
		if err != nil || len(data) == 0 {
			t.Errorf("the %s of the clipboard program was not seen: %v", file, err)
		}
		s.mustNotBeIn(t, "the "+file+" of the clipboard program", data)
	}
}

// TestNoProofLeaves records what SCRAM sends: a proof, with the salt and the
// nonce, lets the password be guessed at leisure.
func TestNoProofLeaves(t *testing.T) {
	t.Parallel()
	b := serve(t, "standard")
	mine := b.create("ops")
	wire := recordingProxy(t, b.address[saslPlaintext])
	state := t.TempDir()
	h := how{state: state, args: append(b.flags(saslPlaintext, "ops"), "--user", "ops", "--bootstrap-server", wire.address, "--debug", debugLog(state))}
	s := &session{terminal: start(t, h), broker: b}
	s.see("Max lifetime")
	s.choose(mine)
	s.press("w")
	s.see("Renew token")
	s.pasteHMAC(mine)
	s.button("Renew")
	s.see("token " + mine.id + " renewed")
	s.press("v")
	s.see("> HMAC")
	s.pasteHMAC(mine)
	s.button("Test sign-in")
	s.see("sign-in works")
	s.press("\x03")
	s.exits(0)
	s.knows()
	proofs := wire.proofs()
	if len(proofs) != 2 {
		t.Fatalf("%d SCRAM proofs were sent, want that of ops and that of the token", len(proofs))
	}
	for _, p := range proofs {
		s.secrets = append(s.secrets, textSecret("a SCRAM proof", p))
	}
	s.scanOutput()
	s.scanFolder(s.state)
	s.nothingTyped()
	if sent := wire.sent(); !bytes.Contains(sent, mine.hmac) {
		t.Error("the recording does not hold the renewal; was it made on this connection?")
	}
}

// proxy passes on to a broker and keeps what clients send.
type proxy struct {
	address string
	mu      sync.Mutex
	bytes   []byte
}

func recordingProxy(t *testing.T, to string) *proxy {
	t.Helper()
	p := &proxy{}
	p.address = between(t, to, func(client, broker net.Conn) {
		go pass(client, broker, p.keep)
		go pass(broker, client, func([]byte) {})
	})
	return p
}

// between is the address of a proxy to a broker; carry is given each client with
// a connection to the broker of its own.
func between(t *testing.T, to string, carry func(client, broker net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			broker, err := net.Dial("tcp", to)
			if err != nil {
				_ = client.Close()
				return
			}
			carry(client, broker)
		}
	}()
	return listener.Addr().String()
}

func pass(from, to net.Conn, keep func([]byte)) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		keep(buf[:n])
		if _, failed := to.Write(buf[:n]); failed != nil || err != nil {
			return
		}
	}
}

func (p *proxy) keep(data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes = append(p.bytes, data...)
}

func (p *proxy) sent() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Clone(p.bytes)
}

// proofs are those of the client-final messages (RFC 5802, section 7).
func (p *proxy) proofs() []string {
	var all []string
	for _, m := range regexp.MustCompile(`c=[A-Za-z0-9+/=]+,r=[!-+--~]+,p=([A-Za-z0-9+/=]+)`).FindAllSubmatch(p.sent(), -1) {
		all = append(all, string(m[1]))
	}
	return all
}
