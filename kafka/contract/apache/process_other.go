//go:build !unix

package apache

import (
	"errors"
	"io"
)

type process struct {
	done chan struct{}
	err  error
}

func startProcess(string, io.Writer, string, ...string) (*process, error) {
	return nil, errors.New("Apache Kafka can be started for tests on Linux, macOS and other Unix systems only")
}

func (p *process) kill() {}

func alive(int) bool { return true }
