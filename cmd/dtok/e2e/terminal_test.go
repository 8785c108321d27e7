package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience ends a test that waits for something that never comes. A pasted
// megabyte takes half a minute on a busy machine.
const patience = 60 * time.Second

// how says how the program is started and on what terminal.
type how struct {
	args []string
	env  []string // added to a bare environment; TERM=xterm-256color unless set
	cols int      // 80 when 0
	rows int      // 24 when 0
	// command runs another program than dtok, such as a shell that runs it.
	command []string
	// state is the folder of the audit trail; one of the test's own when empty.
	state string
	// answers lets the terminal answer queries; without it nobody does.
	answers bool
	// plain draws no screen, where only bytes are measured.
	plain bool
	// input is where keys come from, when not from the terminal itself.
	input *os.File
	// unread leaves the output in the terminal.
	unread bool
	// limit is when the program is killed; far beyond patience when 0.
	limit time.Duration
}

// terminal is a pseudo-terminal with a program on it.
type terminal struct {
	testing.TB
	cmd     *exec.Cmd
	started time.Time
	state   string
	master  *os.File
	slave   *os.File // held open, so that its modes can be read afterwards
	before  *term.State
	plain   bool
	arrived chan struct{} // holds a value whenever output has come

	mu     sync.Mutex
	screen *vt.Emulator
	output []byte
	chunks []chunk
}

// chunk is when output up to a length had come.
type chunk struct {
	at  time.Time
	end int
}

func start(t testing.TB, h how) *terminal {
	t.Helper()
	if err := onSources(); err != nil {
		t.Fatal(err)
	}
	if h.cols == 0 {
		h.cols, h.rows = 80, 24
	}
	if h.limit == 0 {
		h.limit = 8 * patience
	}
	if h.state == "" {
		h.state = t.TempDir()
	}
	if h.command == nil {
		h.command = append([]string{program}, h.args...)
	}
	x := &terminal{TB: t, state: h.state, plain: h.plain, arrived: make(chan struct{}, 1)}
	x.open(h)
	ctx, cancel := context.WithTimeout(t.Context(), h.limit)
	x.cmd = exec.CommandContext(ctx, h.command[0], h.command[1:]...)
	x.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.state, "LANG=C.UTF-8", "TZ=UTC",
		"TERM=xterm-256color", "XDG_STATE_HOME=" + h.state}, h.env...)
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = x.slave, x.slave, x.slave
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if h.input != nil {
		x.cmd.Stdin = h.input
		x.cmd.SysProcAttr.Ctty = 1
	}
	x.cmd.WaitDelay = time.Second
	x.started = time.Now()
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = x.slave.Close()
		_ = x.master.Close()
		if x.cmd.ProcessState == nil {
			_ = x.cmd.Wait()
		}
	})
	if !h.unread {
		go x.read()
	}
	return x
}

func (t *terminal) open(h how) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	// A non-blocking descriptor, so that Close ends a Read that waits.
	fd, err := syscall.Dup(int(master.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	syscall.CloseOnExec(fd)
	if err := errors.Join(syscall.SetNonblock(fd, true), master.Close()); err != nil {
		t.Fatal(err)
	}
	t.master, t.slave = os.NewFile(uintptr(fd), "pty"), slave
	t.setSize(h.cols, h.rows)
	if t.before, err = term.GetState(slave.Fd()); err != nil {
		t.Fatal(err)
	}
	if h.plain {
		return
	}
	t.screen = vt.NewEmulator(h.cols, h.rows)
	answers := io.Discard
	if h.answers {
		answers = t.master
	}
	go func() { _, _ = io.Copy(answers, t.screen) }()
	// The emulator's own Close races with its Read; this ends the copying too.
	t.Cleanup(func() { _ = t.screen.InputPipe().(io.Closer).Close() })
}

func (t *terminal) setSize(cols, rows int) {
	t.Helper()
	if err := pty.Setsize(t.master, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)}); err != nil {
		t.Fatal(err)
	}
}

// resize changes the window; the kernel tells the program.
func (t *terminal) resize(cols, rows int) {
	t.Helper()
	t.mu.Lock()
	t.screen.Resize(cols, rows)
	t.mu.Unlock()
	t.setSize(cols, rows)
}

// read collects what the program writes, until the terminal is closed.
func (t *terminal) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := t.master.Read(buf)
		now := time.Now()
		t.mu.Lock()
		t.output = append(t.output, buf[:n]...)
		t.chunks = append(t.chunks, chunk{now, len(t.output)})
		if t.screen != nil {
			_, _ = t.screen.Write(buf[:n])
		}
		t.mu.Unlock()
		select {
		case t.arrived <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// mark is how much output there has been so far.
func (t *terminal) mark() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.output)
}

// stream is the output from a mark on.
func (t *terminal) stream(from int) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]byte(nil), t.output[from:]...)
}

// text is the screen, a line each.
func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.screen == nil {
		return string(t.output)
	}
	return t.screen.String()
}

// until waits for the screen to be as wanted.
func (t *terminal) until(what string, is func(screen string) bool) {
	t.Helper()
	deadline := time.After(patience)
	for !is(t.text()) {
		select {
		case <-t.arrived:
		case <-deadline:
			t.Fatalf("%s did not come; the screen is\n%s", what, t.text())
		}
	}
}

// see waits until the screen holds all texts; line ends and their blanks count
// as one blank, so that wrapped sentences are found.
func (t *terminal) see(texts ...string) {
	t.Helper()
	t.until(fmt.Sprintf("%q", texts), func(screen string) bool {
		flat := strings.Join(strings.Fields(screen), " ")
		for _, text := range texts {
			if !strings.Contains(flat, text) {
				return false
			}
		}
		return true
	})
}

// gone waits until the screen does not hold the text any more.
func (t *terminal) gone(text string) {
	t.Helper()
	t.until(fmt.Sprintf("the end of %q", text), func(screen string) bool { return !strings.Contains(screen, text) })
}

func (t *terminal) press(keys string) {
	t.Helper()
	if _, err := t.master.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// still waits until there has been no output for a while.
func (t *terminal) still(d time.Duration) {
	deadline := time.Now().Add(patience)
	for since := time.Duration(0); since < d; since = t.silence() {
		if time.Now().After(deadline) {
			t.Fatalf("the output never stops; the screen is\n%s", t.text())
		}
		<-time.After(d - since)
	}
}

// silence is how long there has been no output.
func (t *terminal) silence() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.chunks) == 0 {
		return time.Since(t.started)
	}
	return time.Since(t.chunks[len(t.chunks)-1].at)
}

// changes presses a key on a screen that is still and waits until it has
// changed it, so that it and the next one never arrive together: several
// characters at once are text.
func (t *terminal) changes(key string) {
	t.Helper()
	t.still(60 * time.Millisecond)
	before := underHeader(t.text())
	t.press(key)
	t.until("an effect of the key "+strconv.Quote(key), func(screen string) bool { return underHeader(screen) != before })
}

// underHeader is a screen without its first line, whose clock goes on whatever
// is pressed.
func underHeader(screen string) string {
	_, rest, _ := strings.Cut(screen, "\n")
	return rest
}

// quiet lets so much time pass that no key counts as part of a paste.
func (t *terminal) quiet() { <-time.After(350 * time.Millisecond) }

// paste pastes as a terminal with bracketed paste does.
func (t *terminal) paste(text string) {
	t.Helper()
	t.press("\x1b[200~" + text + "\x1b[201~")
}

func (t *terminal) signal(s syscall.Signal) {
	t.Helper()
	if err := t.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}
