package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"dtok/kafka"
)

func checkCommand(debug *debugLog) *cobra.Command {
	c := clusterFlags{debug: debug}
	var output string
	check := &cobra.Command{
		Use:   "check",
		Short: "Say step by step how a connection comes about, and what it may do",
		Long: "check walks the way to a cluster: names, TCP, TLS, API versions, one sign-in, and what\n" +
			"this connection may do. It changes nothing and prints no secret, so that its output can\n" +
			"go into a ticket. The exit status is 0 when dtok can be used and 1 when it cannot.",
		Example: "  dtok check --bootstrap-server broker1:9093 --command-config client.properties\n" +
			"  dtok check --command-config client.properties --output json",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch output {
			case "text", "json":
			default:
				return wrongUsage(cmd, errors.New("--output is text or json"))
			}
			t, err := c.target()
			if err != nil {
				return err
			}
			signals := commandUntilSignal()
			defer signals.stop()
			debug.signals(signals)
			settings, err := t.settings(signals, nil)
			if err != nil {
				return err
			}
			if settings.SASL != nil {
				defer settings.SASL.Password.Destroy()
			}
			return runCheck(signals, cmd.OutOrStdout(), output, settings, t.notes)
		},
	}
	c.flags(check)
	check.Flags().StringVarP(&output, "output", "o", "text", "`text` or json")
	complete(check, "output", "text", "json")
	return check
}

// errUnusable is for what the lines before have told.
var errUnusable = errors.New("dtok cannot be used with this cluster; see above for the step that failed")

// runCheck prints the diagnosis, as it goes or as one JSON object. Names and
// texts in it may come from a broker, so nothing that a terminal would obey is
// let through.
func runCheck(ctx context.Context, w io.Writer, output string, s kafka.Settings, notes []string) error {
	var failed error
	print := func(text string) {
		if _, err := fmt.Fprintln(w, printable(text)); err != nil && failed == nil {
			failed = err
		}
	}
	report := func(step kafka.Step) { print(step.String()) }
	if output == "text" {
		print(version() + ", " + time.Now().UTC().Format(time.RFC3339))
		for _, note := range notes {
			print("note     " + note)
		}
	} else {
		report = nil
	}
	diagnosis := kafka.Check(ctx, s, report)
	if output == "json" {
		text, err := json.MarshalIndent(struct {
			Version string          `json:"version"`
			Time    time.Time       `json:"time"`
			OK      bool            `json:"ok"`
			Notes   []string        `json:"notes,omitempty"`
			Steps   kafka.Diagnosis `json:"steps"`
		}{version(), time.Now().UTC().Truncate(time.Second), diagnosis.OK(), notes, diagnosis}, "", "  ")
		if err != nil {
			return err
		}
		print(string(text))
	}
	switch {
	case failed != nil:
		return failed
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !diagnosis.OK():
		return errUnusable
	}
	return nil
}
