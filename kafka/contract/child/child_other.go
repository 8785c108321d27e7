//go:build !unix

package child

import (
	"errors"
	"io"
)

// Process is a running program; there are none here.
type Process struct{}

// Start fails.
func Start(string, io.Writer, []string, string, ...string) (*Process, error) {
	return nil, errors.New("Apache Kafka can be started for tests on Linux, macOS and other Unix systems only")
}

// Done is nil.
func (p *Process) Done() <-chan struct{} { return nil }

// Err is nil.
func (p *Process) Err() error { return nil }

// Kill does nothing.
func (p *Process) Kill() {}

func alive(int) bool { return true }
