package audit

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// end is what stands at the end of a file.
type end struct {
	size int64
	// last is the hash of the last record of the chain, "" without one.
	last string
	// gap are the lines after it, which are no records of the chain.
	gap Sealed
	// unfinished is set when the last line lacks its newline: dtok was
	// killed, or the disk was full, in the middle of it.
	unfinished bool
}

// endOf finds the end of a file. It reads only as much of it as it must.
func endOf(f *os.File) (end, error) {
	info, err := f.Stat()
	if err != nil {
		return end{}, err
	}
	size := info.Size()
	for window := int64(64 << 10); ; window *= 8 {
		from := max(size-window, 0)
		text := make([]byte, size-from)
		if n, err := f.ReadAt(text, from); err != nil && !(errors.Is(err, io.EOF) && n == len(text)) {
			return end{}, err
		}
		at, found := endIn(text, from == 0)
		if found || from == 0 {
			at.size = size
			return at, nil
		}
	}
}

// endIn looks for the last record in the end of a file; whole tells that text
// is all of it, so that its first line is one.
func endIn(text []byte, whole bool) (end, bool) {
	var at end
	at.unfinished = len(text) > 0 && text[len(text)-1] != '\n'
	rest := text
	for len(rest) > 0 {
		lines := bytes.TrimSuffix(rest, []byte("\n"))
		from := bytes.LastIndexByte(lines, '\n') + 1
		if from == 0 && !whole {
			break
		}
		if l, ok := linkOf(lines[from:]); ok && l.holds() {
			at.last = l.hash
			at.gap = sealing(text[len(rest):])
			return at, true
		}
		rest = rest[:from]
	}
	at.gap = sealing(text)
	return at, false
}

// sealing describes lines that are no records; the last may lack the newline
// that it gets when it is sealed.
func sealing(text []byte) Sealed {
	if len(text) == 0 {
		return Sealed{}
	}
	if text[len(text)-1] != '\n' {
		text = append(bytes.Clone(text), '\n')
	}
	return Sealed{Lines: bytes.Count(text, []byte("\n")), SHA256: digest(text)}
}
