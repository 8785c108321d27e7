//go:build unix

// Command launch runs a program and tells the most memory that it had, in bytes
// resident, on file descriptor 3. Its exit status is the program's.
//
//	launch PROGRAM [ARGUMENT...] 3> FILE
//
// On Linux a process keeps the mark of the memory that its exec replaces, which
// is that of the process that started it. So whoever has more memory than the
// program cannot start it and ask for its peak; this command has very little.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	status, err := run(os.Args[1:], os.NewFile(3, "peak"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "launch:", err)
	}
	os.Exit(status)
}

// run gives the status to end with.
func run(argv []string, peak *os.File) (int, error) {
	if len(argv) == 0 || peak == nil {
		return 2, fmt.Errorf("usage: launch PROGRAM [ARGUMENT...] 3> FILE")
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		return 1, err
	}
	// Linux counts in kB.
	if _, err := fmt.Fprintln(peak, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10); err != nil {
		return 1, err
	}
	return max(cmd.ProcessState.ExitCode(), 0), nil
}
