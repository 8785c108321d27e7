package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"dtok/ui"
)

// batch is a command without a screen, for scripts and cron: its flags, and
// where it prints.
type batch struct {
	cluster clusterFlags
	// gate has the audit trail and the read-only reason; commands that only
	// read need no reason.
	gate   screenFlags
	output string
	// out takes results and nothing else, notes what is for people.
	out, notes io.Writer
}

// The forms of output.
const (
	asTable = "table"
	asJSON  = "json"
)

// newBatch gives cmd the flags that all commands without a screen have.
func newBatch(cmd *cobra.Command, debug *debugLog) *batch {
	b := &batch{cluster: clusterFlags{debug: debug}, gate: screenFlags{debug: debug}}
	b.cluster.flags(cmd)
	b.gate.auditFlags(cmd.Flags())
	cmd.Flags().StringVarP(&b.output, "output", "o", asTable, "`FORM` of the output: table or json")
	complete(cmd, "output", asTable, asJSON)
	return b
}

// newChange is newBatch for a command that changes the cluster.
func newChange(cmd *cobra.Command, debug *debugLog) *batch {
	b := newBatch(cmd, debug)
	b.gate.readOnlyFlag(cmd.Flags())
	return b
}

// complete offers words for a flag's value, and no files.
func complete(cmd *cobra.Command, flag string, words ...string) {
	// The error is for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// check refuses flags that cannot be right. It comes before everything else.
func (b *batch) check(cmd *cobra.Command) error {
	b.out, b.notes = cmd.OutOrStdout(), cmd.ErrOrStderr()
	if !slices.Contains([]string{asTable, asJSON}, b.output) {
		return wrongUsage(cmd, fmt.Errorf("--output is %s or %s", asTable, asJSON))
	}
	return b.gate.check(cmd)
}

// note tells something that is not the result on standard error.
func (b *batch) note(format string, args ...any) {
	_, _ = fmt.Fprintln(b.notes, "dtok: note:", printable(fmt.Sprintf(format, args...)))
}

func (b *batch) warn(format string, args ...any) {
	_, _ = fmt.Fprintln(b.notes, "dtok: warning:", printable(fmt.Sprintf(format, args...)))
}

// connecting makes the command's one connection.
type connecting func() (ui.Broker, error)

// read connects and reads. Nothing changes, so the first signal may end dtok
// where it stands: there is nothing to restore and nothing to record.
func (b *batch) read(ctx context.Context, work func(context.Context, ui.Broker) error) error {
	// Such a run ends before collecting garbage would pay.
	debug.SetGCPercent(400)
	b.gate.onlyReads = true
	return b.run(ctx, func(ctx context.Context, connect connecting) error {
		broker, err := connect()
		if err != nil {
			return err
		}
		return work(ctx, broker)
	})
}

// change does something that changes the cluster. A signal cancels: what has not
// been sent then is not sent, and what has is unknown. Either way it is recorded
// and told before dtok ends.
func (b *batch) change(work func(context.Context, connecting) error) error {
	// A reader that closes its end early must not kill dtok between a change
	// and its record; the write then fails instead.
	signal.Ignore(syscall.SIGPIPE)
	signals := commandUntilSignal()
	defer signals.stop()
	b.gate.debug.signals(signals)
	return b.run(signals, func(ctx context.Context, connect connecting) error {
		return interrupted(work(ctx, connect))
	})
}

func (b *batch) run(ctx context.Context, work func(context.Context, connecting) error) error {
	t, err := b.cluster.target()
	if err != nil {
		return err
	}
	for _, text := range t.notes {
		b.note("%s", text)
	}
	all := b.gate.trails("")
	var broker ui.Broker
	err = work(ctx, func() (ui.Broker, error) {
		var err error
		broker, err = b.gate.environment(t, b.gate.trailFor(t, all)).Connect(ctx, nil)
		return broker, err
	})
	if broker != nil {
		broker.Close()
	}
	return together(err, closeTrails(all))
}

// closeTrails is for a change that has ended: nothing runs any more, so it only
// writes what could not be written before.
func closeTrails(all *trails) error {
	limit, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	return all.close(limit)
}

// interrupted tells a signal that came before a change was sent: without a word
// a script's log would leave open whether it was.
func interrupted(err error) error {
	var by *signalled
	if !errors.As(err, &by) || isUnknown(err) {
		return err
	}
	text := err.Error()
	if text == by.Error() { // nothing says yet how far it came: not far
		text += "; nothing was sent"
	}
	return together(errors.New(text), by)
}
