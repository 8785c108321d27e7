package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"dtok/config"
	"dtok/kafka"
	"dtok/ui"
)

// errNoCluster is for a command line that names none. The notes are those of a
// properties file that was read for one: its key may be misspelt.
func errNoCluster(notes ...string) error {
	return &usageError{&hinted{
		errors.New(strings.Join(append([]string{"no cluster is named"}, notes...), "; ")),
		"--bootstrap-server HOST:PORT names one, with --command-config FILE for its security settings, or --environment NAME " +
			"one of the configuration file, which dtok config init --write begins; dtok demo needs none",
	}}
}

// errTwoClusters is for flags that contradict each other.
var errTwoClusters = errors.New("--bootstrap-server and --command-config name a cluster by themselves; they do not go with --environment or --config")

// fromFile are the environments of the configuration file, the one to open
// first. Without flags that name a cluster, no file is no cluster.
func (c clusterFlags) fromFile() ([]target, error) {
	path := c.config
	if path == "" {
		var err error
		if path, err = config.DefaultPath(); err != nil {
			return nil, err
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && c.environment == "" {
			return nil, errNoCluster()
		}
	}
	file, err := config.Load(path)
	if err != nil {
		return nil, err
	}
	chosen, err := file.Environment(c.environment)
	if err != nil {
		return nil, err
	}
	targets := make([]target, 0, len(file.Environments))
	for _, e := range file.Environments {
		targets = append(targets, c.environmentTarget(e, file))
	}
	at := slices.Index(file.Environments, chosen)
	first := targets[at]
	return append([]target{first}, slices.Delete(targets, at, at+1)...), nil
}

// environmentNames are for a shell to complete; a file that cannot be read has
// none.
func (c clusterFlags) environmentNames() []string {
	path := c.config
	if path == "" {
		path, _ = config.DefaultPath()
	}
	file, err := config.Load(path)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range file.Environments {
		names = append(names, e.Name)
	}
	return names
}

// environmentTarget is an environment of the file. Its passwords are fetched
// when it connects, and not before.
func (c clusterFlags) environmentTarget(e *config.Environment, file *config.File) target {
	sum := e.Summary()
	t := target{
		shown: ui.Environment{Name: e.Name, ReadOnly: e.ReadOnly, Protocol: sum.Protocol, Mechanism: sum.Mechanism,
			User: sum.User, Password: sum.Prompt, ClipboardClear: e.ClipboardClear},
		notes:      file.Notes,
		accessible: file.Accessible,
		auditFile:  e.AuditFile,
		auditReads: e.AuditReads,
	}
	if e.Color != config.NoColor {
		t.shown.Colour = strconv.Itoa(int(e.Color))
	}
	e.Ran = c.debug.ran
	t.settings = func(ctx context.Context, password *kafka.Secret) (kafka.Settings, error) {
		connection, err := e.Connection(ctx)
		if err != nil {
			return kafka.Settings{}, err
		}
		if connection.Prompt != "" {
			if password.Len() == 0 {
				return kafka.Settings{}, &hinted{errors.New("the " + connection.Prompt + " must be typed, and nobody can be asked here"),
					"in the configuration file, password_file or password_command give it to commands without a screen"}
			}
			var wrong error
			password.Use(func(b []byte) { wrong = connection.SetPassword(append([]byte(nil), b...)) })
			if wrong != nil {
				return kafka.Settings{}, wrong
			}
		}
		addresses, err := kafka.ParseBootstrap(connection.Bootstrap)
		if err != nil {
			return kafka.Settings{}, err
		}
		return c.debug.settings(e.Name, settingsOf(connection, addresses), connection.Settings), nil
	}
	return t
}
