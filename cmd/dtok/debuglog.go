package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dtok/config"
	"dtok/kafka"
)

// debugLog is the log for support that --debug writes. It holds no secret and
// nothing that was typed: what it is told are names of the protocol and of dtok,
// numbers and times. Without the flag it is told everything in vain.
type debugLog struct {
	*slog.Logger
	path string
	file *debugFile // nil without the flag
}

func newDebugLog() *debugLog { return &debugLog{Logger: slog.New(slog.DiscardHandler)} }

func (d *debugLog) flag(f *pflag.FlagSet) {
	f.StringVar(&d.path, "debug", "", "write a log for support to this `FILE`: connections, requests and errors, no secrets and nothing typed")
}

// open begins the log, where it is asked for.
func (d *debugLog) open(cmd *cobra.Command, getenv func(string) string) error {
	switch {
	case !cmd.Flags().Changed("debug"):
		return nil
	case d.path == "":
		return wrongUsage(cmd, errors.New("--debug needs the name of a file"))
	}
	file, err := openDebugFile(d.path)
	if err != nil {
		return err
	}
	d.file = file
	handler := slog.NewJSONHandler(file, &slog.HandlerOptions{ReplaceAttr: inMilliseconds})
	// Several dtoks may write to one file.
	d.Logger = slog.New(handler).With("pid", os.Getpid())
	d.start(cmd, getenv)
	return nil
}

// inMilliseconds writes the time as the audit trail does.
func inMilliseconds(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && len(groups) == 0 {
		a.Value = slog.StringValue(a.Value.Time().UTC().Format("2006-01-02T15:04:05.000Z07:00"))
	}
	return a
}

// tellingVariables are what of the environment explains how dtok behaves. Their
// names are told; values can be anything.
var tellingVariables = []string{"SSH_CONNECTION", "TMUX", "STY", "DISPLAY", "WAYLAND_DISPLAY", "COLORTERM", "NO_COLOR", "CLICOLOR",
	"XDG_CONFIG_HOME", "XDG_STATE_HOME", "HTTPS_PROXY", "NO_PROXY", "KRB5_CONFIG", "KRB5CCNAME", "GOGC", "GODEBUG", "TZ"}

func (d *debugLog) start(cmd *cobra.Command, getenv func(string) string) {
	flags, variables := []string{}, []string{}
	cmd.Flags().Visit(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	for _, name := range tellingVariables {
		if getenv(name) != "" {
			variables = append(variables, name)
		}
	}
	columns, rows, _ := term.GetSize(os.Stdout.Fd())
	d.Info("start", "version", version(), "system", runtime.GOOS+" "+systemRelease(), "command", cmd.CommandPath(), "flags", flags,
		"term", getenv("TERM"), "columns", columns, "rows", rows, "stdin_terminal", term.IsTerminal(os.Stdin.Fd()),
		"stdout_terminal", term.IsTerminal(os.Stdout.Fd()), "variables", variables)
}

// settings are those of a connection that is about to be made; the names are of
// what was set. It gives them with the log in them.
func (d *debugLog) settings(environment string, s kafka.Settings, names []string) kafka.Settings {
	mechanism := ""
	if s.SASL != nil {
		mechanism = s.SASL.Mechanism
	}
	d.Info("settings", "environment", environment, "protocol", string(s.Protocol), "mechanism", mechanism,
		"bootstrap", s.Bootstrap, "set", names)
	if d.file != nil { // without it nobody need be told
		s.Log = d.Logger
	}
	return s
}

// ran is a command that was run for a password.
func (d *debugLog) ran(r config.CommandRun) {
	d.Info("password command", "setting", r.Setting, "status", r.Status, "ms", r.Took.Milliseconds())
}

// signals tells the signal that ends ctx.
func (d *debugLog) signals(ctx context.Context) {
	context.AfterFunc(ctx, func() {
		var by *signalled
		if errors.As(context.Cause(ctx), &by) {
			d.Warn("signal", "name", by.signal.String())
		}
	})
}

// end tells how dtok ends and closes the log. What the log lacks is told to
// people, once.
func (d *debugLog) end(w io.Writer, status int, err error, began time.Time) {
	if d.file == nil {
		return
	}
	attrs := []slog.Attr{slog.Int("status", status), slog.Int64("ms", time.Since(began).Milliseconds())}
	if err != nil {
		attrs = append(attrs, kafka.LogError(err))
	}
	var c *crash
	if errors.As(err, &c) {
		attrs = append(attrs, slog.String("crash", c.what), slog.Any("stack", c.stack))
	}
	d.LogAttrs(context.Background(), slog.LevelInfo, "exit", attrs...)
	if lacks := d.file.close(); lacks != nil {
		_, _ = fmt.Fprintln(w, "dtok: warning:", printable(lacks.Error()))
	}
}
