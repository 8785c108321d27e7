package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"dtok/kafka"
)

// hmacOutput is where a new token's HMAC goes: into a new file that only its
// owner may read, or to standard output, and nowhere unless one of them is
// asked for.
type hmacOutput struct {
	file  string
	print bool
	// reserved is the new, still empty file.
	reserved *os.File
}

const hmacFileMode = 0o600

func (h *hmacOutput) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&h.file, "hmac-file", "", "new `FILE` for the HMAC, with mode 0600; an existing one is refused")
	f.BoolVar(&h.print, "print-hmac", false, "print the HMAC, and nothing else, on standard output")
	refuseHMAC(cmd)
}

func (h *hmacOutput) check(cmd *cobra.Command, output string) error {
	switch {
	case h.file == "" && !h.print:
		return wrongUsage(cmd, errors.New("a token's HMAC is given once: --hmac-file FILE says where to keep it, or --print-hmac prints it"))
	case h.file != "" && h.print:
		return wrongUsage(cmd, errors.New("--hmac-file and --print-hmac exclude each other"))
	case h.file == "-":
		return wrongUsage(cmd, errors.New("--print-hmac prints the HMAC on standard output, --hmac-file takes the name of a new file"))
	case h.print && output == asJSON:
		return wrongUsage(cmd, errors.New("no JSON holds an HMAC: --output json goes with --hmac-file"))
	}
	return nil
}

// reserve makes the file before the token is made, so that a place that cannot
// be written costs no token. O_EXCL also refuses a symbolic link.
func (h *hmacOutput) reserve() error {
	if h.file == "" {
		return nil
	}
	f, err := os.OpenFile(h.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, hmacFileMode)
	if errors.Is(err, fs.ErrExist) {
		return &hinted{
			fmt.Errorf("%s is already there, and dtok writes an HMAC over nothing; nothing was sent", h.file),
			"name another file, or remove that one if nobody needs it any more",
		}
	}
	if err != nil {
		return fmt.Errorf("the HMAC cannot be kept: %w; nothing was sent", bare(err))
	}
	h.reserved = f
	// A umask may take even the owner's rights away.
	if err := f.Chmod(hmacFileMode); err != nil {
		h.discard()
		return fmt.Errorf("the HMAC cannot be kept to its owner: %w; nothing was sent", bare(err))
	}
	return nil
}

// discard removes what reserve has made, with whatever it holds by now.
func (h *hmacOutput) discard() {
	if h.reserved == nil {
		return
	}
	_ = h.reserved.Truncate(0)
	_ = h.reserved.Close()
	_ = os.Remove(h.reserved.Name())
	h.reserved = nil
}

// keep writes the HMAC to where it belongs, durably if that is a file. After an
// error it is nowhere.
func (h *hmacOutput) keep(hmac *kafka.Secret, stdout io.Writer) (err error) {
	kafka.HMACText(hmac, func(text []byte) {
		line := append(text, '\n')
		defer clear(line)
		if h.print {
			_, err = stdout.Write(line)
			return
		}
		err = h.write(line)
	})
	if err != nil {
		h.discard()
	}
	return err
}

func (h *hmacOutput) write(line []byte) error {
	if _, err := h.reserved.Write(line); err != nil {
		return err
	}
	if err := h.reserved.Sync(); err != nil {
		return err
	}
	if err := h.reserved.Close(); err != nil {
		return err
	}
	// The file survives a power cut only when its folder is on disk too. Not
	// every system can flush a folder, and without that the HMAC is kept all
	// the same.
	if folder, err := os.Open(filepath.Dir(h.file)); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
	h.reserved = nil
	return nil
}

// where is the place for people.
func (h *hmacOutput) where() string {
	if h.print {
		return "standard output"
	}
	return h.file
}
