package main

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"dtok/config"
	"dtok/kafka"
	"dtok/ui"
)

// clusterFlags name a cluster, with the flags of Kafka's own tools.
type clusterFlags struct {
	bootstrap string
	command   string
}

func (c *clusterFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&c.bootstrap, "bootstrap-server", "", "`HOST:PORT[,...]` of one or more brokers (default bootstrap.servers of the command config)")
	f.StringVar(&c.command, "command-config", "", "client.properties `FILE` with the security settings, as Kafka's own tools take it")
}

// openCluster opens the screens on it. What is wrong with the flags or the
// file is told before the terminal is taken.
func openCluster(c clusterFlags, s screenFlags) error {
	t, err := c.target()
	if err != nil {
		return err
	}
	return s.open("", t)
}

// target is the cluster that the flags name.
func (c clusterFlags) target() (target, error) {
	connection, err := c.connection()
	if err != nil {
		return target{}, err
	}
	if strings.TrimSpace(connection.Bootstrap) == "" {
		return target{}, &usageError{&hinted{
			errors.New("no cluster is named"),
			"--bootstrap-server HOST:PORT names one, with --command-config FILE for its security settings; dtok demo needs none",
		}}
	}
	addresses, err := kafka.ParseBootstrap(connection.Bootstrap)
	if err != nil {
		return target{}, err
	}
	return target{
		shown: ui.Environment{Name: addresses[0], Protocol: connection.Protocol, Mechanism: connection.Mechanism, User: connection.User},
		notes: connection.Notes,
		settings: func() (kafka.Settings, error) {
			return settingsOf(connection, addresses), nil
		},
	}, nil
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

// settingsOf gives each dial its own copy of the password, because a client
// overwrites it when it is closed.
func settingsOf(c *config.Connection, addresses []string) kafka.Settings {
	s := kafka.Settings{
		Bootstrap:      addresses,
		Protocol:       kafka.Protocol(c.Protocol),
		TLS:            c.TLS,
		ClientID:       c.ClientID,
		ConnectTimeout: c.ConnectTimeout,
		ReadTimeout:    c.RequestTimeout,
	}
	if c.Mechanism != "" {
		s.SASL = &kafka.Credentials{Mechanism: c.Mechanism, User: c.User, TokenAuth: c.TokenAuth}
		c.Password.Use(func(password []byte) {
			s.SASL.Password = kafka.NewSecret(append([]byte(nil), password...))
		})
	}
	return s
}
