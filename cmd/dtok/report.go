package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"dtok/kafka"
)

// The exit statuses besides 128+n for a signal. Scripts rely on them; the man
// pages list them (exitStatuses).
const (
	statusFailed   = 1
	statusUsage    = 2
	statusUnknown  = 3
	statusExpiring = 4
)

// usageError is a command line that is wrong.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// hinted is an error with what to do about it.
type hinted struct {
	error
	hint string
}

func (e *hinted) Unwrap() error { return e.error }
func (e *hinted) Hint() string  { return e.hint }

// signalled says which signal ended the program.
type signalled struct{ signal syscall.Signal }

func (e *signalled) Error() string { return "ended by a signal: " + e.signal.String() }

// report tells an error, if there is one, and gives the exit status.
func report(w io.Writer, err error) int {
	var (
		by  *signalled
		all several
	)
	if !errors.As(err, &all) {
		all = several{err}
	}
	// Whoever sent a signal knows why dtok ends. What else went wrong on the
	// way out is told, and does not change the status; but that a change was
	// cut off by the signal, and may have happened, does.
	unknown := false
	for _, e := range all {
		switch {
		case e == nil, isExpiring(e):
		case isUnknown(e):
			unknown = true
			tell(w, e)
		case !errors.As(e, &by):
			tell(w, e)
		}
	}
	var usage *usageError
	switch {
	case err == nil:
		return 0
	case unknown:
		return statusUnknown
	case by != nil:
		return 128 + int(by.signal)
	case errors.As(err, &usage):
		return statusUsage
	case isExpiring(err):
		return statusExpiring
	}
	return statusFailed
}

func isUnknown(err error) bool {
	var unknown *kafka.UnknownOutcomeError
	return errors.As(err, &unknown)
}

// several are errors that are told one by one.
type several []error

func (s several) Error() string   { return errors.Join(s...).Error() }
func (s several) Unwrap() []error { return s }

// together leaves out what is nil.
func together(errs ...error) error {
	var s several
	for _, err := range errs {
		//nolint:errorlint // one that is wrapped has words of its own
		if more, ok := err.(several); ok {
			s = append(s, more...)
		} else if err != nil {
			s = append(s, err)
		}
	}
	if len(s) == 0 {
		return nil
	}
	return s
}

func tell(w io.Writer, err error) {
	_, _ = fmt.Fprintln(w, "dtok: error:", printable(err.Error()))
	var h interface{ Hint() string }
	if errors.As(err, &h) && h.Hint() != "" {
		_, _ = fmt.Fprintln(w, "dtok: hint:", printable(h.Hint()))
	}
}

// printable shows what a terminal would obey as an escape: names and texts in
// an error may come from a broker.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\n' {
			b.WriteRune(r)
			continue
		}
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || isFormat(r) {
			b.WriteString(strings.Trim(fmt.Sprintf("%+q", r), "'"))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isFormat reports the marks that reorder or hide text.
func isFormat(r rune) bool {
	return r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x2069 || r == 0xfeff
}

// exit ends the process at once. It is for the moment when the terminal or the
// disk keeps dtok from ending by itself.
func exit(status int) { os.Exit(status) }
