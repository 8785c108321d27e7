package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"
)

// rootCommand is dtok with all its commands, which tell debug what they do.
func rootCommand(debug *debugLog) *cobra.Command {
	c, s := clusterFlags{debug: debug}, screenFlags{debug: debug}
	root := &cobra.Command{
		Use:   "dtok",
		Short: "A terminal console for Kafka delegation tokens",
		Long:  rootHelp,
		Example: "  dtok --bootstrap-server broker1:9093 --command-config client.properties\n" +
			"  dtok --bootstrap-server broker1:9093 --command-config client.properties --user alice\n" +
			"  dtok demo",
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		// Of all commands: none has one of its own.
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return debug.open(cmd, os.Getenv) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.check(cmd); err != nil {
				return err
			}
			return openCluster(c, s)
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return wrongUsage(cmd, err) })
	c.flags(root.Flags())
	s.flags(root.Flags())
	debug.flag(root.PersistentFlags())
	root.AddCommand(usersCommand(debug), tokensCommand(debug), createCommand(debug), renewCommand(debug), expireCommand(debug),
		checkCommand(debug), demoCommand(debug), auditCommand(), configCommand(), manCommand(), versionCommand())
	return root
}

// noArguments refuses words after a command. cobra's own check does not mark
// its error as a wrong command line.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return wrongUsage(cmd, errors.New("there is no command "+args[0]))
	}
	return wrongUsage(cmd, errors.New(cmd.CommandPath()+" takes no arguments, only flags; got "+args[0]))
}

// wrongUsage marks an error as a wrong command line. What the error repeats of
// that may be an HMAC that stands in the wrong place.
func wrongUsage(cmd *cobra.Command, err error) error {
	if hmac := noHMAC(cmd, err.Error()); hmac != nil {
		return hmac
	}
	return &usageError{&hinted{err, cmd.CommandPath() + " --help lists what there is"}}
}
