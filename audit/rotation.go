package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// A full file audit.jsonl is renamed to audit.jsonl.1, the next to
// audit.jsonl.2 and so on: the numbers are those of the files' heads, a name
// that is given stays, and no file is ever overwritten or removed.

// numbered is a full file of a trail.
type numbered struct {
	path   string
	number int
}

// fullFiles are the renamed files of the trail at path, oldest first.
func fullFiles(path string) ([]numbered, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var full []numbered
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), filepath.Base(path)+".")
		if !ok || e.IsDir() || digits == "" || digits[0] == '0' || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		if n, err := strconv.Atoi(digits); err == nil {
			full = append(full, numbered{path: path + "." + digits, number: n})
		}
	}
	slices.SortFunc(full, func(a, b numbered) int { return a.number - b.number })
	return full, nil
}

// rename makes room for the next file. The lock is held, so no other dtok
// takes the name between the look and the renaming.
func (w *writer) rename() error {
	full, err := fullFiles(w.path)
	if err != nil {
		return err
	}
	next := 1
	if len(full) > 0 {
		next = full[len(full)-1].number + 1
	}
	to := fmt.Sprintf("%s.%d", w.path, next)
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already", to)
	}
	if err := os.Rename(w.path, to); err != nil {
		return err
	}
	return w.syncFolder()
}

// openToRead opens a file of a trail for reading. It does not wait for the
// other end of a pipe.
func openToRead(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
