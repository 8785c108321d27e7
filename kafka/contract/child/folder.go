// Package child runs the programs that tests need, such that nothing is left
// behind: no process outlives the test, and the folders of a test that was
// killed are removed by the next one.
package child

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Folder makes a temporary folder. Its name holds the id of the process that
// made it, so that those of a killed test can be removed here.
func Folder(prefix string) (string, error) {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, dir := range left {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
		if id, err := strconv.Atoi(pid); err == nil && !alive(id) {
			os.RemoveAll(dir)
		}
	}
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", prefix, os.Getpid()))
}

// FreePorts finds a free port of the loopback address for each name. Another
// process can still take one before it is used.
func FreePorts(names ...string) (map[string]int, error) {
	ports := map[string]int{}
	for _, name := range names {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports[name] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}
