package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"dtok/kafka"
)

// hmacInput is where a command takes an HMAC from: a file or standard input,
// never the command line, which ps and the shell's history show.
type hmacInput struct{ file string }

// inputLimit bounds what is read: an HMAC has 88 characters, and a JAAS line or
// a properties file around it is taken as well.
const inputLimit = 64 << 10

func (h *hmacInput) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&h.file, "hmac-file", "-", "`FILE` with the token's HMAC, - for standard input")
	refuseHMAC(cmd)
}

// read takes the HMAC. What stands around it is dropped as it is when one is
// pasted; an error holds no part of it. Waiting for it ends with ctx.
func (h *hmacInput) read(ctx context.Context, b *batch) (*kafka.Secret, error) {
	type answer struct {
		hmac *kafka.Secret
		err  error
	}
	// In a goroutine of its own, because neither opening a pipe nor reading
	// from one can be cancelled.
	arrived := make(chan answer, 1)
	go func() {
		hmac, err := h.take(b)
		arrived <- answer{hmac, err}
	}()
	select {
	case a := <-arrived:
		return a.hmac, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (h *hmacInput) take(b *batch) (*kafka.Secret, error) {
	from, name := os.Stdin, "standard input"
	if h.file != "-" {
		f, err := os.Open(h.file)
		if err != nil {
			return nil, fmt.Errorf("the HMAC cannot be read: %w", bare(err))
		}
		defer func() { _ = f.Close() }()
		from, name = f, h.file
	}
	if term.IsTerminal(from.Fd()) {
		return nil, &usageError{&hinted{
			errors.New("the HMAC would be shown: " + name + " is a terminal"),
			"--hmac-file FILE reads it from a file, and a pipe brings it to standard input; dtok itself takes it by paste, without showing it",
		}}
	}
	if open := readableByOthers(from); open != "" {
		b.warn("%s, which holds an HMAC, %s; chmod 600 keeps it to yourself", name, open)
	}
	text := make([]byte, inputLimit)
	defer clear(text)
	n, err := io.ReadFull(from, text)
	switch {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("there is no HMAC: %s is empty", name)
	case err == nil:
		return nil, fmt.Errorf("%s is too long for an HMAC", name)
	case !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("the HMAC cannot be read from %s: %w", name, cause(err))
	}
	hmac, err := kafka.ParseHMAC(text[:n])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return hmac, nil
}

// readableByOthers says how a file is open to other people, "" when it is not.
func readableByOthers(f *os.File) string {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || !hasModes {
		return ""
	}
	switch mode := info.Mode().Perm(); {
	case mode&0o007 != 0:
		return fmt.Sprintf("is open to everybody (mode %04o)", mode)
	case mode&0o070 != 0:
		return fmt.Sprintf("is open to its group (mode %04o)", mode)
	}
	return ""
}

// refuseHMAC takes --hmac, which Kafka's own tool has, only to say what to do
// instead. It is not listed anywhere.
func refuseHMAC(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("hmac", "", "refused")
	f.Lookup("hmac").NoOptDefVal = "refused" // also without a value, so that none is asked for
	_ = f.MarkHidden("hmac")
}

// noHMAC refuses an HMAC on the command line, whether in --hmac or anywhere
// else, without repeating it.
func noHMAC(cmd *cobra.Command, words ...string) error {
	given := cmd.Flags().Changed("hmac")
	for _, word := range words {
		given = given || kafka.HoldsHMAC([]rune(word))
	}
	if !given {
		return nil
	}
	return &usageError{&hinted{
		errors.New("an HMAC is never taken from the command line"),
		"--hmac-file FILE reads it from a file, a pipe brings it to standard input. One that stood on a command line " +
			"was seen by ps and perhaps by the shell's history: expire its token",
	}}
}

// bare drops the name of the system call, which means nothing to people.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}

// cause is what went wrong without path and system call, for sentences that
// name the path already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
