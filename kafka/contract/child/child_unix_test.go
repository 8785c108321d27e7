//go:build unix

package child

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test program play the part of a test that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("DTOK_PLAY_VICTIM"); dir != "" {
		p, err := Start(dir, os.Stdout, nil, "/bin/sh", "-c", "echo $$; exec sleep 600")
		if err != nil {
			panic(err)
		}
		<-p.Done()
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// startVictim returns a process that holds another one, and that one's id.
func startVictim(t *testing.T) (*exec.Cmd, int) {
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), "DTOK_PLAY_VICTIM="+t.TempDir())
	out, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	return victim, pid
}

func TestNothingOutlivesAKilledTest(t *testing.T) {
	victim, pid := startVictim(t)
	if !alive(pid) {
		t.Fatal("the held process does not live")
	}
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	victim.Wait()
	gone(t, pid)
}

func TestKillEndsTheProcess(t *testing.T) {
	dir := t.TempDir()
	out, err := os.Create(dir + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p, err := Start(dir, out, nil, "/bin/sh", "-c", "echo $$ >pid.part; mv pid.part pid; exec sleep 600")
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	until(t, "the process runs", func() bool {
		text, err := os.ReadFile(dir + "/pid")
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	p.Kill()
	gone(t, pid)
}

func TestProcessThatEndsByItself(t *testing.T) {
	out, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p, err := Start(t.TempDir(), out, nil, "/bin/sh", "-c", "echo said; exit 3")
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if said, _ := os.ReadFile(out.Name()); string(said) != "said\n" {
		t.Errorf("output %q", said)
	}
	if p.cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("exit status %d, want 3", p.cmd.ProcessState.ExitCode())
	}
	p.Kill() // a second end is none
}

func gone(t *testing.T, pid int) {
	t.Helper()
	until(t, "the process is gone", func() bool { return !alive(pid) })
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	every := time.NewTicker(5 * time.Millisecond)
	defer every.Stop()
	deadline := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-deadline:
			t.Fatal("not in time: " + what)
		case <-every.C:
		}
	}
}
