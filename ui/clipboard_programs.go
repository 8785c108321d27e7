//go:build unix && !darwin

package ui

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// clipboardProgram is how a program copies its standard input, and how one
// prints what the clipboard holds. atotto/clipboard runs the same ones, but
// searches PATH for all of them before main, in every process: a tenth of what
// dtok tokens takes, and far more where folders of PATH are on a network or, in
// WSL, on Windows. And it leaves one that hangs behind.
type clipboardProgram struct {
	copy, paste []string
	// crlf: what is printed ends with a line end of Windows that was not copied.
	crlf bool
}

// clipboardPrograms are the ones there are, the best first.
func clipboardPrograms(wayland bool) []clipboardProgram {
	programs := []clipboardProgram{
		{copy: []string{"wl-copy"}, paste: []string{"wl-paste", "--no-newline"}},
		{copy: []string{"xclip", "-in", "-selection", "clipboard"}, paste: []string{"xclip", "-out", "-selection", "clipboard"}},
		{copy: []string{"xsel", "--input", "--clipboard"}, paste: []string{"xsel", "--output", "--clipboard"}},
		{copy: []string{"termux-clipboard-set"}, paste: []string{"termux-clipboard-get"}},            // Android
		{copy: []string{"clip.exe"}, paste: []string{"powershell.exe", "Get-Clipboard"}, crlf: true}, // WSL
	}
	if !wayland {
		programs = programs[1:]
	}
	return programs
}

// newMachineClipboard is the clipboard of whichever program is there when it is
// used.
func newMachineClipboard() machineClipboard {
	return machineClipboard{
		write: func(ctx context.Context, text string) error {
			p, err := findClipboardProgram()
			if err != nil {
				return err
			}
			return runClipboardProgram(ctx, p.copy, func(cmd *exec.Cmd) { cmd.Stdin = strings.NewReader(text) })
		},
		read: func(ctx context.Context) (string, error) {
			p, err := findClipboardProgram()
			if err != nil {
				return "", err
			}
			var out strings.Builder
			err = runClipboardProgram(ctx, p.paste, func(cmd *exec.Cmd) { cmd.Stdout = &out })
			if p.crlf {
				return strings.TrimSuffix(out.String(), "\r\n"), err
			}
			return out.String(), err
		},
	}
}

func findClipboardProgram() (clipboardProgram, error) {
	there := func(argv []string) bool {
		_, err := exec.LookPath(argv[0])
		return err == nil
	}
	for _, p := range clipboardPrograms(os.Getenv("WAYLAND_DISPLAY") != "") {
		if there(p.copy) && there(p.paste) {
			return p, nil
		}
	}
	return clipboardProgram{}, errNoProgram
}

// runClipboardProgram runs one, with the pipe that connect gives it, and kills
// it when ctx ends, with all that it has started: it may be a script. Those that
// copy leave a child behind that owns the clipboard, which stays.
func runClipboardProgram(ctx context.Context, argv []string, connect func(*exec.Cmd)) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // of clipboardPrograms
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	connect(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrWaitDelay):
		return nil // it has ended well, and its child holds a pipe
	}
	return err
}
