//go:build !darwin && !windows

package ui

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// programsIn makes the programs named the only ones on PATH. Each has a
// clipboard of its own: the file that is returned for it.
func programsIn(t *testing.T, names string) func(name string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	clip := func(name string) string {
		return filepath.Join(dir, strings.NewReplacer("paste", "copy", "-get", "-set").Replace(name)+".text")
	}
	for _, name := range strings.Fields(names) {
		script := "#!/bin/sh\ncase \"${0##*/} $*\" in\n" +
			"*-out*|*paste*|*-get*) /bin/cat '" + clip(name) + "' ;;\n" +
			"*Get-Clipboard*) printf 'a\\r\\nb\\r\\n\\r\\n' ;;\n" +
			// Like those that keep the clipboard: a child stays behind.
			"*) /bin/cat > '" + clip(name) + "'; /bin/sleep 5 & ;;\nesac\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return clip
}

func TestClipboardPrograms(t *testing.T) {
	for _, c := range []struct{ wayland, there, used string }{
		{"", "xclip xsel wl-copy wl-paste", "xclip"},
		{"wayland-0", "xclip xsel wl-copy wl-paste", "wl-copy"},
		{"wayland-0", "xclip wl-copy", "xclip"},
		{"", "xsel clip.exe powershell.exe", "xsel"},
		{"", "termux-clipboard-set termux-clipboard-get", "termux-clipboard-set"},
	} {
		t.Run(c.used+" of "+c.there, func(t *testing.T) {
			t.Setenv("WAYLAND_DISPLAY", c.wayland)
			clip := programsIn(t, c.there)
			m := newMachineClipboard()
			for _, text := range []string{"line\n\x00é ", ""} {
				start := time.Now()
				if err := m.write(text); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took > 4*time.Second {
					t.Errorf("it waited %v for the child", took)
				}
				if held, err := os.ReadFile(clip(c.used)); err != nil || string(held) != text {
					t.Errorf("%s got %q, %v", c.used, held, err)
				}
				if got, err := m.read(); err != nil || got != text {
					t.Errorf("read %q, %v", got, err)
				}
			}
		})
	}
}

// What Windows prints has a line end more than was copied.
func TestClipboardOfWindowsUnderLinux(t *testing.T) {
	clip := programsIn(t, "clip.exe powershell.exe")
	m := newMachineClipboard()
	if err := m.write("text"); err != nil {
		t.Fatal(err)
	}
	if held, err := os.ReadFile(clip("clip.exe")); err != nil || string(held) != "text" {
		t.Errorf("clip.exe got %q, %v", held, err)
	}
	if got, err := m.read(); err != nil || got != "a\r\nb\r\n" {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestNoClipboardProgram(t *testing.T) {
	programsIn(t, "clip.exe wl-copy")
	m := newMachineClipboard()
	if err := m.write("text"); !errors.Is(err, errNoProgram) {
		t.Error(err)
	}
	if _, err := m.read(); !errors.Is(err, errNoProgram) {
		t.Error(err)
	}
}

// A program that hangs, or one that is gone in the meantime, is not left behind.
func TestAClipboardProgramIsKilled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	start := time.Now()
	err := runClipboardProgram(time.Second, []string{"sh", "-c", "echo $$ > " + file + "; exec sleep 60"}, func(cmd *exec.Cmd) {
		cmd.Stdin = strings.NewReader(strings.Repeat("x", 1<<20)) // more than a pipe holds
	})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 30*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	pid, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run(); err == nil {
		t.Error("it still runs")
	}
	if err := runClipboardProgram(time.Minute, []string{filepath.Join(t.TempDir(), "xclip")}, func(*exec.Cmd) {}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
