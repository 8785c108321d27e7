package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dtok/config"
	"dtok/kafka"
	"dtok/ui"
)

// clusterFlags name a cluster: with the flags of Kafka's own tools, or an
// environment of the configuration file.
type clusterFlags struct {
	bootstrap   string
	command     string
	environment string
	config      string
	debug       *debugLog
}

func (c *clusterFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.bootstrap, "bootstrap-server", "", "`HOST:PORT[,...]` of one or more brokers (default bootstrap.servers of the command config)")
	f.StringVar(&c.command, "command-config", "", "client.properties `FILE` with the security settings, as Kafka's own tools take it; without it dtok connects in plaintext")
	f.StringVarP(&c.environment, "environment", "e", "", "`NAME` of an environment of the configuration file")
	f.StringVar(&c.config, "config", "", "configuration `FILE` (default config.yaml in $XDG_CONFIG_HOME/dtok, or ~/.config/dtok)")
	// The error is for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("environment", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return c.environmentNames(), cobra.ShellCompDirectiveNoFileComp
	})
}

// openCluster opens the screens on it. What is wrong with the flags or the
// file is told before the terminal is taken.
func openCluster(c clusterFlags, s screenFlags) error {
	targets, err := c.targets()
	if err != nil {
		return err
	}
	return s.open("", targets...)
}

// target is the cluster that the flags name.
func (c clusterFlags) target() (target, error) {
	targets, err := c.targets()
	if err != nil {
		return target{}, err
	}
	return targets[0], nil
}

// targets are the cluster that the flags name and, where it is an environment
// of the configuration file, the others in it to switch to.
func (c clusterFlags) targets() ([]target, error) {
	if c.bootstrap == "" && c.command == "" {
		return c.fromFile()
	}
	if c.environment != "" || c.config != "" {
		return nil, &usageError{errTwoClusters}
	}
	t, err := c.named()
	return []target{t}, err
}

// named is the cluster that Kafka's own flags name.
func (c clusterFlags) named() (target, error) {
	connection, err := c.connection()
	if err != nil {
		return target{}, err
	}
	if strings.TrimSpace(connection.Bootstrap) == "" {
		return target{}, errNoCluster(connection.Notes...)
	}
	addresses, err := kafka.ParseBootstrap(connection.Bootstrap)
	if err != nil {
		return target{}, err
	}
	name := shortName(addresses)
	return target{
		shown: ui.Environment{Name: name, Protocol: connection.Protocol, Mechanism: connection.Mechanism, User: connection.User},
		notes: connection.Notes,
		settings: func(context.Context, *kafka.Secret) (kafka.Settings, error) {
			return c.debug.settings(name, settingsOf(connection, addresses), connection.Settings), nil
		},
	}, nil
}

// shortName stands for a cluster that has no name: its first address, and how
// many more there are. Which of them answered is in the audit trail.
func shortName(addresses []string) string {
	if len(addresses) == 1 {
		return addresses[0]
	}
	return fmt.Sprintf("%s +%d", addresses[0], len(addresses)-1)
}

// connection is what the file says, and without one Kafka's own default, a
// plaintext connection.
func (c clusterFlags) connection() (*config.Connection, error) {
	connection := &config.Connection{Protocol: string(kafka.Plaintext)}
	if c.command != "" {
		var err error
		if connection, err = config.ReadProperties(c.command); err != nil {
			return nil, err
		}
	}
	if c.bootstrap != "" {
		connection.Bootstrap = c.bootstrap
	}
	return connection, nil
}

// settingsOf is the connection as kafka takes it; see credentials.
func settingsOf(c *config.Connection, addresses []string) kafka.Settings {
	return kafka.Settings{
		Bootstrap:      addresses,
		Protocol:       kafka.Protocol(c.Protocol),
		SASL:           credentials(c),
		TLS:            c.TLS,
		ClientID:       c.ClientID,
		ConnectTimeout: c.ConnectTimeout,
		ReadTimeout:    c.RequestTimeout,
		ChangeTimeout:  c.ChangeTimeout,
	}
}
