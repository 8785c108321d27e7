//go:build unix

package apache

import (
	"io"
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

// process is a running program in a process group of its own.
type process struct {
	cmd  *exec.Cmd
	hold io.Closer
	done chan struct{}
	err  error
}

// startProcess runs name with its output going to out, in folder dir.
func startProcess(dir string, out io.Writer, name string, args ...string) (*process, error) {
	cmd := exec.Command("/bin/sh", append([]string{"-c", guard, "guard", name}, args...)...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	hold, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, hold: hold, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// kill ends the program and everything that it started, and waits until they
// are gone. Brokers of tests keep nothing worth a clean end.
func (p *process) kill() {
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-p.done
	p.hold.Close()
}

// alive reports whether a process with this id exists.
func alive(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
