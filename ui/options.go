package ui

import (
	"context"
	"log/slog"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// Options are what the screens need from outside.
type Options struct {
	// Context ends when the program does; every request derives from it.
	Context context.Context
	// Environments are the clusters to choose from, at least one. The first
	// is opened.
	Environments []Environment
	// User opens that user's page at once; "" opens the user list.
	User string
	// Notes are shown once after the start, such as what was accepted in a
	// properties file with a remark.
	Notes []string
	// Copy puts text on the clipboard and says what became of it. secret is set
	// for an HMAC. It may block; it runs in a command.
	Copy func(ctx context.Context, text []byte, secret bool) (Copied, error)
	// Clear takes copied secrets off the clipboard where it still holds them;
	// asked is set when the person wants it. It may block as well.
	Clear func(ctx context.Context, traces []Trace, asked bool) (Cleared, error)
	// Save writes text that holds an HMAC to a new file that only its owner may
	// read, never over one that is there; nil where no files can be written.
	Save func(path string, text []byte) error
	// Accessible makes the screens ones for a screen reader.
	Accessible bool
	// AuditTrouble says what of the audit trail could not be written so far;
	// "" when all is well. nil without a trail.
	AuditTrouble func() string
	// Log is told which screen is shown and what failed, and no key or text;
	// nobody when nil.
	Log *slog.Logger
	// Now is the clock; time.Now when nil.
	Now func() time.Time
	// After delivers msg once d has passed; a timer when nil.
	After func(d time.Duration, msg tea.Msg) tea.Cmd
	// Location is the zone of all times shown; time.Local when nil.
	Location *time.Location
	// Renderer decides about colours; lipgloss's own when nil.
	Renderer *lipgloss.Renderer
}

// signs are those of the screens.
func (o *Options) signs() signs {
	if o.Accessible {
		return spokenSigns()
	}
	return drawnSigns()
}

func (o Options) withDefaults() *Options {
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = func(d time.Duration, msg tea.Msg) tea.Cmd {
			return tea.Tick(d, func(time.Time) tea.Msg { return msg })
		}
	}
	if o.Location == nil {
		o.Location = time.Local
	}
	if o.Renderer == nil {
		o.Renderer = withColours(lipgloss.DefaultRenderer(), os.Getenv)
	}
	return &o
}
