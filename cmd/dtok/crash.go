package main

import (
	"fmt"
	"runtime"
	"strings"
)

// crash is a panic, told without the values that it may hold: the panic's own
// value and the arguments in Go's stack traces could be pieces of a secret.
// The message of a runtime error (an index out of range, a nil pointer) and the
// names of functions cannot.
type crash struct {
	what  string
	stack []string
}

// newCrash describes a recovered panic; it must be called by the deferred
// function that recovered it.
func newCrash(recovered any) *crash {
	c := &crash{what: fmt.Sprintf("%T", recovered)}
	if err, ok := recovered.(runtime.Error); ok {
		c.what = err.Error()
	}
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		c.stack = append(c.stack, fmt.Sprintf("%s (%s:%d)", f.Function, f.File[strings.LastIndex(f.File, "/")+1:], f.Line))
		if !more {
			return c
		}
	}
}

func (c *crash) Error() string {
	return "dtok failed inside: " + c.what + "\n  " + strings.Join(c.stack, "\n  ")
}

func (c *crash) Hint() string {
	return "this is a bug; please report it with the lines above, which hold no secret"
}
