package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// scanProcess looks through the command line and the environment of dtok and
// of whatever it has started, while it runs.
func (s *session) scanProcess() {
	s.Helper()
	if s.cmd.ProcessState != nil {
		return
	}
	for _, pid := range family(s.cmd.Process.Pid) {
		for _, file := range []string{"cmdline", "environ"} {
			path := fmt.Sprintf("/proc/%d/%s", pid, file)
			data, err := os.ReadFile(path)
			// dtok forbids others of the same user to look into it, and to
			// root it is open; a child may have ended by now.
			if err != nil && !os.IsPermission(err) && !os.IsNotExist(err) {
				s.Error(err)
			}
			s.mustNotBeIn(s, path, data)
		}
	}
}

// family is a process and all that descend from it.
func family(pid int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // ended meanwhile
		}
		// pid (name) state ppid …; the name may hold anything.
		_, rest, _ := bytes.Cut(data[bytes.LastIndexByte(data, ')'):], []byte(") "))
		fields := strings.Fields(string(rest))
		parent, _ := strconv.Atoi(fields[1])
		self, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		children[parent] = append(children[parent], self)
	}
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// childNamed finds a process below another by the name of its program.
func childNamed(t testing.TB, parent, name string) int {
	t.Helper()
	top, err := strconv.Atoi(parent)
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range family(top) {
		comm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if strings.TrimSpace(string(comm)) == name {
			return pid
		}
	}
	t.Fatalf("there is no %s below process %d", name, top)
	return 0
}

// lives reports whether a process has not ended. One that has may stay as a
// zombie: what became its parent does not always wait for it.
func lives(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !bytes.HasPrefix(data[bytes.LastIndexByte(data, ')')+1:], []byte(" Z"))
}
