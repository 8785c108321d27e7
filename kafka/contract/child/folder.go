// Package child runs the programs that tests need, such that nothing is left
// behind: no process outlives the test, and the folders of a test that was
// killed are removed by the next one.
package child

import (
	"fmt"
	"math/rand/v2"
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

// The ports that FreePorts chooses from: below those that systems give to
// outgoing connections, so that a node that is started again finds its own free.
const (
	lowestPort  = 20000
	highestPort = 32000
)

// FreePorts finds a free port of the loopback address for each name. Another
// process can still take one before it is used.
func FreePorts(names ...string) (map[string]int, error) {
	ports := map[string]int{}
	for _, name := range names {
		l, err := listenLow()
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports[name] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

// listenLow tries some ports of the range, and then takes any.
func listenLow() (net.Listener, error) {
	for range 50 {
		port := lowestPort + rand.IntN(highestPort-lowestPort)
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return l, nil
		}
	}
	return net.Listen("tcp", "127.0.0.1:0")
}
