package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Cleared is what became of clearing the clipboard.
type Cleared struct {
	// Note says it in words.
	Note string
	// Left is set while a terminal's clipboard may still hold a secret, because
	// only asked is reason enough to overwrite what nobody can look at.
	Left bool
}

// Clear takes copied secrets off the clipboards that still hold them: this
// machine's, and the buffers of tmux. Whatever else these hold stays. What a
// terminal's clipboard holds cannot be read, so it is overwritten only when the
// person has asked. An error leaves all as it is, as far as it is known.
func (c *Clipboard) Clear(ctx context.Context, traces []Trace, asked bool) (Cleared, error) {
	var (
		notes   []string
		trouble error
	)
	tell := func(note string, err error) {
		switch {
		case err == nil:
			notes = append(notes, note)
		case trouble == nil:
			trouble = err
		default:
			trouble = fmt.Errorf("%w, and %w", trouble, err)
		}
	}
	if slices.ContainsFunc(traces, func(t Trace) bool { return t.machine }) {
		tell(c.clearMachine(ctx, traces))
	}
	byTmux := slices.ContainsFunc(traces, func(t Trace) bool { return t.tmux })
	if byTmux {
		tell(c.clearTmux(ctx, traces))
	}
	away := slices.ContainsFunc(traces, func(t Trace) bool { return t.terminal })
	switch {
	case away && asked:
		tell(c.overwrite(ctx, byTmux))
	case away:
		notes = append(notes, "the terminal's clipboard may still hold it: Y overwrites it, dtok cannot look")
	}
	if trouble != nil {
		return Cleared{}, trouble
	}
	return Cleared{Note: strings.Join(notes, "; "), Left: away && !asked}, nil
}

// overwrite asks the terminal to hold nothing instead: nobody can see whether it
// still holds the secret.
func (c *Clipboard) overwrite(ctx context.Context, byTmux bool) (string, error) {
	if byTmux {
		if err := c.overwriteByTmux(ctx); err != nil {
			return "", err
		}
	}
	return c.overwriteTerminal()
}

// recognised reports whether text is one of the secrets. It looks at all of
// them, so that the time it takes tells nothing.
func recognised(traces []Trace, text []byte) bool {
	found := false
	for _, t := range traces {
		if t.print.Matches(text) {
			found = true
		}
	}
	return found
}

func sizeOfOne(traces []Trace, size int) bool {
	return slices.ContainsFunc(traces, func(t Trace) bool { return t.size == size })
}
