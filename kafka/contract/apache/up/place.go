package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// place is the folder in which one background node lives. Whoever runs the node
// holds a lock there for as long as it lives, so that a process id is never
// trusted beyond the life of its process.
type place struct{ dir string }

func (p place) lockFile() string  { return filepath.Join(p.dir, "lock") }
func (p place) pidFile() string   { return filepath.Join(p.dir, "pid") }
func (p place) aboutFile() string { return filepath.Join(p.dir, "about.txt") }
func (p place) logFile() string   { return filepath.Join(p.dir, "up.log") }

var errRunning = errors.New("a node is running already; stop it first (make kafka-down)")

// hold takes the lock and writes the process id next to it.
func (p place) hold() (release func(), err error) {
	lock := flock.New(p.lockFile())
	ok, err := lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errRunning
	}
	p.retract()
	err = os.WriteFile(p.pidFile(), []byte(strconv.Itoa(os.Getpid())), 0o600)
	return func() { os.Remove(p.pidFile()); lock.Unlock() }, err
}

// held reports whether somebody runs a node here.
func (p place) held() (bool, error) {
	lock := flock.New(p.lockFile())
	ok, err := lock.TryLock()
	if ok {
		lock.Unlock()
	}
	return !ok && err == nil, err
}

// announce tells the waiting start that the node serves clients.
func (p place) announce(text string) error {
	part := p.aboutFile() + ".part"
	if err := os.WriteFile(part, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(part, p.aboutFile())
}

func (p place) retract() { os.Remove(p.aboutFile()) }

// start runs this program's run in a session of its own and waits until the
// node serves clients.
func (p place) start(out io.Writer, release string) error {
	if held, err := p.held(); err != nil || held {
		if err == nil {
			err = errRunning
		}
		return err
	}
	p.retract()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.Create(p.logFile())
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(self, "run", release)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	every := time.NewTicker(50 * time.Millisecond)
	defer every.Stop()
	for {
		select {
		case <-ended:
			said, _ := os.ReadFile(p.logFile())
			return errors.New(strings.TrimPrefix(strings.TrimSpace(string(said)), "up: "))
		case <-every.C:
			if text, err := os.ReadFile(p.aboutFile()); err == nil {
				_, err = out.Write(text)
				return err
			}
		}
	}
}

// stop ends the node that runs here and waits until it is gone.
func (p place) stop(out io.Writer) error {
	held, err := p.held()
	if err != nil {
		return err
	}
	if !held {
		_, err = fmt.Fprintln(out, "No node is running.")
		return err
	}
	text, err := os.ReadFile(p.pidFile())
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", p.pidFile(), err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if err := process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	for deadline := time.Now().Add(15 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if held, err := p.held(); err != nil || !held {
			if err == nil {
				_, err = fmt.Fprintln(out, "Apache Kafka is stopped.")
			}
			return err
		}
	}
	return fmt.Errorf("process %d does not end; kill it by hand: kill -9 %d", pid, pid)
}
