//go:build unix && !darwin

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
				if err := m.write(t.Context(), text); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took > 4*time.Second {
					t.Errorf("it waited %v for the child", took)
				}
				if held, err := os.ReadFile(clip(c.used)); err != nil || string(held) != text {
					t.Errorf("%s got %q, %v", c.used, held, err)
				}
				if got, err := m.read(t.Context()); err != nil || got != text {
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
	if err := m.write(t.Context(), "text"); err != nil {
		t.Fatal(err)
	}
	if held, err := os.ReadFile(clip("clip.exe")); err != nil || string(held) != "text" {
		t.Errorf("clip.exe got %q, %v", held, err)
	}
	if got, err := m.read(t.Context()); err != nil || got != "a\r\nb\r\n" {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestNoClipboardProgram(t *testing.T) {
	programsIn(t, "clip.exe wl-copy")
	m := newMachineClipboard()
	if err := m.write(t.Context(), "text"); !errors.Is(err, errNoProgram) {
		t.Error(err)
	}
	if _, err := m.read(t.Context()); !errors.Is(err, errNoProgram) {
		t.Error(err)
	}
}

// A program that hangs is not left behind, nor what it has started: a script's
// child would put the text on the clipboard when nobody expects it any more.
func TestAClipboardProgramIsKilled(t *testing.T) {
	dir := t.TempDir()
	pids, late := filepath.Join(dir, "pids"), filepath.Join(dir, "late")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	script := "(echo $$ >> " + pids + "; sleep 2; cat > " + late + ") & echo $! >> " + pids + "; wait"
	err := runClipboardProgram(ctx, []string{"sh", "-c", script}, func(cmd *exec.Cmd) {
		cmd.Stdin = strings.NewReader(strings.Repeat("x", 1<<20)) // more than a pipe holds
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	started, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for pid := range strings.FieldsSeq(string(started)) {
		gone := func() bool {
			stat, _ := os.ReadFile("/proc/" + pid + "/stat") // of a zombie, where nobody waits for orphans
			return exec.Command("kill", "-0", pid).Run() != nil || strings.Contains(string(stat), ") Z ")
		}
		for end := time.Now().Add(10 * time.Second); !gone(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("process %s still runs", pid)
			}
		}
	}
	if _, err := os.Stat(late); err == nil {
		t.Error("the text came to the clipboard after all")
	}
	gone := filepath.Join(dir, "xclip")
	if err := runClipboardProgram(t.Context(), []string{gone}, func(*exec.Cmd) {}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A child that holds the pipe of what was read is no error.
func TestAClipboardProgramWithAChild(t *testing.T) {
	var out strings.Builder
	err := runClipboardProgram(t.Context(), []string{"sh", "-c", "echo text; sleep 5 &"}, func(cmd *exec.Cmd) { cmd.Stdout = &out })
	if err != nil || out.String() != "text\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
