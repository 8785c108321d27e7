//go:build unix

package child

import (
	"io"
	"os"
	"os/exec"
	"syscall"
)

// guard runs the command given as its arguments and ends it when standard input
// closes, which happens when the process that holds the other end dies, in
// whatever way. So no broker outlives a test that was killed.
const guard = `
exec 3<&0
"$@" </dev/null 3<&- &
pid=$!
{ cat <&3 >/dev/null; kill -9 $pid; } 2>/dev/null &
wait $pid
code=$?
kill $! 2>/dev/null
exit $code`

// Process is a running program in a process group of its own.
type Process struct {
	cmd  *exec.Cmd
	hold io.Closer
	done chan struct{}
	err  error
}

// Start runs name with its output going to out, in folder dir, with env added
// to this process's own environment.
func Start(dir string, out io.Writer, env []string, name string, args ...string) (*Process, error) {
	cmd := exec.Command("/bin/sh", append([]string{"-c", guard, "guard", name}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	hold, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, hold: hold, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err is how it ended, once Done is closed.
func (p *Process) Err() error { return p.err }

// Kill ends the program and everything that it started, and waits until they
// are gone. Brokers of tests keep nothing worth a clean end.
func (p *Process) Kill() {
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-p.done
	p.hold.Close()
}

// alive reports whether a process with this id exists.
func alive(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
