package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dtok/kafka"
	"dtok/kafka/demo"
	"dtok/ui"
)

// demoFlags are the flags of dtok demo besides those of the screens.
type demoFlags struct {
	scenario string
	as       string
	list     bool
	serve    bool
	listen   string
}

func demoCommand(debug *debugLog) *cobra.Command {
	var d demoFlags
	s := screenFlags{debug: debug}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Open dtok on a small Kafka cluster inside the process",
		Long: "demo opens dtok on a cluster of one broker inside the process, which speaks the\n" +
			"Kafka protocol and has users, tokens, ACL rules and quotas to try everything on.\n" +
			"With --serve only that broker runs, for any Kafka client, until it is interrupted.",
		Example: "  dtok demo\n  dtok demo --scenario no-secret-key --user alice\n  dtok demo --serve --listen 127.0.0.1:19092",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.check(cmd); err != nil {
				return err
			}
			if err := d.check(cmd); err != nil {
				return err
			}
			switch {
			case d.list:
				return listScenarios(cmd.OutOrStdout())
			case d.serve:
				return serveDemo(cmd.OutOrStdout(), d, debug)
			}
			return openDemo(d, s)
		},
	}
	s.flags(cmd.Flags())
	f := cmd.Flags()
	f.StringVar(&d.scenario, "scenario", "standard", "`NAME` of what the cluster is like")
	f.BoolVar(&d.list, "list-scenarios", false, "print the scenarios and end")
	f.StringVar(&d.as, "as", "ops", "`USER` to sign in as")
	f.BoolVar(&d.serve, "serve", false, "run only the broker, and print its addresses, users and ready client.properties")
	f.StringVar(&d.listen, "listen", "127.0.0.1:0", "`HOST:PORT` of the broker's main listener, with --serve")
	// The names are known only here, so completion can offer them.
	complete(cmd, "scenario", scenarioNames()...)
	complete(cmd, "as", demo.Users()...)
	return cmd
}

func (d *demoFlags) check(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("listen") && !d.serve:
		return wrongUsage(cmd, errors.New("--listen is for --serve"))
	case !slices.Contains(scenarioNames(), d.scenario):
		return wrongUsage(cmd, fmt.Errorf("there is no scenario %q; --list-scenarios prints them", d.scenario))
	case !slices.Contains(demo.Users(), d.as):
		return wrongUsage(cmd, fmt.Errorf("the demo has no user %q; it has %s", d.as, strings.Join(demo.Users(), ", ")))
	}
	return nil
}

func scenarioNames() []string {
	var names []string
	for _, s := range demo.Scenarios() {
		names = append(names, s.Name)
	}
	return names
}

func listScenarios(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range demo.Scenarios() {
		if _, err := fmt.Fprintf(table, "%s\t%s\n", s.Name, s.Description); err != nil {
			return err
		}
	}
	return table.Flush()
}

// openDemo opens the screens on a broker of their own. Its trail has a file of
// its own: tokens that never were must not stand among those of real clusters.
func openDemo(d demoFlags, s screenFlags) error {
	if err := needTerminal(); err != nil {
		return err
	}
	b, err := demo.Start(demo.Options{Scenario: d.scenario})
	if err != nil {
		return err
	}
	defer b.Close()
	return s.open("demo-audit.jsonl", demoTargets(b, d.as, s.debug)...)
}

// demoTargets are the same cluster as each of its users, so that one can see
// what another one sees; E switches.
func demoTargets(b *demo.Broker, as string, debug *debugLog) []target {
	var targets []target
	for _, user := range demo.Users() {
		c, err := b.Connection(user)
		if err != nil && user != as {
			continue // a scenario that signs in with a token, and the user has none
		}
		name := "demo as " + user
		if user == as {
			name = "demo"
		}
		t := target{
			shown: ui.Environment{Name: name, Protocol: string(c.Protocol), Mechanism: c.Mechanism, User: user},
			settings: func(context.Context, *kafka.Secret) (kafka.Settings, error) {
				c, err := b.Connection(user)
				if err != nil {
					return kafka.Settings{}, err
				}
				s, err := c.Settings()
				if err != nil {
					return kafka.Settings{}, err
				}
				return debug.settings(name, s, nil), nil
			},
		}
		if user == as {
			targets = append([]target{t}, targets...)
			continue
		}
		targets = append(targets, t)
	}
	return targets
}
